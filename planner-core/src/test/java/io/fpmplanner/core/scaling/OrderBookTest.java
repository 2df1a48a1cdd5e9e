/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class OrderBookTest {
    private final OrderBook book = new OrderBook(30);

    private static long at(double seconds) {
        return (long) (seconds * 1e9);
    }

    @Test
    void eachOrderIsDueAColdStartAfterItWasGiven() {
        book.outstanding(1, at(0));
        book.outstanding(3, at(10));
        OrderBook.Pending pending = book.pending(at(20));
        assertThat(pending.count()).isEqualTo(3);
        assertThat(pending.dueWithin(10)).isEqualTo(1);
        assertThat(pending.dueWithin(19.9)).isEqualTo(1);
        assertThat(pending.dueWithin(20)).isEqualTo(3);
    }

    @Test
    void theNewestOrderIsCancelledFirst() {
        book.outstanding(1, at(0));
        book.outstanding(2, at(10));
        book.outstanding(1, at(15));
        assertThat(book.pending(at(20)).dueWithin(10)).isEqualTo(1);
    }

    @Test
    void coldStartsAreMeasuredFromOrderToReady() {
        assertThat(book.coldStartSeconds()).isEqualTo(30);
        book.ready(1, at(0));
        for (int i = 0; i < 5; i++) {
            book.outstanding(1, at(100 * i));
            book.ready(2 + i, at(100 * i + 45));
            book.outstanding(0, at(100 * i + 45));
        }
        assertThat(book.coldStartSeconds()).isCloseTo(45, within(0.01));
    }

    @Test
    void aReplicaThatNeverComesIsNotCountedOnForEver() {
        book.outstanding(1, at(0));
        assertThat(book.pending(at(59)).count()).isEqualTo(1);
        assertThat(book.pending(at(61)).count()).isZero();
        assertThat(book.overdue(at(61))).isEqualTo(1);
        assertThat(book.giveUp(at(61))).isEqualTo(1);
        assertThat(book.outstanding()).isZero();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.fuzz;

import java.util.List;

/**
 * Reads millions of mutated inputs and prints what came of it. Run it by hand: {@code FuzzRun INPUTS [SEED]}; 10 million take
 * a few minutes.
 */
final class FuzzRun {
    private FuzzRun() {}

    public static void main(String[] arguments) throws Exception {
        long inputs = Long.parseLong(arguments[0]);
        long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.nanoTime();
        List<FuzzTarget> targets = FuzzTarget.all();
        int weights = targets.stream().mapToInt(FuzzTarget::weight).sum();
        long total = 0;
        for (FuzzTarget target : targets) {
            long share = inputs * target.weight() / weights;
            long start = System.nanoTime();
            long longest = new Fuzzer(seed).run(target, share);
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            System.out.printf(
                    "%-22s %,12d inputs %6.1f s, longest %7.1f ms, heap after %d MB%n",
                    target.name(),
                    share,
                    (System.nanoTime() - start) / 1e9,
                    longest / 1e6,
                    (runtime.totalMemory() - runtime.freeMemory()) >> 20);
            total += share;
        }
        System.out.printf("%,d inputs, seed %d: nothing threw, hung or grew%n", total, seed);
    }
}

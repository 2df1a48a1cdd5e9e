/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.kv;

import io.fpmplanner.core.fpm.RejectReason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the one pickle that SGLang sends, a KvMetrics of numbers, and refuses every other. Used once.
 *
 * <p>A pickle is a program that can call anything. This reader runs none: it knows the few opcodes that CPython writes for
 * that object, keeps plain values on its stack, and takes a class or function only by name, and only {@code KvMetrics} of a
 * module of SGLang and {@code msgspec._utils.rebuild}; both are mere marks here. Any other opcode or name ends it. Its stack,
 * memo and strings are bounded by the message's length.
 */
final class PickleReader {
    /*
     * Opcodes and their meaning: CPython, Lib/pickletools.py. The forms seen in the field are NEWOBJ and BUILD of a plain
     * class with its __dict__, and REDUCE of msgspec's rebuild with the class and a dict.
     */
    private static final int PROTO = 0x80;
    private static final int FRAME = 0x95;
    private static final int STOP = '.';
    private static final int MARK = '(';
    private static final int MEMOIZE = 0x94;
    private static final int BINPUT = 'q';
    private static final int LONG_BINPUT = 'r';
    private static final int BINGET = 'h';
    private static final int LONG_BINGET = 'j';
    private static final int SHORT_BINUNICODE = 0x8c;
    private static final int BINUNICODE = 'X';
    private static final int STACK_GLOBAL = 0x93;
    private static final int GLOBAL = 'c';
    private static final int EMPTY_TUPLE = ')';
    private static final int TUPLE2 = 0x86;
    private static final int EMPTY_DICT = '}';
    private static final int SETITEM = 's';
    private static final int SETITEMS = 'u';
    private static final int NEWOBJ = 0x81;
    private static final int REDUCE = 'R';
    private static final int BUILD = 'b';
    private static final int NONE = 'N';
    private static final int BININT = 'J';
    private static final int BININT1 = 'K';
    private static final int BININT2 = 'M';
    private static final int LONG1 = 0x8a;
    private static final int BINFLOAT = 'G';

    private static final int NEWEST_PROTOCOL = 5;
    private static final int MOST_VALUES = 256;

    /** Things on the stack that are no values. */
    private enum Mark {
        MARK,
        NONE,
        KV_METRICS,
        REBUILD,
        EMPTY_TUPLE
    }

    private record Pair(Object first, Object second) {}

    /** A KvMetrics with what was said of it; filled by BUILD. */
    private record Instance(Map<String, @Nullable Object> state) {}

    private final ByteBuffer in;
    private final List<Object> stack = new ArrayList<>();
    private final Map<Integer, Object> memo = new HashMap<>();

    PickleReader(byte[] buffer, int offset, int length) {
        in = ByteBuffer.wrap(buffer, offset, length);
    }

    KvFields read() throws KvRefused {
        while (true) {
            int opcode = unsigned8();
            if (opcode == STOP) {
                return result();
            }
            step(opcode);
            if (stack.size() > MOST_VALUES || memo.size() > MOST_VALUES) {
                throw new KvRefused(RejectReason.TOO_LARGE);
            }
        }
    }

    private KvFields result() throws KvRefused {
        Object value = pop();
        if (!(value instanceof Instance instance) || !stack.isEmpty()) {
            throw new KvRefused(RejectReason.NOT_KV);
        }
        if (in.hasRemaining()) {
            throw new KvRefused(RejectReason.TRAILING_BYTES);
        }
        return new KvFields(instance.state());
    }

    private void step(int opcode) throws KvRefused {
        switch (opcode) {
            case PROTO -> protocol();
            case FRAME -> frame();
            case MARK -> stack.add(Mark.MARK);
            case NONE -> stack.add(Mark.NONE);
            case EMPTY_TUPLE -> stack.add(Mark.EMPTY_TUPLE);
            case EMPTY_DICT -> stack.add(new HashMap<String, @Nullable Object>());
            case MEMOIZE -> memo.put(memo.size(), top());
            case BINPUT -> memo.put(unsigned8(), top());
            case LONG_BINPUT -> memo.put(memoIndex(), top());
            case BINGET -> recall(unsigned8());
            case LONG_BINGET -> recall(memoIndex());
            case SHORT_BINUNICODE -> stack.add(text(unsigned8()));
            case BINUNICODE -> stack.add(text(Integer.toUnsignedLong(littleEndian(4))));
            case BININT -> stack.add((long) littleEndian(4));
            case BININT1 -> stack.add((long) unsigned8());
            case BININT2 -> stack.add(littleEndian(2) & 0xffffL);
            case LONG1 -> stack.add(longInteger(unsigned8()));
            case BINFLOAT -> stack.add(Double.longBitsToDouble(bigEndian8()));
            default -> build(opcode);
        }
    }

    private void build(int opcode) throws KvRefused {
        switch (opcode) {
            case TUPLE2 -> {
                Object second = pop();
                stack.add(new Pair(pop(), second));
            }
            case SETITEM -> {
                Object value = pop();
                put(dictionary(stack.size() - 2), pop(), value);
            }
            case SETITEMS -> setItems();
            case STACK_GLOBAL -> {
                Object name = pop();
                stack.add(named(pop(), name));
            }
            case GLOBAL -> {
                String module = line();
                stack.add(named(module, line()));
            }
            case NEWOBJ -> {
                expect(pop(), Mark.EMPTY_TUPLE);
                expect(pop(), Mark.KV_METRICS);
                stack.add(new Instance(new HashMap<>()));
            }
            case REDUCE -> reduce();
            case BUILD -> {
                Map<String, @Nullable Object> state = dictionary(stack.size() - 1);
                pop();
                if (!(top() instanceof Instance instance)) {
                    throw new KvRefused(RejectReason.FORBIDDEN_PICKLE);
                }
                instance.state().putAll(state);
            }
            default -> throw new KvRefused(RejectReason.FORBIDDEN_PICKLE);
        }
    }

    private void protocol() throws KvRefused {
        if (unsigned8() > NEWEST_PROTOCOL) {
            throw new KvRefused(RejectReason.UNSUPPORTED_VERSION);
        }
    }

    /** A frame only announces bytes that follow anyway. */
    private void frame() throws KvRefused {
        need(Long.BYTES);
        long declared = Long.reverseBytes(in.getLong());
        if (declared < 0 || declared > in.remaining()) {
            throw new KvRefused(RejectReason.TRUNCATED);
        }
    }

    private static Mark named(Object module, Object name) throws KvRefused {
        if (name.equals("KvMetrics") && module instanceof String path && path.startsWith("sglang.")) {
            return Mark.KV_METRICS;
        }
        if (name.equals("rebuild") && module.equals("msgspec._utils")) {
            return Mark.REBUILD;
        }
        throw new KvRefused(RejectReason.FORBIDDEN_PICKLE);
    }

    private void reduce() throws KvRefused {
        Object arguments = pop();
        expect(pop(), Mark.REBUILD);
        if (!(arguments instanceof Pair pair)
                || pair.first() != Mark.KV_METRICS
                || !(pair.second() instanceof HashMap<?, ?>)) {
            throw new KvRefused(RejectReason.FORBIDDEN_PICKLE);
        }
        stack.add(pair.second());
        Map<String, @Nullable Object> state = dictionary(stack.size() - 1);
        pop();
        stack.add(new Instance(state));
    }

    private void setItems() throws KvRefused {
        int mark = stack.lastIndexOf(Mark.MARK);
        if (mark < 1 || (stack.size() - mark) % 2 == 0) {
            throw new KvRefused(RejectReason.MALFORMED);
        }
        Map<String, @Nullable Object> dictionary = dictionary(mark - 1);
        for (int i = mark + 1; i < stack.size(); i += 2) {
            put(dictionary, stack.get(i), stack.get(i + 1));
        }
        stack.subList(mark, stack.size()).clear();
    }

    private static void put(Map<String, @Nullable Object> dictionary, Object key, Object value) throws KvRefused {
        if (!(key instanceof String name)) {
            throw new KvRefused(RejectReason.FORBIDDEN_PICKLE);
        }
        // What is neither number nor None is refused where it is taken, and only there: forks may add fields.
        dictionary.put(name, value == Mark.NONE ? null : value);
    }

    /* Dictionaries are made by EMPTY_DICT and filled by put, so their keys are strings. */
    @SuppressWarnings("unchecked")
    private Map<String, @Nullable Object> dictionary(int at) throws KvRefused {
        if (at < 0 || !(stack.get(at) instanceof HashMap<?, ?> dictionary)) {
            throw new KvRefused(RejectReason.MALFORMED);
        }
        return (Map<String, @Nullable Object>) dictionary;
    }

    private static void expect(Object value, Mark mark) throws KvRefused {
        if (value != mark) {
            throw new KvRefused(RejectReason.FORBIDDEN_PICKLE);
        }
    }

    private Object pop() throws KvRefused {
        if (stack.isEmpty()) {
            throw new KvRefused(RejectReason.MALFORMED);
        }
        return stack.remove(stack.size() - 1);
    }

    private Object top() throws KvRefused {
        if (stack.isEmpty()) {
            throw new KvRefused(RejectReason.MALFORMED);
        }
        return stack.get(stack.size() - 1);
    }

    private void recall(int index) throws KvRefused {
        Object value = memo.get(index);
        if (value == null) {
            throw new KvRefused(RejectReason.MALFORMED);
        }
        stack.add(value);
    }

    private int memoIndex() throws KvRefused {
        return littleEndian(4);
    }

    private String text(long length) throws KvRefused {
        need(length);
        byte[] bytes = new byte[(int) length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private String line() throws KvRefused {
        StringBuilder line = new StringBuilder();
        for (int c = unsigned8(); c != '\n'; c = unsigned8()) {
            line.append((char) c);
        }
        return line.toString();
    }

    private long longInteger(int bytes) throws KvRefused {
        if (bytes > Long.BYTES) {
            throw new KvRefused(RejectReason.TOO_LARGE);
        }
        need(bytes);
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (in.get() & 0xffL) << (8 * i);
        }
        int unused = Long.SIZE - 8 * bytes;
        return bytes == 0 ? 0 : value << unused >> unused;
    }

    private int littleEndian(int bytes) throws KvRefused {
        need(bytes);
        int value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (in.get() & 0xff) << (8 * i);
        }
        return value;
    }

    private long bigEndian8() throws KvRefused {
        need(Long.BYTES);
        return in.getLong();
    }

    private int unsigned8() throws KvRefused {
        need(1);
        return in.get() & 0xff;
    }

    private void need(long bytes) throws KvRefused {
        if (bytes > in.remaining()) {
            throw new KvRefused(RejectReason.TRUNCATED);
        }
    }
}

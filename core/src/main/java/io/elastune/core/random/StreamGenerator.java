package io.elastune.core.random;

import java.util.random.RandomGenerator;

/**
 * The generator of one stream. It draws the same numbers as the JDK's L64X128MixRandom (Steele and
 * Vigna, "LXM: better splittable pseudorandom number generators", 2021), but opens much faster: a
 * sample with faults opens several streams for a few numbers each. Not thread-safe.
 */
public final class StreamGenerator implements RandomGenerator {
  private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;
  private static final long SILVER_RATIO = 0x6A09E667F3BCC909L;
  private static final long MULTIPLIER = 0xD1342543DE82EF95L;
  private static final double PER_53_BITS = 0x1.0p-53;

  private final long addend;
  private long state;
  private long x0;
  private long x1;

  StreamGenerator(long key) {
    long seed = key ^ SILVER_RATIO;
    addend = murmur(seed) | 1;
    state = 1;
    x0 = mix(seed);
    x1 = mix(seed + GOLDEN_RATIO);
    if ((x0 | x1) == 0) {
      long next = state + GOLDEN_RATIO;
      x0 = mix(next);
      x1 = mix(next + GOLDEN_RATIO);
    }
  }

  @Override
  public long nextLong() {
    long mixed = lea(state + x0);
    state = MULTIPLIER * state + addend;
    long other = x1 ^ x0;
    x0 = Long.rotateLeft(x0, 24) ^ other ^ (other << 16);
    x1 = Long.rotateLeft(other, 37);
    return mixed;
  }

  /** Returns the next number, uniform in [0, 1). */
  public double nextFraction() {
    return (nextLong() >>> 11) * PER_53_BITS;
  }

  /** Writes the next {@code count} numbers, uniform in [0, 1), from index {@code from} on. */
  public void fractions(double[] into, int from, int count) {
    long now = state;
    long a = x0;
    long b = x1;
    for (int i = from; i < from + count; i++) {
      long mixed = now + a;
      mixed = (mixed ^ (mixed >>> 32)) * 0xDABA0B6EB09322E3L;
      mixed = (mixed ^ (mixed >>> 32)) * 0xDABA0B6EB09322E3L;
      into[i] = ((mixed ^ (mixed >>> 32)) >>> 11) * PER_53_BITS;
      now = MULTIPLIER * now + addend;
      b ^= a;
      a = Long.rotateLeft(a, 24) ^ b ^ (b << 16);
      b = Long.rotateLeft(b, 37);
    }
    state = now;
    x0 = a;
    x1 = b;
  }

  /** Stafford's variant 13 of the 64-bit finalizer of MurmurHash3, as in SplittableRandom. */
  static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  /** Lea's 64-bit finalizer. */
  private static long lea(long value) {
    long mixed = (value ^ (value >>> 32)) * 0xDABA0B6EB09322E3L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xDABA0B6EB09322E3L;
    return mixed ^ (mixed >>> 32);
  }

  /** The 64-bit finalizer of MurmurHash3. */
  private static long murmur(long value) {
    long mixed = (value ^ (value >>> 33)) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ (mixed >>> 33);
  }
}

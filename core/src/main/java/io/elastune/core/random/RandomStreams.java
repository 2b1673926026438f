package io.elastune.core.random;

/**
 * Named random streams derived from one seed. A stream depends only on its name and the seed. Two
 * plans of one problem therefore get the same numbers for their common parts (common random
 * numbers), and additions to a problem do not change other draws.
 */
public final class RandomStreams {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private final long key;

  private RandomStreams(long key) {
    this.key = key;
  }

  /** Returns the root of all streams of {@code seed}. */
  public static RandomStreams of(long seed) {
    return new RandomStreams(mix(seed + GOLDEN_GAMMA));
  }

  /** Returns the substream named {@code name}. */
  public RandomStreams at(String name) {
    long mixed = mix(key + name.length());
    // Without optimizing compiler, a call for each character would take longer than to mix it.
    char[] letters = name.toCharArray();
    for (int i = 0; i < letters.length; i++) {
      mixed = mix(mixed + GOLDEN_GAMMA + letters[i]);
    }
    return new RandomStreams(mixed);
  }

  /** Returns the substream with number {@code number}. */
  public RandomStreams at(long number) {
    return new RandomStreams(mix(mix(key) + GOLDEN_GAMMA * (number + 1)));
  }

  /** Returns a number of this stream, uniform between 0 and 1, without a generator. */
  public double uniform() {
    return (mix(key + GOLDEN_GAMMA) >>> 11) * 0x1.0p-53;
  }

  /**
   * Returns the number of this stream in one of a few samples, uniform between 0 and 1. Of as many
   * equal intervals as there are samples, each contains the number of one sample.
   *
   * @param sample from 0
   * @param samples a power of two
   */
  public double stratified(int sample, int samples) {
    long bits = mix(key - GOLDEN_GAMMA);
    int stride = (int) (bits >>> 32) | 1;
    int interval = (stride * sample + (int) bits) & (samples - 1);
    return (interval + at(sample).uniform()) / samples;
  }

  /**
   * Returns a generator at the start of this stream. Callers use only its 64-bit output ({@link
   * StreamGenerator#nextLong()}) and what it derives from that, so that every JDK version draws the
   * same numbers.
   */
  public StreamGenerator open() {
    return new StreamGenerator(key);
  }

  private static long mix(long value) {
    return StreamGenerator.mix(value);
  }
}

package io.elastune.simulator;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Named random streams derived from one seed. A stream depends only on its name and the seed. Two
 * plans of one problem therefore get the same numbers for their common parts (common random
 * numbers), and additions to a problem do not change other draws.
 */
public final class Streams {
  private static final RandomGeneratorFactory<RandomGenerator> FACTORY =
      RandomGeneratorFactory.of("L64X128MixRandom");
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private final long key;

  private Streams(long key) {
    this.key = key;
  }

  /** Returns the root of all streams of {@code seed}. */
  public static Streams of(long seed) {
    return new Streams(mix(seed + GOLDEN_GAMMA));
  }

  /** Returns the substream named {@code name}. */
  public Streams at(String name) {
    long mixed = mix(key + name.length());
    for (int i = 0; i < name.length(); i++) {
      mixed = mix(mixed + GOLDEN_GAMMA + name.charAt(i));
    }
    return new Streams(mixed);
  }

  /** Returns the substream with number {@code number}. */
  public Streams at(long number) {
    return new Streams(mix(mix(key) + GOLDEN_GAMMA * (number + 1)));
  }

  /**
   * Returns a generator at the start of this stream. Only the 64-bit output of the JDK's generator
   * is used, and the distributions do the rest, so every JDK version draws the same numbers.
   */
  public UniformRandomProvider open() {
    return FACTORY.create(key)::nextLong;
  }

  /** Stafford's variant 13 of the 64-bit finalizer of MurmurHash3, as in SplittableRandom. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}

package io.elastune.simulator.sample;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counts what this process samples, for measurements of performance. Counting costs nothing that is
 * noticeable: it adds two numbers for each call that samples.
 */
public final class SamplingCounter {
  private static final LongAdder PLANS = new LongAdder();
  private static final LongAdder SAMPLES = new LongAdder();
  private static final LongAdder NANOS = new LongAdder();
  private static volatile LongSupplier processorTime = () -> 0;

  private SamplingCounter() {}

  /**
   * What was sampled so far.
   *
   * @param plans plans for which sampling began
   * @param samples samples of these plans
   * @param nanos processor time of sampling in nanoseconds; 0 if it is not measured
   */
  public record Counts(long plans, long samples, long nanos) {
    /** Returns what was sampled since {@code before}. */
    public Counts since(Counts before) {
      return new Counts(plans - before.plans, samples - before.samples, nanos - before.nanos);
    }
  }

  /** Returns what was sampled so far. */
  public static Counts counts() {
    return new Counts(PLANS.sum(), SAMPLES.sum(), NANOS.sum());
  }

  /** Measures the time of sampling from now on with a clock of this process's processor time. */
  public static void measureWith(LongSupplier processorNanos) {
    processorTime = processorNanos;
  }

  /** Counts a plan. */
  public static void planned() {
    PLANS.increment();
  }

  /** Runs {@code sampling}, which adds {@code samples} samples. */
  public static void count(int samples, Runnable sampling) {
    LongSupplier clock = processorTime;
    long startNanos = clock.getAsLong();
    sampling.run();
    SAMPLES.add(samples);
    NANOS.add(clock.getAsLong() - startNanos);
  }
}

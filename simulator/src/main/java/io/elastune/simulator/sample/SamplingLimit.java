package io.elastune.simulator.sample;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Ends sampling soon after a time limit, also within a sample that takes long. When the limit is
 * reached, what was found is still sampled, but only for so many tasks: about a second. What is
 * sampled then has the samples that were complete. Thread-safe.
 */
public final class SamplingLimit {
  /** No limit. */
  public static final SamplingLimit NONE = new SamplingLimit(() -> false);

  /** Tasks of one thread between two checks of the time. */
  private static final int CHECKED = 1_024;

  /** Tasks that are simulated after the time limit. */
  private static final long MORE = 1_000_000;

  private final BooleanSupplier isReached;
  private final AtomicLong left = new AtomicLong(MORE);

  /**
   * @param isReached whether the time limit is reached
   */
  public SamplingLimit(BooleanSupplier isReached) {
    this.isReached = isReached;
  }

  /** Returns whether nothing is sampled any more. */
  public boolean isExceeded() {
    return left.get() <= 0;
  }

  private void pass(int tasks) {
    if (isReached.getAsBoolean() && left.addAndGet(-tasks) <= 0) {
      throw new Exceeded();
    }
  }

  /** Returns a counter for one thread. */
  public Counter counter() {
    return new Counter();
  }

  /** Counts the tasks that one thread simulates. */
  public final class Counter {
    private int counted;

    /**
     * Counts tasks.
     *
     * @throws Exceeded if the present sample is not completed
     */
    public void count(int tasks) {
      counted += tasks;
      if (counted >= CHECKED) {
        int checked = counted;
        counted = 0;
        pass(checked);
      }
    }
  }

  /** Ends a sample that is not complete. */
  static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Exceeded() {
      super("sampling was ended by its limit", null, false, false);
    }
  }
}

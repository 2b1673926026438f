package io.elastune.planner.evaluate;

/**
 * How many plans of a re-plan are sampled, and how often. What is counted are tasks, and not the
 * time: equal requests have equal answers, and a large run does not wait long for one.
 *
 * @param tasks the tasks of a sample of the rest of a run
 */
public record SampleRoom(long tasks) {
  /** The most plans besides the present one. */
  public static final int MOST_PLANS = 8;

  private static final int LEAST_PLANS = 2;
  private static final int MOST_SAMPLES = 64;
  private static final int LEAST_SAMPLES = 8;

  /** The tasks of all samples of all plans, as far as these least numbers allow. */
  private static final long ROOM = 300_000;

  /** Returns the most plans besides the present one that are sampled. */
  public int plans() {
    return clamp(ROOM / (tasks * LEAST_SAMPLES) - 1, LEAST_PLANS, MOST_PLANS);
  }

  /** Returns the samples of each plan, a power of two. */
  public int samples() {
    return samples(MOST_SAMPLES, 1 + plans());
  }

  /**
   * Returns the samples of each of some plans, a power of two.
   *
   * @param most the most samples, a power of two
   */
  public int samples(int most, int plans) {
    int room = clamp(ROOM / (tasks * plans), Math.min(most, LEAST_SAMPLES), most);
    return Integer.highestOneBit(room);
  }

  private static int clamp(long number, int least, int most) {
    return (int) Math.max(least, Math.min(most, number));
  }
}

package io.elastune.planner;

import io.elastune.core.Check;

/**
 * How to search.
 *
 * @param kind which planner
 * @param samples samples of the plan's own estimate; one when nothing varies, fewer for jobs of
 *     thousands of trials; other plans are compared by an eighth of them
 * @param effort how many steps the exact search may take for one chain before it gives up; a step
 *     is about half a microsecond, and counting steps keeps the answer the same on every machine
 * @param threads on how many threads plans are sampled; the answer does not depend on it
 */
public record PlannerOptions(Kind kind, int samples, long effort, int threads) {
  /** The cheaper of greedy and exact, 4,000 samples, about a quarter of a second of search. */
  public static final PlannerOptions DEFAULT = new PlannerOptions(Kind.BEST, 4_000, 500_000);

  /** Which planner. */
  public enum Kind {
    GREEDY("greedy"),
    EXACT("exact"),
    /** The best static cluster. */
    STATIC("static"),
    /** The cheaper of greedy and exact. */
    BEST("best");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** The word used on the command line. */
    public String word() {
      return word;
    }
  }

  public PlannerOptions {
    Check.atLeast("samples", 1, samples);
    Check.atLeast("threads", 1, threads);
    Check.that(effort >= 0, "effort must be at least 0, not " + effort);
  }

  /** On one thread. */
  public PlannerOptions(Kind kind, int samples, long effort) {
    this(kind, samples, effort, 1);
  }

  /** The same options for another planner. */
  public PlannerOptions with(Kind other) {
    return new PlannerOptions(other, samples, effort, threads);
  }

  /** The same options on so many threads. */
  public PlannerOptions onThreads(int many) {
    return new PlannerOptions(kind, samples, effort, many);
  }
}

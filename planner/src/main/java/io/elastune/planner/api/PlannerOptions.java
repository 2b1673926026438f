package io.elastune.planner.api;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Word;
import io.elastune.core.job.Brackets;
import io.elastune.core.job.Search;

/**
 * Options of the planner.
 *
 * @param kind which planner
 * @param samples samples of the estimate of the chosen plan; one when nothing varies, fewer for
 *     jobs of thousands of trials; other plans are compared by an eighth of them
 * @param effort steps that the exact search may take for one chain before it stops; a step takes
 *     about half a microsecond, and counting steps gives the same result on every machine
 * @param threads threads on which plans are sampled; the result does not depend on it
 * @param brackets how several chains use instances
 */
public record PlannerOptions(Kind kind, int samples, long effort, int threads, Brackets brackets) {
  /** The cheaper of greedy and exact, 4,000 samples, about a quarter of a second of search. */
  public static final PlannerOptions DEFAULT = new PlannerOptions(Kind.BEST, 4_000, 500_000);

  /** Which planner. */
  public enum Kind implements Word {
    GREEDY,
    EXACT,
    /** The best static cluster. */
    STATIC,
    /** The cheaper of greedy and exact. */
    BEST
  }

  public PlannerOptions {
    Preconditions.atLeast("samples", 1, samples);
    Preconditions.atLeast("threads", 1, threads);
    Preconditions.that(effort >= 0, "effort must be at least 0, not " + effort);
  }

  /** Options for one thread. */
  public PlannerOptions(Kind kind, int samples, long effort) {
    this(kind, samples, effort, 1, Brackets.SEPARATE);
  }

  /** Returns these options for another planner. */
  public PlannerOptions withKind(Kind other) {
    return new PlannerOptions(other, samples, effort, threads, brackets);
  }

  /** Returns these options for so many threads. */
  public PlannerOptions withThreads(int many) {
    return new PlannerOptions(kind, samples, effort, many, brackets);
  }

  /** Returns these options for a search, whose brackets may share instances. */
  public PlannerOptions forSearch(Search search) {
    if (search.hasOpenBrackets()) {
      return withBrackets(Brackets.AUTO);
    }
    return withBrackets(search.hasSharedBrackets() ? Brackets.SHARED : Brackets.SEPARATE);
  }

  /** Returns these options for chains that use instances in another way. */
  public PlannerOptions withBrackets(Brackets other) {
    return new PlannerOptions(kind, samples, effort, threads, other);
  }
}

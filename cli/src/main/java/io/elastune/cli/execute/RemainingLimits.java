package io.elastune.cli.execute;

import io.elastune.core.job.Deadline;
import io.elastune.core.job.Job;
import io.elastune.core.plan.Limits;
import io.elastune.core.time.Seconds;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Tracks how much of the deadline and the budget is left before the plan starts. A relative
 * deadline counts from the start of the command, excluding time at prompts. Profiling counts.
 */
final class RemainingLimits {
  private final Instant start;
  private Duration waited = Duration.ZERO;
  private double profilingUsd;
  private Optional<String> profilingRun = Optional.empty();

  RemainingLimits(Instant start) {
    this.start = start;
  }

  void addPromptTime(Duration time) {
    waited = waited.plus(time);
  }

  void recordProfiling(String run, double usd) {
    profilingRun = Optional.of(run);
    profilingUsd += usd;
  }

  double profilingUsd() {
    return profilingUsd;
  }

  Optional<String> profilingRun() {
    return profilingRun;
  }

  /**
   * Returns the seconds left until the deadline at {@code now}; negative once the deadline has
   * passed.
   */
  OptionalDouble deadlineS(Job job, Instant now) {
    return job.deadline()
        .map(deadline -> OptionalDouble.of(left(deadline, now)))
        .orElse(OptionalDouble.empty());
  }

  /**
   * Returns the seconds from the start of a simulated run to its deadline. Real time that passes
   * while it is planned does not count, so that its result depends on the seed alone.
   */
  OptionalDouble virtualDeadlineS(Job job) {
    return deadlineS(job, start.plus(waited));
  }

  private double left(Deadline deadline, Instant now) {
    return deadline.match(
        within -> within.secondsFrom(now) - Seconds.of(Duration.between(start, now).minus(waited)),
        at -> at.secondsFrom(now));
  }

  /** Returns the remaining budget in USD; empty without a budget. */
  OptionalDouble budgetUsd(Job job) {
    return job.budget()
        .map(budget -> OptionalDouble.of(budget.usd() - profilingUsd))
        .orElse(OptionalDouble.empty());
  }

  /** Returns the limits for the plan of a simulated run. */
  Limits virtualLimits(Limits asked, Job job) {
    return asked.within(virtualDeadlineS(job), budgetUsd(job));
  }

  /** Returns the limits for a plan that starts at {@code now}. */
  Limits limits(Limits asked, Job job, Instant now) {
    return asked.within(deadlineS(job, now), budgetUsd(job));
  }
}

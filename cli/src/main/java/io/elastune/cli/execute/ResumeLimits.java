package io.elastune.cli.execute;

import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Budget;
import io.elastune.core.job.Deadline;
import io.elastune.core.job.Job;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.journal.ReplayedRun;
import io.elastune.executor.journal.RunMeta;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Determines the deadline and the budget of a resumed run: the previous ones, unless overridden. A
 * relative deadline counts from the run's first start. A budget covers the whole run, including all
 * its resumes.
 */
final class ResumeLimits {
  private final ReplayedRun past;
  private final Job job;
  private final Overrides given;

  /** {@code job}: with the overrides in {@code given} applied. */
  ResumeLimits(ReplayedRun past, Job job, Overrides given) {
    this.past = past;
    this.job = job;
    this.given = given;
  }

  /** Returns the run's definition with the new limits. */
  RunDefinition definition() {
    return past.definition().withLimits(budget(), budgetLeftUsd(), deadlineS());
  }

  private Optional<Budget> budget() {
    return given.budget().isPresent() ? job.budget() : past.definition().budget();
  }

  private OptionalDouble budgetLeftUsd() {
    return given.budget().isPresent()
        ? OptionalDouble.of(job.budget().orElseThrow().usd() - past.meta().profilingUsd())
        : past.state().budgetLeftUsd(past.definition());
  }

  private OptionalDouble deadlineS() {
    if (given.deadline().isEmpty()) {
      return past.definition().deadlineS();
    }
    Deadline deadline = job.deadline().orElseThrow();
    Instant began = past.state().began().orElse(past.state().now());
    return OptionalDouble.of(deadline.secondsFrom(began));
  }

  /** Returns the run's metadata with the new limits, for the journal. */
  RunMeta meta() {
    RunMeta meta = past.meta();
    return meta.withJob(
        JobFile.write(job),
        given.budget().isPresent()
            ? OptionalDouble.of(job.budget().orElseThrow().usd())
            : meta.budgetUsd());
  }
}

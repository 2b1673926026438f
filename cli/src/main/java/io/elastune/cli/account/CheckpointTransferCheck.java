package io.elastune.cli.account;

import io.elastune.cli.text.CheckpointTransfers;
import io.elastune.core.job.Job;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.TrialGroups;
import io.elastune.core.time.Durations;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.RefusalReason;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Warns if the controller's disk is too slow for the checkpoints of a job. Without a plan, only the
 * sum over all groups can be compared with the deadline.
 */
final class CheckpointTransferCheck {
  private CheckpointTransferCheck() {}

  /**
   * Returns what to change; empty if the transfers take at most the tolerated share of the
   * deadline, or if no checkpoint leaves its machine.
   *
   * @param places where the job may run
   */
  static Optional<CheckResult> of(Job job, List<String> places, Instant now) {
    Workload workload = TrialGroups.of(job.search());
    TrialGroup largest =
        workload.groups().stream().max(Comparator.comparingInt(TrialGroup::trials)).orElseThrow();
    double mostS = CheckpointTransfers.seconds(job.trial(), largest.trials());
    double totalS =
        workload.groups().stream()
            .mapToDouble(group -> CheckpointTransfers.seconds(job.trial(), group.trials()))
            .sum();
    return job.deadline()
        .filter(deadline -> job.search().limitsTrials())
        .map(deadline -> deadline.secondsFrom(now))
        .filter(limitS -> totalS > CheckpointTransfers.TOLERATED_SHARE * limitS)
        .filter(limitS -> !places.stream().allMatch("local"::equals))
        .map(
            limitS ->
                new CheckResult(
                    "checkpoints",
                    CheckResult.Outcome.OK,
                    "slow: up to %s at the end of group %s, %s in all groups"
                        .formatted(
                            Durations.format(mostS), largest.name(), Durations.format(totalS)),
                    CheckpointTransfers.reason(job.trial(), largest.trials()),
                    RefusalReason.INVALID));
  }
}

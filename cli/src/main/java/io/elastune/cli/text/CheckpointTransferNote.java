package io.elastune.cli.text;

import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.job.TrialSpec;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Durations;
import io.elastune.executor.decision.model.TrialDuration;
import java.util.Comparator;
import java.util.Optional;

/** Warns if the controller's disk is too slow for the checkpoints of a plan. */
final class CheckpointTransferNote {
  private final TrialSpec trial;
  private final Problem problem;
  private final Plan plan;

  CheckpointTransferNote(TrialSpec trial, Problem problem, Plan plan) {
    this.trial = trial;
    this.problem = problem;
    this.plan = plan;
  }

  private record Delay(
      TrialGroup group, int checkpoints, double sizeGb, double seconds, double groupS) {
    double share() {
      return seconds / groupS;
    }
  }

  /** Returns a note on the group that is delayed most; empty if none is delayed noticeably. */
  Optional<String> line() {
    return problem.workload().groups().stream()
        .flatMap(group -> delay(group).stream())
        .filter(delay -> delay.share() > CheckpointTransfers.TOLERATED_SHARE)
        .max(Comparator.comparingDouble(Delay::seconds))
        .map(this::text);
  }

  private Optional<Delay> delay(TrialGroup group) {
    Allocation allocation = plan.of(group);
    Optional<Offer> offer =
        problem
            .offer(allocation.offer())
            .filter(some -> !some.provider().equals("local") && !some.isSimulated());
    return offer
        .flatMap(problem::profile)
        .map(
            profile -> {
              TrialDuration one = TrialDuration.of(profile, allocation);
              int waves = SlotCounts.waves(offer.get(), allocation, group.trials());
              int last =
                  Math.min(group.trials(), SlotCounts.concurrentTrials(offer.get(), allocation));
              double trialS = one.startupS() + group.units() * one.unitS();
              double sizeGb = CheckpointTransfers.sizeGb(trial, profile);
              double seconds = CheckpointTransfers.seconds(trial, last, sizeGb);
              return new Delay(group, last, sizeGb, seconds, waves * trialS);
            });
  }

  private String text(Delay delay) {
    return "checkpoints: group %s may end up to %s later than predicted (%s): %s"
        .formatted(
            delay.group().name(),
            Durations.format(delay.seconds()),
            PercentFormat.share(delay.share()),
            CheckpointTransfers.reason(delay.checkpoints(), delay.sizeGb()));
  }
}

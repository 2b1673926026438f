package io.elastune.cli.text;

import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.job.CheckpointPolicy;
import io.elastune.core.job.TrialSpec;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Durations;
import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.executor.decision.model.TrialDuration;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Warns if the controller's disk is too slow for the checkpoints of a plan. A profile contains the
 * transfer of single checkpoints, as a part of the start-up. At the end of a group, those of all
 * running trials share the connection of the controller.
 */
final class CheckpointTransferNote {
  /** Measured from a node to the controller's disk. */
  private static final double GB_PER_S = 0.15;

  private static final double TOLERATED_SHARE = 0.05;

  private final TrialSpec trial;
  private final Problem problem;
  private final Plan plan;

  CheckpointTransferNote(TrialSpec trial, Problem problem, Plan plan) {
    this.trial = trial;
    this.problem = problem;
    this.plan = plan;
  }

  private record Delay(TrialGroup group, int checkpoints, double seconds, double groupS) {
    double share() {
      return seconds / groupS;
    }
  }

  /** Returns a note on the group that is delayed most; empty if none is by more than 5 %. */
  Optional<String> line() {
    CheckpointPolicy policy = trial.checkpoints();
    boolean copied =
        policy
            .store()
            .map(CheckpointLocation::new)
            .filter(store -> store.isBucket() || store.isShared())
            .isEmpty();
    return Optional.of(problem.workload().groups())
        .filter(groups -> copied && trial.resumable() && policy.sizeGb() > 0)
        .flatMap(this::longest)
        .map(delay -> text(delay, policy.sizeGb()));
  }

  private Optional<Delay> longest(List<TrialGroup> groups) {
    return groups.stream()
        .flatMap(group -> delay(group).stream())
        .filter(delay -> delay.share() > TOLERATED_SHARE)
        .max(Comparator.comparingDouble(Delay::seconds));
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
              return new Delay(
                  group,
                  last,
                  last * trial.checkpoints().sizeGb() / GB_PER_S,
                  waves * (one.startupS() + group.units() * one.unitS()));
            });
  }

  private static String text(Delay delay, double sizeGb) {
    return ("checkpoints: group %s may end up to %s later than predicted (%s): %d × %s GB go to the"
            + " controller's disk at 150 MB/s; set trial.checkpoint.store to a bucket or a shared"
            + " folder")
        .formatted(
            delay.group().name(),
            Durations.format(delay.seconds()),
            PercentFormat.share(delay.share()),
            delay.checkpoints(),
            BigDecimal.valueOf(sizeGb).stripTrailingZeros().toPlainString());
  }
}

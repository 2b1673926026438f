package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.ReplanReason.Cause;
import io.elastune.executor.decision.model.RunDefinition.Planning.RungChanges;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.Simulator;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Re-plans asynchronous searches (docs/searches.md, "Re-planning"). */
class ReplannedRungsTest {
  private static final int JOBS = Tier.runs("elastune.rehearsal.replannedRungs", 2, 20);
  private static final int SEEDS = 2;

  /** Whether a run was re-planned at the request for each cause. */
  private record Course(RehearsedRun run, Map<Cause, Integer> replanned) {}

  @ParameterizedTest
  @EnumSource(Variant.class)
  void violatesNoInvariant(Variant variant) {
    for (int seed = 1; seed <= JOBS; seed++) {
      for (RungChanges changes : RungChanges.values()) {
        double slower = seed % 2 == 0 ? 0.7 : 1.5;
        PlannedRandomJob job = RungFidelityTest.job(seed, variant);
        Rehearsal rehearsal = new Rehearsal(job(job, 1.3, slower, FaultRates.HEAVY, changes));
        for (int run = 1; run <= SEEDS; run++) {
          assertThat(rehearsal.run(run).violations())
              .as("%s %d, %s, seed %d", variant, seed, changes, run)
              .isEmpty();
        }
      }
    }
  }

  @Test
  void meetsMoreDeadlines() {
    int more = 0;
    for (int seed = 1; seed <= 2 * JOBS; seed++) {
      PlannedRandomJob job = RungFidelityTest.job(seed, Variant.PROMOTION);
      more +=
          ReplannedRehearsalTest.moreDeadlinesMet(
              job(job, 1.3, 1.5, FaultRates.NONE, RungChanges.SIZES), SEEDS);
    }
    assertThat(more).isGreaterThan(JOBS * SEEDS / 4);
  }

  /** With time to spare, the last tasks move to fewer instances where that is cheaper. */
  @Test
  void movesTheLastTasksToFewerInstances() {
    int moved = 0;
    double usd = 0;
    double usdWithoutMoves = 0;
    for (int seed = 1; seed <= 4 * JOBS; seed++) {
      PlannedRandomJob job = RungFidelityTest.job(seed, Variant.PROMOTION);
      Course moving = course(job(job, 3, 1, FaultRates.NONE, RungChanges.PLACES), seed);
      assertThat(moving.run().violations()).as("job %d", seed).isEmpty();
      if (moving.replanned().containsKey(Cause.MOVABLE)) {
        moved++;
        usd += moving.run().costUsd();
        usdWithoutMoves +=
            course(job(job, 3, 1, FaultRates.NONE, RungChanges.SIZES), seed).run().costUsd();
      }
    }
    assertThat(moved).isPositive();
    assertThat(usd).isLessThan(usdWithoutMoves);
  }

  /** The same seed gives the same run, although controllers are killed and plans change. */
  @Test
  void repeatsARunExactly() {
    PlannedRandomJob job = RungFidelityTest.job(3, Variant.PROMOTION);
    Rehearsal rehearsal = new Rehearsal(job(job, 1.3, 1.5, FaultRates.HEAVY, RungChanges.PLACES));

    assertThat(rehearsal.run(5)).isEqualTo(rehearsal.run(5));
  }

  private static Course course(RehearsedJob job, long seed) {
    Map<Cause, Integer> replanned = new EnumMap<>(Cause.class);
    Cause[] asked = {Cause.RESUMED};
    RehearsedRun run =
        new Rehearsal(
                job,
                known -> {
                  RunCore core = new RunCore(known);
                  return (state, event) -> {
                    StepResult result = core.step(state, event);
                    for (JournalNote note : result.notes()) {
                      if (note instanceof JournalNote.Decision decision
                          && decision.kind() == DecisionKind.REPLAN) {
                        replanned.merge(asked[0], 1, Integer::sum);
                      }
                    }
                    for (Command command : result.commands()) {
                      if (command instanceof Command.Replan replan) {
                        asked[0] = replan.reason().cause();
                      }
                    }
                    return result;
                  };
                })
            .run(seed);
    return new Course(run, replanned);
  }

  private static RehearsedJob job(
      PlannedRandomJob job,
      double deadline,
      double slower,
      FaultRates faultRates,
      RungChanges changes) {
    Estimate estimate = new Simulator(job.problem(), 200).simulate(job.plan());
    return job.replanned(
        deadline * estimate.completionS().mean(),
        3 * estimate.costUsd().mean(),
        slower,
        faultRates,
        changes);
  }
}

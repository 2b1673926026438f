package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.simulation.AttemptBehavior;
import io.elastune.executor.simulation.AttemptScript;
import io.elastune.executor.simulation.FaultKind;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.FaultRatesBuilder;
import io.elastune.executor.simulation.SimulatedEnvironment;
import io.elastune.executor.simulation.TrainingModel;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Tests the effect of preemption notices. Trials save only at their end, or on a stop request. */
class PreemptionTest {
  private static final int JOBS = 12;
  private static final double PREEMPTED_EVERY_S = 2000;
  private static final double NOTICE_S = 30;

  /** Trains one unit in ten seconds, and counts the trained units. */
  private static final class CountingTraining implements TrainingModel {
    private int units;

    @Override
    public AttemptScript script(AttemptSpec attempt, Offer offer) {
      return new AttemptScript(1, 10, 5, 0, AttemptBehavior.NORMAL);
    }

    @Override
    public Map<String, Double> metrics(int trial, int unit) {
      units++;
      return Map.of("acc", trial / 100.0);
    }
  }

  @Test
  void noticePreventsRepeatedUnits() {
    int preempted = 0;
    int planned = 0;
    int withNotice = 0;
    int without = 0;
    for (int job = 1; job <= JOBS; job++) {
      RandomRehearsals.PlannedRandomJob some = RandomRehearsals.of(job);
      int units =
          some.problem().workload().groups().stream().mapToInt(PreemptionTest::unitsOf).sum();
      CountingTraining notified = new CountingTraining();
      RehearsedRun run = play(some, job, NOTICE_S, notified);
      assertThat(run.violations()).as("job %d", job).isEmpty();
      CountingTraining unnotified = new CountingTraining();
      RehearsedRun other = play(some, job, 0, unnotified);
      assertThat(other.violations()).as("job %d", job).isEmpty();
      if (run.exit() == 0 && other.exit() == 0) {
        preempted += run.faultCounts().getOrDefault(FaultKind.PREEMPTED, 0);
        planned += units;
        withNotice += notified.units;
        without += unnotified.units;
      }
    }
    assertThat(preempted).isPositive();
    assertThat(withNotice).isEqualTo(planned);
    assertThat(without).isGreaterThan(planned);
  }

  private static int unitsOf(TrialGroup group) {
    return group.trials() * group.units();
  }

  private static RehearsedRun play(
      RandomRehearsals.PlannedRandomJob some,
      long seed,
      double noticeS,
      TrainingModel trainingModel) {
    FaultRates faultRates =
        FaultRatesBuilder.builder(FaultRates.NONE)
            .preemptMeanS(PREEMPTED_EVERY_S)
            .noticeS(noticeS)
            .build();
    return new Rehearsal(
            some.rehearsed(OptionalDouble.empty(), faultRates),
            (one, state) -> new SimulatedEnvironment(one, faultRates, trainingModel))
        .run(seed);
  }
}

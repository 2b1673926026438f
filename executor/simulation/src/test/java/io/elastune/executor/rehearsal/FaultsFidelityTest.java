package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares executed with predicted results of all kinds of jobs with lost instances and failed
 * trials. {@code -Delastune.fidelity.faults=15} compares 15 jobs of each kind.
 */
class FaultsFidelityTest {
  private static final int JOBS = Tier.runs("elastune.fidelity.faults", 1, 4);
  private static final IndependentDraws DRAWS =
      IndependentDraws.of(Tier.runs(1_000, 10_000), Tier.runs(30, 400));

  static List<String> kinds() {
    return JobKinds.names();
  }

  /** At the rates of {@code rehearse --faults normal}, which are the shipped ones. */
  @ParameterizedTest
  @MethodSource("kinds")
  void independentDrawsConfirmThePredictionWithNormalFaults(String kind) {
    compare(
        kind, "normal", job -> new PlannedRandomJob(job.problem().withDefaultFaults(), job.plan()));
  }

  /** With so many faults that they decide about the result. */
  @ParameterizedTest
  @MethodSource("kinds")
  void independentDrawsConfirmThePredictionWithManyFaults(String kind) {
    compare(kind, "many", FaultyJobs::of);
  }

  private static void compare(String kind, String faults, UnaryOperator<PlannedRandomJob> faulty) {
    String what = "of kind '" + kind + "' with " + faults + " faults";
    assertThat(DRAWS.off(what, JOBS, seed -> faulty.apply(JobKinds.of(kind, seed)))).isEmpty();
  }
}

package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Straggler;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests instances of different speed against values computed by hand. */
class InstanceSpreadTest {
  private static final int SAMPLES = 100_000;

  /** Half of the instances take three times as long: factors ½ and 3/2, equally likely. */
  private static final Straggler EVERY_OTHER = new Straggler(0.5, 3);

  @Test
  void slownessAffectsAllTrialsOnAnInstance() {
    double[] completion = completions(group(2), "1×1", 5, EVERY_OTHER);

    // Two trials on one instance: 5 s of start-up, and 30 s times the same factor for both.
    assertThat(Arrays.stream(completion).distinct().sorted().toArray())
        .containsExactly(new double[] {5 + 15, 5 + 45}, within(1e-9));
    assertThat(mean(completion)).isCloseTo(35, within(0.2));
  }

  @Test
  void slownessPersistsAcrossGroups() {
    Chain chain =
        new Chain("", List.of(new TrialGroup("1", 1, 0, 1), new TrialGroup("2", 1, 1, 3)));
    double[] kept = completions(chain, "1×1 1×1", 0, EVERY_OTHER);

    assertThat(Arrays.stream(kept).distinct().sorted().toArray())
        .containsExactly(new double[] {45, 135}, within(1e-9));
  }

  @Test
  void laterInstancesDrawTheirOwnSlowness() {
    Chain chain =
        new Chain("", List.of(new TrialGroup("1", 4, 0, 1), new TrialGroup("2", 8, 1, 2)));
    double[] grown = completions(chain, "1×1 2×1", 0, EVERY_OTHER);

    // The second group waits for the slower of the two.
    assertThat(Arrays.stream(grown).distinct().sorted().toArray())
        .containsExactly(new double[] {15 + 15, 15 + 45, 45 + 45}, within(1e-9));
  }

  @Test
  void teamsRunAtTheSpeedOfTheSlowestMember() {
    double[] completion = completions(group(1), "2×8", 0, EVERY_OTHER);
    double workS = 30 / 5.598;

    assertThat(Arrays.stream(completion).distinct().sorted().toArray())
        .containsExactly(new double[] {workS / 2, workS * 3 / 2}, within(1e-9));
    assertThat(mean(completion)).isCloseTo(workS * (0.25 * 0.5 + 0.75 * 1.5), within(0.03));
  }

  @Test
  void fasterInstancesRunMoreTrials() {
    // Four slots each, 16 trials. With one fast and one slow instance, the fast one runs
    // three waves and the slow one runs one: 45 s. Two fast instances take 30 s, two slow ones
    // 90 s.
    double[] completion = completions(group(16), "2×1", 0, EVERY_OTHER);

    assertThat(Arrays.stream(completion).distinct().sorted().toArray())
        .containsExactly(new double[] {30, 45, 90}, within(1e-9));
    assertThat(mean(completion)).isCloseTo((30 + 2 * 45 + 90) / 4.0, within(0.3));
  }

  /** The worked example of docs/model.md. */
  @Test
  void trialsThatContinueStayWhereTheyRan() {
    Chain chain =
        new Chain("", List.of(new TrialGroup("1", 16, 0, 1), new TrialGroup("2", 1, 1, 2)));
    double[] completion = completions(chain, "2×1 2×1", 0, EVERY_OTHER);

    assertThat(Arrays.stream(completion).distinct().sorted().toArray())
        .containsExactly(new double[] {45, 60, 90, 135}, within(1e-9));
    assertThat(share(completion, 60)).isCloseTo(0.5 * 0.75, within(0.007));
    assertThat(share(completion, 90)).isCloseTo(0.5 * 0.25, within(0.005));
    assertThat(mean(completion)).isCloseTo(78.75, within(0.5));
  }

  /** Of two teams of two instances, the faster one runs three of four trials. */
  @Test
  void trialsThatContinueStayOnInstancesOfTheirTeam() {
    Chain chain =
        new Chain("", List.of(new TrialGroup("1", 4, 0, 1), new TrialGroup("2", 1, 1, 2)));
    double[] completion = completions(chain, "4×8 4×1", 0, EVERY_OTHER);
    double slowTeamS = 30 / 5.598 * 3 / 2;

    // One of the teams is fast with probability 3/8. The trial ran on it with probability 3/4.
    // Otherwise the lowest instance of the other team is a fast one with probability 1/3.
    assertThat(share(completion, slowTeamS + 15)).isCloseTo(3 / 8.0 * 10 / 12, within(0.006));
    assertThat(share(completion, slowTeamS + 45)).isCloseTo(3 / 8.0 * 2 / 12, within(0.005));
  }

  @Test
  void slownessIncreasesCost() {
    Estimate estimate =
        new Simulator(problem(group(4), 5, 0.3, Straggler.NONE), SAMPLES)
            .simulate(WorkedExample.plan("1×1", false));

    assertThat(estimate.costUsd().mean()).isCloseTo(35 * 12.24 / 3600, within(4e-4));
    assertThat(estimate.costBy().idle()).isCloseTo(0, within(1e-5));
    assertThat(estimate.completionS().mean()).isCloseTo(35, within(0.1));
  }

  @Test
  void constantSpeedGivesBitIdenticalResults() {
    Problem plain = WorkedExample.problem(0.05, 0.10, 0.4);
    Problem same =
        WorkedExample.problem(
            List.of(WorkedExample.chain()),
            List.of(WorkedExample.offer(0.4)),
            WorkedExample.with(
                WorkedExample.profile(0.05, 0.10),
                Straggler.NONE,
                List.of(),
                0,
                new Straggler(1, 4)));

    assertThat(new Simulator(same, 50).simulate(WorkedExample.plan("4×1 2×1 2×2 2×4", false)))
        .isEqualTo(new Simulator(plain, 50).simulate(WorkedExample.plan("4×1 2×1 2×2 2×4", false)));
  }

  private static Chain group(int trials) {
    return new Chain("", List.of(new TrialGroup("1", trials, 0, 1)));
  }

  private static double[] completions(
      Chain chain, String sizes, double startupS, Straggler straggler) {
    return new Simulator(problem(chain, startupS, 0, straggler), SAMPLES)
        .sample(WorkedExample.plan(sizes, false))
        .completionS();
  }

  private static Problem problem(Chain chain, double startupS, double cv, Straggler straggler) {
    BillingTerms exact = new BillingTerms(BillingTerms.Per.INSTANCE, 1e-3, 0, 0);
    Offer offer = WorkedExample.offer("p3.8xlarge", "V100", 4, exact, Spread.NONE, Spread.NONE);
    Profile plain =
        WorkedExample.profile(
            "V100", Map.of(1, 30.0, 8, 30 / 5.598), Map.of(), Spread.exactly(startupS), 0, 0);
    return WorkedExample.problem(
        List.of(chain),
        List.of(offer),
        WorkedExample.with(plain, Straggler.NONE, List.of(), cv, straggler));
  }

  private static double share(double[] values, double value) {
    return Arrays.stream(values).filter(v -> Math.abs(v - value) < 1e-9).count()
        / (double) values.length;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }
}

package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.TraceEvent;
import io.elastune.simulator.sample.JointSamples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The worked examples of docs/model.md, "Programs that wait". */
class KeepAliveTest {
  private static final int SAMPLES = 20_000;

  @ParameterizedTest
  @CsvSource({
    // All slots are kept, and each trial has one.
    "421, 1×1 1×1 1×1, 175.000, 0.5440",
    // The only trial has the whole instance.
    "111, 1×4 1×4 1×4, 111.308, 0.3298",
    // The GPUs of the later groups are others.
    "421, 1×1 1×2 1×4, 159.812, 0.4930",
  })
  void startUpOncePerMove(String trials, String sizes, String seconds, String usd) {
    JointSamples samples = new Simulator(problem(trials, true), 100).sample(plan(sizes));

    assertThat(digits(3, Arrays.stream(samples.completionS()).min().orElseThrow()))
        .isEqualTo(seconds);
    assertThat(digits(3, Arrays.stream(samples.completionS()).max().orElseThrow()))
        .isEqualTo(seconds);
    assertThat(digits(4, Arrays.stream(samples.costUsd()).max().orElseThrow())).isEqualTo(usd);
  }

  /** Both trials of the second group ran on the instance that is kept in 6 of 28 cases. */
  @Test
  void trialsThatMoveStartAgain() {
    double[] completionS =
        new Simulator(problem("82", true), SAMPLES).sample(plan("2×1 1×1")).completionS();

    assertThat(Arrays.stream(completionS).distinct().sorted().toArray())
        .containsExactly(new double[] {145, 155}, within(1e-9));
    assertThat(Arrays.stream(completionS).average().orElseThrow())
        .isCloseTo(155 - 10 * 6 / 28.0, within(0.1));
  }

  /** Of four trials, two after two on two slots, the last ones wait: one of two continues. */
  @Test
  void onlyTheLastTrialOnItsGpusWaits() {
    double[] completionS =
        new Simulator(problem("41", true), SAMPLES).sample(plan("1×2 1×2")).completionS();

    assertThat(Arrays.stream(completionS).average().orElseThrow())
        .isCloseTo(75 + 2 * (10 + 30 / 1.87) + 30 / 1.87 + 5, within(0.1));
  }

  @Test
  void withoutKeepAliveNothingChanges() {
    Problem problem = problem("82", false);

    assertThat(new Simulator(problem, 100).sample(plan("2×1 1×1")).completionS())
        .containsExactly(new double[] {155}, within(1e-9));
  }

  @Test
  void graphAndCausesOmitTheStartUp() {
    Problem problem = problem("42", true);
    Plan plan = plan("1×1 1×1");

    assertThat(Simulator.dagAtMeans(problem, plan).longestPathS()).isCloseTo(145, within(1e-9));
    Contributions contributions = Contributions.of(problem, plan);
    assertThat(contributions.byGroup())
        .extracting(Contributions.GroupTime::startupS)
        .containsExactly(10.0, 0.0);
    assertThat(contributions.completionS()).isCloseTo(145, within(1e-9));
    assertThat(new Simulator(problem, 1).trace(plan))
        .filteredOn(event -> event.kind() == TraceEvent.Kind.END)
        .extracting(TraceEvent::atS)
        .endsWith(145.0);
  }

  /** A group that requests instances waits for them after the barrier. */
  @Test
  void graphHasTheBootsOfLaterGroups() {
    Problem problem = problem("44", true);
    Plan plan = plan("1×1 2×2");
    Contributions contributions = Contributions.of(problem, plan);

    assertThat(Simulator.dagAtMeans(problem, plan).longestPathS())
        .isCloseTo(new Simulator(problem, 1).simulate(plan).completionS().mean(), within(1e-6));
    assertThat(
            contributions.byGroup().stream()
                .mapToDouble(it -> it.queueS() + it.bootS() + it.startupS() + it.trainingS())
                .sum())
        .isCloseTo(contributions.completionS(), within(1e-6));
  }

  /**
   * Returns the job with groups of one unit.
   *
   * @param trials a digit for each group
   */
  private static Problem problem(String trials, boolean waits) {
    List<TrialGroup> groups = new ArrayList<>();
    for (int count : trials.chars().map(digit -> digit - '0').toArray()) {
      int from = groups.size();
      groups.add(new TrialGroup(Integer.toString(from + 1), count, from, from + 1));
    }
    return WorkedExample.problem(0, 0, 0)
        .withWorkload(new Workload(List.of(new Chain("", groups))))
        .withKeepAlive(waits);
  }

  private static Plan plan(String sizes) {
    return WorkedExample.plan(sizes, false);
  }

  private static String digits(int decimals, double value) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}

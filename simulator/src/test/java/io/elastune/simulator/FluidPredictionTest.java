package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.allocation.IllegalPlanException;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.FluidOptions;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.TraceEvent;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Checks the predictions of Fluid against the example of docs/searches.md. */
class FluidPredictionTest {
  private static final Map<Integer, Double> SECONDS =
      Map.of(1, 30.0, 2, 30.0 / 1.870, 4, 30.0 / 3.421, 8, 30.0 / 5.598);
  private static final Plan TWO = WorkedExample.plan("2×1 2×1 2×1 2×1", true);

  @Test
  void matchesTheExample() {
    Estimate estimate = simulate(problem(0, 0), 1);

    assertThat(
            estimate.groups().stream()
                .map(group -> digits(3, group.endS().mean()))
                .collect(Collectors.joining(" ")))
        .isEqualTo("133.000 173.000 215.086 260.163");
    assertThat(digits(3, estimate.completionS().mean())).isEqualTo("260.163");
    assertThat(digits(4, estimate.costUsd().mean())).isEqualTo("1.6728");
  }

  /** Two instances in use for one attempt after the other: their GPU time is what trials use. */
  @Test
  void attributesTheWholeCost() {
    Estimate estimate = simulate(problem(0.2, 0.1), 100);

    double groups = estimate.groups().stream().mapToDouble(group -> group.costUsd().mean()).sum();
    assertThat(groups).isCloseTo(estimate.costUsd().mean(), within(1e-9));
    assertThat(estimate.costBy().compute()).isPositive();
    assertThat(estimate.costBy().idle()).isPositive();
  }

  @Test
  void widensTheLastTrialsIfTrialsDiffer() {
    Problem dynamic = problem(0.5, 0);
    Problem fixed =
        dynamic.withCluster(new FixedCluster(2, FluidOptions.DEFAULT.withoutResizing()));

    assertThat(simulate(dynamic, 200).completionS().mean())
        .isLessThan(simulate(fixed, 200).completionS().mean());
  }

  /**
   * Two trials on four GPUs, of which the profile expects one to take four times as long: shares of
   * 3.2 and 0.8 GPUs instead of 2 each.
   */
  @Test
  void firstWidthsConsiderTheHyperparameters() {
    Profile profile =
        WorkedExample.profile("V100", SECONDS, Map.of(), Spread.exactly(10), 0, 0)
            .withConfigurations(
                new ConfigurationEffect(
                    List.of(
                        new ConfigurationEffect.Term(
                            "width", Optional.empty(), true, 0, Math.log(4), 1)),
                    1,
                    0,
                    0.9,
                    20,
                    List.of()));
    List<Map<String, Object>> trials = List.of(Map.of("width", 4), Map.of("width", 1));

    assertThat(firstWidths(profile)).containsExactly(2, 2);
    assertThat(firstWidths(profile.forTrials(trials))).containsExactly(3, 1);
    assertThat(firstWidths(profile.forTrials(List.of(trials.get(1), trials.get(0)))))
        .containsExactly(1, 3);
  }

  /** Returns the GPUs with which trials 1 and 2 start. */
  private static List<Integer> firstWidths(Profile profile) {
    Problem problem =
        WorkedExample.problem(
                List.of(new Chain("", List.of(new TrialGroup("1", 2, 0, 8)))),
                List.of(WorkedExample.offer(0)),
                profile)
            .withCluster(new FixedCluster(1, FluidOptions.DEFAULT));
    return new Simulator(problem, 1)
        .trace(WorkedExample.plan("1×1", true)).stream()
            .filter(event -> event.kind() == TraceEvent.Kind.START)
            .flatMap(event -> event.task().stream())
            .limit(2)
            .sorted(Comparator.comparingInt(TraceEvent.Task::trial))
            .map(TraceEvent.Task::gpus)
            .toList();
  }

  @Test
  void staysTheSameWithSeveralThreads() {
    Problem problem = problem(0.2, 0.1);

    assertThat(new Simulator(problem, 300, 3).simulate(TWO)).isEqualTo(simulate(problem, 300));
  }

  @Test
  void agreesWithListSchedulingIfTrialsFillTheCluster() {
    Profile profile =
        WorkedExample.profile("V100", Map.of(1, 30.0), Map.of(), Spread.exactly(10), 0.05, 0.1);
    Problem list =
        WorkedExample.problem(
            List.of(WorkedExample.chain()), List.of(WorkedExample.offer(0.4)), profile);

    assertThat(
            simulate(list.withCluster(new FixedCluster(2, FluidOptions.DEFAULT)), 300)
                .completionS()
                .mean())
        .isCloseTo(simulate(list, 300).completionS().mean(), Percentage.withPercentage(1));
  }

  /** The first group has sixteen trials of which two share each GPU. */
  @Test
  void tracesWhatHappens() {
    Problem problem = problem(0, 0);
    List<TraceEvent> events = new Simulator(problem, 1).trace(TWO);

    List<TraceEvent.Task> starts =
        events.stream()
            .filter(event -> event.kind() == TraceEvent.Kind.START)
            .flatMap(event -> event.task().stream())
            .toList();
    assertThat(starts.stream().filter(task -> task.group().equals("1")))
        .hasSize(16)
        .allMatch(task -> task.trialsPerGpu() == 2 && task.from() == 0 && task.to() == 1);
    assertThat(starts.stream().filter(task -> task.group().equals("4")))
        .isNotEmpty()
        .allMatch(task -> task.gpus() == 4);
    TraceEvent last = events.get(events.size() - 1);
    assertThat(last.kind()).isEqualTo(TraceEvent.Kind.FINISHED);
    assertThat(digits(3, last.atS())).isEqualTo("260.163");
  }

  @Test
  void refusesAClusterThatIsNotFixed() {
    Simulator simulator = new Simulator(problem(0, 0), 1);

    assertThatThrownBy(() -> simulator.simulate(WorkedExample.plan("2×1 2×1 1×1 1×1", false)))
        .isInstanceOf(IllegalPlanException.class)
        .hasMessageContaining("because the cluster is fixed");
  }

  private static Problem problem(double trialCv, double bootCv) {
    Profile profile =
        WorkedExample.profile("V100", SECONDS, Map.of(2, 48.0), Spread.exactly(10), trialCv, 0);
    return WorkedExample.problem(
            List.of(WorkedExample.chain()), List.of(WorkedExample.offer(bootCv)), profile)
        .withCluster(new FixedCluster(2, FluidOptions.DEFAULT));
  }

  private static Estimate simulate(Problem problem, int samples) {
    return new Simulator(problem, samples).simulate(TWO);
  }

  private static String digits(int decimals, double value) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}

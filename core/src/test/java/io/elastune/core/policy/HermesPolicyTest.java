package io.elastune.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks the worked examples and properties of docs/searches.md, "Hermes". */
class HermesPolicyTest {
  private static final double EXACT = 1e-9;
  private static final int SLICE = 2;

  /**
   * Trials of two units per second, so that a slice takes one second.
   *
   * @param rates by trial, how fast its loss falls
   */
  private record Curves(List<Double> rates, double checkpointS, double startupS)
      implements GroupTimeline.Model {
    @Override
    public double startupS(int trial, boolean isFirst) {
      return isFirst ? 0 : startupS;
    }

    @Override
    public double unitS(int trial, Width width, int instance) {
      return 0.5;
    }

    @Override
    public double checkpointS(int trial) {
      return checkpointS;
    }

    @Override
    public double pace(int trial, boolean hasReported) {
      return 1;
    }

    @Override
    public double loss(int trial, int unit) {
      return Math.pow(1 - rates.get(trial - 1), unit);
    }
  }

  private static HermesPolicy policy(int jobsPerGpu) {
    return new HermesPolicy(new HermesRule(jobsPerGpu, SLICE, true));
  }

  private static PolicyTimeline<HermesState> play(
      int jobsPerGpu, int gpus, int slices, Curves curves) {
    PolicyTimeline<HermesState> timeline =
        new PolicyTimeline<>(policy(jobsPerGpu), gpus, new double[] {0});
    timeline.run("1", Collections.nCopies(curves.rates().size(), slices * SLICE), 0, curves);
    return timeline;
  }

  @Test
  void placesArrivalsOnTheGpusWithTheFewestTrials() {
    TreeMap<Integer, HermesState.Gpu> placed = new TreeMap<>();
    placed.put(1, new HermesState.Gpu(0, 0));
    placed.put(2, new HermesState.Gpu(0, 0));
    placed.put(3, new HermesState.Gpu(0, 2));
    List<PolicyView.Task> waiting =
        IntStream.rangeClosed(1, 10).mapToObj(i -> new PolicyView.Task(i, 4, 1)).toList();
    PolicyView view =
        new PolicyView("1", List.of(new PolicyView.Instance(0, 3, false)), waiting, List.of());

    Map<Integer, HermesState.Gpu> after =
        policy(3)
            .assign(new HermesState("1", TrialMap.copyOf(placed), TrialMap.empty()), view)
            .state()
            .gpus();

    List<Integer> gpus =
        IntStream.rangeClosed(4, 9).mapToObj(trial -> after.get(trial).gpu() + 1).toList();
    assertThat(gpus).containsExactly(2, 2, 3, 1, 2, 3);
    assertThat(after).doesNotContainKey(10);
  }

  @Test
  void endsTheFastestTrialFirst() {
    List<Double> rates = new ArrayList<>(Collections.nCopies(8, 0.001));
    rates.set(5, 0.01);

    assertThat(play(8, 1, 20, new Curves(rates, 0, 0)).endS().get(6)).isCloseTo(27, within(EXACT));
  }

  @Test
  void endsTheFastestTrialAfterTheFirstSlicesOfTheOthers() {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      int trials = 1 + random.nextInt(10);
      int slices = 1 + random.nextInt(20);
      int fastest = random.nextInt(trials);
      List<Double> rates =
          IntStream.range(0, trials).mapToObj(i -> i == fastest ? 0.01 : 1e-6 * i).toList();
      Map<Integer, Double> ends = play(trials, 1, slices, new Curves(rates, 0, 0)).endS();

      double expected = slices == 1 ? fastest + 1 : trials - 1.0 + slices;
      assertThat(ends.get(fastest + 1)).isCloseTo(expected, within(EXACT));
    }
  }

  @Test
  void alternatesBetweenEqualTrials() {
    List<Double> rates = Collections.nCopies(8, 0.01);

    PolicyTimeline<HermesState> free = play(8, 1, 20, new Curves(rates, 0, 0));
    double mean = mean(free);
    assertThat(mean).isCloseTo(156.5, within(EXACT));
    PolicyTimeline<HermesState> costly = play(8, 1, 20, new Curves(rates, 0.02, 0.03));
    assertThat(mean(costly)).isBetween(mean, mean + costly.preemptions() * 0.05);
  }

  /** With one trial per GPU, trials run one after another: (N + 1)/2 · S slices on average. */
  @Test
  void runsTrialsInTurnIfAGpuHasOne() {
    PolicyTimeline<HermesState> played =
        play(1, 1, 20, new Curves(Collections.nCopies(8, 0.01), 0, 0));

    assertThat(mean(played)).isCloseTo(90, within(EXACT));
    assertThat(played.preemptions()).isZero();
  }

  private static double mean(PolicyTimeline<HermesState> played) {
    return played.endS().values().stream().mapToDouble(i -> i).average().orElseThrow();
  }

  @Test
  void startsEveryTrialAndWastesNoTime() {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      int gpus = 1 + random.nextInt(4);
      int trials = 1 + random.nextInt(15);
      int slices = 1 + random.nextInt(6);
      List<Double> rates = random.doubles(trials, 0, 0.1).boxed().toList();
      PolicyTimeline<HermesState> played =
          play(1 + random.nextInt(4), gpus, slices, new Curves(rates, 0, 0));

      assertThat(played.endS()).hasSize(trials);
      assertThat(played.busyS(0) * gpus).isCloseTo((double) trials * slices, within(1e-6));
    }
  }

  @Test
  void ranksTrialsWithoutAMetricLast() {
    Convergence convergence = new Convergence(new HermesRule(3, SLICE, true));

    assertThat(convergence.of(task(report(1, 4), report(2, 3)))).isEqualTo((4 - 3) / (1 * 4.0));
    assertThat(convergence.of(task(report(1, 4)))).isInfinite().isPositive();
    assertThat(convergence.of(task(report(1, 4), report(2, Double.NaN)))).isInfinite().isNegative();
    assertThat(convergence.of(task(report(1, 4), report(2, 3), report(3, 1))))
        .isEqualTo((4 - 3) / (1 * 4.0));
    assertThat(convergence.of(task(report(1, 0), report(2, -1)))).isEqualTo(1);
    assertThat(
            new Convergence(new HermesRule(3, SLICE, false))
                .of(task(report(1, -4), report(2, -5), report(4, -9))))
        .isEqualTo(4 / 2.0);
  }

  private static PolicyView.Report report(int unit, double loss) {
    return new PolicyView.Report(unit, loss, unit);
  }

  private static PolicyView.Task task(PolicyView.Report... reports) {
    return new PolicyView.Task(1, 10, 1, List.of(reports));
  }
}

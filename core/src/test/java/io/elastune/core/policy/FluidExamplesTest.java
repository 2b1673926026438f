package io.elastune.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks the worked examples of docs/searches.md, "Fluid". */
class FluidExamplesTest {
  private static final double EXACT = 1e-9;
  private static final double NO_COST = 0;
  private static final double PROHIBITIVE = 1e6;

  private double alpha = 1;
  private double beta = 1;

  /** One instance with all GPUs; units that end at the times at which widths change. */
  private record Case(
      int gpus, int share, int largest, List<Integer> units, List<Double> heightsS) {}

  @Test
  void dividesGpusByTheTrainingThatIsLeft() {
    Case one = new Case(5, 2, 4, List.of(30, 12, 4, 4), List.of(30.0, 12.0, 4.0, 4.0));

    assertThat(widths(one)).isEqualTo("3 1 1/2 1/2");
    assertThat(makespan(one, false, NO_COST)).isCloseTo(12, within(EXACT));
    assertThat(makespan(one, true, NO_COST)).isCloseTo(10.5, within(EXACT));
    assertThat(makespan(one, true, 1.25)).isCloseTo(11.75, within(EXACT));
    assertThat(makespan(one, true, 1.5)).isCloseTo(12, within(EXACT));
    assertThat(makespan(one, true, PROHIBITIVE)).isCloseTo(12, within(EXACT));
  }

  @Test
  void neverExceedsTheLargestWidth() {
    Case three = new Case(5, 2, 3, List.of(30, 12, 4, 4), List.of(30.0, 12.0, 4.0, 4.0));

    assertThat(makespan(three, true, NO_COST)).isCloseTo(10 + 2.0 / 3, within(EXACT));
  }

  @Test
  void givesEqualTrialsEqualWidths() {
    Case equal = new Case(8, 2, 4, List.of(10, 10, 10), List.of(10.0, 10.0, 10.0));

    assertThat(widths(equal)).isEqualTo("2 2 2");
    assertThat(makespan(equal, false, NO_COST)).isCloseTo(5, within(EXACT));
    assertThat(makespan(equal, true, NO_COST)).isCloseTo(5, within(EXACT));
  }

  @Test
  void widensSeveralTrialsAtOnce() {
    Case several = new Case(8, 2, 4, List.of(30, 20, 20), List.of(30.0, 10.0, 10.0));

    assertThat(widths(several)).isEqualTo("4 1 1");
    assertThat(makespan(several, false, NO_COST)).isCloseTo(10, within(EXACT));
    assertThat(makespan(several, true, NO_COST)).isCloseTo(8.125, within(EXACT));
  }

  @Test
  void cannotHelpOneLongTrial() {
    Case longest = new Case(8, 2, 4, List.of(100, 1, 1), List.of(100.0, 1.0, 1.0));

    assertThat(widths(longest)).isEqualTo("4 1/2 1/2");
    assertThat(makespan(longest, false, NO_COST)).isCloseTo(25, within(EXACT));
    assertThat(makespan(longest, true, NO_COST)).isCloseTo(25, within(EXACT));
  }

  @Test
  void packsManyTrials() {
    Case many =
        new Case(4, 2, 4, List.of(10, 10, 10, 10, 10, 10, 10, 10), Collections.nCopies(8, 10.0));

    assertThat(widths(many)).isEqualTo("1/2 1/2 1/2 1/2 1/2 1/2 1/2 1/2");
    assertThat(makespan(many, false, NO_COST)).isCloseTo(10, within(EXACT));
    alpha = 2;
    assertThat(makespan(many, false, NO_COST)).isCloseTo(20, within(EXACT));
    assertThat(makespan(many, true, NO_COST)).isCloseTo(20, within(EXACT));
  }

  @Test
  void weighsTheCostOfAChange() {
    alpha = 1.2;
    beta = 1.05;
    Case mixed = new Case(6, 3, 4, List.of(175, 25, 5, 5, 3), List.of(20.0, 9.0, 5.0, 5.0, 3.0));

    assertThat(widths(mixed)).isEqualTo("2 1 1/3 1/3 1/3");
    assertThat(makespan(mixed, false, NO_COST)).isCloseTo(10.5, within(EXACT));
    double leftS = 20 * (1 - 4.32 / 10.5);
    assertThat(makespan(mixed, true, 0.5))
        .isCloseTo(4.32 + 0.5 + leftS / 3 * beta * beta, within(EXACT))
        .isCloseTo(9.146, within(5e-4));
  }

  private String widths(Case given) {
    FluidPolicy policy = policy(given, false, NO_COST);
    List<PolicyView.Task> tasks =
        IntStream.range(0, given.units().size())
            .mapToObj(i -> new PolicyView.Task(i + 1, given.units().get(i), pace(given, i + 1)))
            .toList();
    PolicyView view =
        new PolicyView(
            "1", List.of(new PolicyView.Instance(0, given.gpus(), true)), tasks, List.of());
    return policy.assign(policy.initial(), view).state().widths().values().stream()
        .map(Width::toString)
        .collect(Collectors.joining(" "));
  }

  private double makespan(Case given, boolean isDynamic, double resizeS) {
    PolicyTimeline<FluidState> timeline =
        new PolicyTimeline<>(policy(given, isDynamic, resizeS), given.gpus(), new double[] {0});
    WidthSeconds table = table();
    return timeline.run(
        "1",
        given.units(),
        0,
        new GroupTimeline.Model() {
          @Override
          public double startupS(int trial, boolean isFirst) {
            return isFirst ? 0 : resizeS;
          }

          @Override
          public double unitS(int trial, Width width, int instance) {
            return FluidExamplesTest.pace(given, trial) * table.perUnit(width);
          }

          @Override
          public double checkpointS(int trial) {
            return 0;
          }

          @Override
          public double pace(int trial, boolean hasReported) {
            return FluidExamplesTest.pace(given, trial);
          }

          @Override
          public double loss(int trial, int unit) {
            return Double.NaN; // Fluid uses no metrics
          }
        });
  }

  private static double pace(Case given, int trial) {
    return given.heightsS().get(trial - 1) / given.units().get(trial - 1);
  }

  private FluidPolicy policy(Case given, boolean isDynamic, double resizeS) {
    TreeSet<Integer> sizes =
        IntStream.rangeClosed(1, given.largest())
            .boxed()
            .collect(Collectors.toCollection(TreeSet::new));
    return new FluidPolicy(new FluidRule(isDynamic, sizes, given.share(), resizeS), table());
  }

  private WidthSeconds table() {
    return width ->
        width.isShared()
            ? Math.pow(alpha, width.trialsPerGpu() - 1.0)
            : Math.pow(beta, width.gpus() - 1.0) / width.gpus();
  }
}

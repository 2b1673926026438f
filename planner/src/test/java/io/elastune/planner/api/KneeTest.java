package io.elastune.planner.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Tests the rule of docs/planner.md for the knee of a frontier. */
class KneeTest {
  private static final Limits DEADLINE = limits(OptionalDouble.of(1e6), OptionalDouble.of(1e6));

  /** The frontier of a real estimate: the next step saves most per dollar, but is not the knee. */
  @Test
  void findsPlanThatIsMuchFasterForLittleMore() {
    List<FrontierPoint> frontier =
        frontier(
            new double[][] {{900, 15}, {1800, 5.5}, {3120, 4.14}, {6360, 4.08}, {14460, 4.04}});

    assertThat(Knee.of(frontier, 14460, 4.04, DEADLINE)).contains(frontier.get(2));
  }

  /** Where half the time costs twice as much, and where the plans differ little, is no knee. */
  @Test
  void frontierWithoutBendHasNoKnee() {
    List<FrontierPoint> proportional =
        frontier(new double[][] {{100, 16}, {200, 8}, {400, 4}, {800, 2}});
    assertThat(Knee.of(proportional, 800, 2, DEADLINE)).isEmpty();

    List<FrontierPoint> close = frontier(new double[][] {{700, 2.01}, {800, 2}});
    assertThat(Knee.of(close, 800, 2, DEADLINE)).isEmpty();

    List<FrontierPoint> single = frontier(new double[][] {{800, 2}});
    assertThat(Knee.of(single, 800, 2, DEADLINE)).isEmpty();
    assertThat(Knee.of(List.of(), 800, 2, DEADLINE)).isEmpty();
  }

  /** One percent more money must save at least four percent of the time, and 20% remain. */
  @Test
  void thresholdsAreInclusive() {
    List<FrontierPoint> enough = frontier(new double[][] {{599, 2.1}, {1000, 2}});
    assertThat(Knee.of(enough, 1000, 2, DEADLINE)).contains(enough.get(0));

    List<FrontierPoint> tooLittle = frontier(new double[][] {{601, 2.1}, {1000, 2}});
    assertThat(Knee.of(tooLittle, 1000, 2, DEADLINE)).isEmpty();

    List<FrontierPoint> tooExpensive = frontier(new double[][] {{1, 2.4}, {1000, 2}});
    assertThat(Knee.of(tooExpensive, 1000, 2, DEADLINE)).isEmpty();
  }

  @Test
  void kneeMeetsDeadlineAndBudget() {
    List<FrontierPoint> frontier =
        frontier(new double[][] {{100, 2.05}, {500, 2.02}, {1000, 2}, {2000, 1}});
    assertThat(Knee.of(frontier, 1000, 2, limits(OptionalDouble.of(1000), OptionalDouble.empty())))
        .contains(frontier.get(0));
    assertThat(Knee.of(frontier, 1000, 2, limits(OptionalDouble.of(1000), OptionalDouble.of(2.03))))
        .contains(frontier.get(1));
    assertThat(Knee.of(frontier, 1000, 2, limits(OptionalDouble.of(1000), OptionalDouble.of(2))))
        .isEmpty();
  }

  /** Without a deadline the fastest plan is sought, and the knee is much cheaper. */
  @Test
  void withoutDeadlineTheKneeIsMuchCheaper() {
    List<FrontierPoint> frontier = frontier(new double[][] {{100, 10}, {104, 3}, {400, 1}});
    Limits budget = limits(OptionalDouble.empty(), OptionalDouble.of(20));

    assertThat(Knee.of(frontier, 100, 10, budget)).contains(frontier.get(1));
  }

  private static Limits limits(OptionalDouble deadlineS, OptionalDouble budgetUsd) {
    return new Limits(deadlineS, budgetUsd, 0.95, 8, Double.POSITIVE_INFINITY);
  }

  private static List<FrontierPoint> frontier(double[][] timesAndCosts) {
    List<FrontierPoint> points = new ArrayList<>();
    for (double[] point : timesAndCosts) {
      Plan plan = new Plan(false, Map.of("1", new Allocation("offer", 1, 1, 1)));
      points.add(new FrontierPoint(point[0], point[1], 1, point[0], point[1], plan));
    }
    return points;
  }
}

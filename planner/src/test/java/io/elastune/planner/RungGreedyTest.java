package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.planner.api.PlanProgress;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.rung.RungCandidate;
import io.elastune.planner.rung.RungChoices;
import io.elastune.planner.rung.RungGreedy;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** ASHA(16 trials, 1..8 units, eta 2) on the instances of the worked example. */
class RungGreedyTest {
  static final RungRule RULE =
      new RungRule(
          List.of(1, 2, 4, 8),
          16,
          2,
          RungRule.Variant.PROMOTION,
          true,
          OptionalInt.empty(),
          OptionalInt.empty(),
          false);

  private final Problem problem =
      TestJobs.workedExampleWithSpread(
              new Limits(OptionalDouble.of(500), OptionalDouble.empty(), 0.95, 6, 1e9))
          .withWorkload(Workload.of(RULE));
  private final RungChoices choices = new RungChoices(ChoiceSet.of(problem), RULE);
  private final RungGreedy greedy = greedy(false);

  private RungGreedy greedy(boolean timeLimitReached) {
    PlannerOptions options = new PlannerOptions(PlannerOptions.Kind.GREEDY, 1_000, 0);
    PlanEvaluator evaluator =
        new PlanEvaluator(problem, options, SearchParameters.DEFAULT.sampleCounts());
    return new RungGreedy(
        choices, evaluator, problem.limits(), true, () -> timeLimitReached, PlanProgress.NONE);
  }

  @Test
  void endsAtAPlanWithoutBetterNeighbors() {
    for (RungCandidate start : choices.statics()) {
      greedy.descend(start);
    }

    RungCandidate best =
        choices.all().stream()
            .filter(candidate -> greedy.evaluated().containsKey(candidate.plan(false)))
            .filter(this::meetsLimits)
            .min((a, b) -> Double.compare(usd(a), usd(b)))
            .orElseThrow();
    assertThat(choices.neighbors(best)).filteredOn(this::meetsLimits).isNotEmpty();
    assertThat(choices.neighbors(best))
        .filteredOn(this::meetsLimits)
        .allMatch(neighbor -> usd(neighbor) >= usd(best));
  }

  @Test
  void leavesPlansThatExceedTheLimits() {
    RungCandidate slowest =
        choices.statics().stream()
            .max((a, b) -> Double.compare(evaluation(a).completionS(), evaluation(b).completionS()))
            .orElseThrow();
    assertThat(greedy.overrun(evaluation(slowest))).isGreaterThan(1);

    RungGreedy another = greedy(false);
    another.descend(slowest);

    assertThat(another.evaluated().values())
        .anyMatch(evaluation -> another.overrun(evaluation) <= 1);
  }

  @Test
  void overrunIsTheRatioToTheDeadline() {
    Evaluation evaluation = evaluation(choices.statics().get(0));

    assertThat(greedy.overrun(evaluation)).isEqualTo(evaluation.safeS() / 500);
  }

  @Test
  void evaluatesNothingAfterItsTimeLimit() {
    RungGreedy late = greedy(true);
    late.descend(choices.statics().get(0));

    assertThat(late.evaluated()).isEmpty();
  }

  private boolean meetsLimits(RungCandidate candidate) {
    return greedy.overrun(evaluation(candidate)) <= 1;
  }

  private double usd(RungCandidate candidate) {
    return evaluation(candidate).costUsd();
  }

  private Evaluation evaluation(RungCandidate candidate) {
    return greedy.evaluate(candidate.plan(false));
  }
}

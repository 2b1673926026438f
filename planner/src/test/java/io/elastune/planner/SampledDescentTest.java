package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.ListOptions;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.cluster.ClusterChoices;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.evaluate.PlannerInputs;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.rung.RungCandidate;
import io.elastune.planner.rung.RungChoices;
import io.elastune.planner.sampled.PlanKind;
import io.elastune.planner.sampled.SampledDescent;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** ASHA(16 trials, 1..8 units, eta 2) on the instances of the worked example. */
class SampledDescentTest {
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
  private final SampledDescent<RungCandidate> greedy = greedy(false);

  private SampledDescent<RungCandidate> greedy(boolean timeLimitReached) {
    PlannerOptions options = new PlannerOptions(PlannerOptions.Kind.GREEDY, 1_000, 0);
    PlannerInputs inputs = TestJobs.inputs(problem, options, timeLimitReached);
    PlanEvaluator evaluator = new PlanEvaluator(inputs);
    return new SampledDescent<>(inputs, choices, evaluator, new PlanSelector(inputs, evaluator));
  }

  @Test
  void endsAtAPlanWithoutBetterNeighbors() {
    for (RungCandidate start : choices.statics().get(0)) {
      greedy.descend(start);
    }
    List<Plan> evaluated = greedy.evaluated().stream().map(Evaluation::plan).toList();

    RungCandidate best =
        choices.everything().stream()
            .filter(candidate -> evaluated.contains(candidate.plan(false)))
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
        choices.statics().get(0).stream()
            .max((a, b) -> Double.compare(evaluation(a).completionS(), evaluation(b).completionS()))
            .orElseThrow();
    assertThat(overrun(evaluation(slowest))).isGreaterThan(1);

    SampledDescent<RungCandidate> another = greedy(false);
    another.descend(slowest);

    assertThat(another.evaluated()).anyMatch(evaluation -> overrun(evaluation) <= 1);
  }

  @Test
  void overrunIsTheRatioToTheDeadline() {
    Evaluation evaluation = evaluation(choices.statics().get(0).get(0));

    assertThat(overrun(evaluation)).isEqualTo(evaluation.safeS() / 500);
  }

  @Test
  void evaluatesNothingAfterItsTimeLimit() {
    SampledDescent<RungCandidate> late = greedy(true);
    late.descend(choices.statics().get(0).get(0));

    assertThat(late.evaluated()).isEmpty();
  }

  private double overrun(Evaluation evaluation) {
    PlannerInputs inputs = TestJobs.inputs(problem, PlannerOptions.DEFAULT, false);
    return new PlanSelector(inputs, new PlanEvaluator(inputs)).overrun(evaluation);
  }

  private boolean meetsLimits(RungCandidate candidate) {
    return overrun(evaluation(candidate)) <= 1;
  }

  private double usd(RungCandidate candidate) {
    return evaluation(candidate).costUsd();
  }

  private Evaluation evaluation(RungCandidate candidate) {
    return greedy.evaluate(candidate);
  }

  /** The sizes of ten groups are compared one group after the other, not all in each step. */
  @Test
  void comparesFewPlansOfManyParts() {
    Workload workload =
        TestJobs.chain(40, 1, 30, 1, 24, 1, 16, 2, 12, 2, 8, 4, 6, 4, 4, 8, 2, 8, 1, 16);
    PlannerInputs inputs =
        TestJobs.inputs(
            problem.withWorkload(workload).withCluster(new FixedCluster(2, ListOptions.DEFAULT)),
            new PlannerOptions(PlannerOptions.Kind.GREEDY, 1_000, 0),
            false);
    Counted kind = new Counted(new ClusterChoices(inputs));
    PlanEvaluator evaluator = new PlanEvaluator(inputs);
    SampledDescent<Plan> descent =
        new SampledDescent<>(inputs, kind, evaluator, new PlanSelector(inputs, evaluator));
    descent.descend(kind.statics().get(0).get(0));

    assertThat(kind.plans.size()).isLessThan(120);
    Evaluation best =
        descent.evaluated().stream()
            .min(Comparator.comparingDouble(Evaluation::completionS))
            .orElseThrow();
    for (int group = 0; group < kind.parts(); group++) {
      assertThat(kind.neighbors(best.plan(), group))
          .noneMatch(plan -> descent.evaluate(plan).completionS() < best.completionS());
    }
  }

  /** Fixed clusters, and all plans that were asked for. */
  private static final class Counted implements PlanKind<Plan> {
    private final ClusterChoices choices;
    private final Set<Plan> plans = new HashSet<>();

    Counted(ClusterChoices choices) {
      this.choices = choices;
    }

    @Override
    public ChoiceSet choiceSet() {
      return choices.choiceSet();
    }

    @Override
    public List<List<Plan>> statics() {
      return choices.statics();
    }

    @Override
    public String refusal() {
      return choices.refusal();
    }

    @Override
    public Plan plan(Plan candidate, boolean hold) {
      plans.add(candidate);
      return choices.plan(candidate, hold);
    }

    @Override
    public Bounds<Plan> bounds() {
      return choices.bounds();
    }

    @Override
    public int parts() {
      return choices.parts();
    }

    @Override
    public List<Plan> neighbors(Plan from, int part) {
      return choices.neighbors(from, part);
    }

    @Override
    public String remark(boolean isBestOfAll) {
      return choices.remark(isBestOfAll);
    }
  }
}

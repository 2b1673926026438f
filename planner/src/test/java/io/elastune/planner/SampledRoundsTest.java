package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRuleBuilder;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.profile.Straggler;
import io.elastune.core.properties.Tier;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.evaluate.PlannerInputs;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.rung.RungCandidate;
import io.elastune.planner.rung.RungChoices;
import io.elastune.planner.sampled.PlanKind;
import io.elastune.planner.sampled.SampledRounds;
import io.elastune.simulator.Simulator;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Static clusters of random asynchronous searches, with spread and with faults. */
class SampledRoundsTest {
  private static final int JOBS = Tier.runs(40, 1_000);
  private static final int SAMPLES = 200;

  /** Standard errors by which a sampled mean may be below its bound. */
  private static final double ERRORS = 4;

  private static Problem random(long seed) {
    Random random = new Random(seed);
    Problem spread = RandomJobs.withSpread(RandomJobs.small(seed), seed);
    Map<String, Profile> profiles = new HashMap<>(spread.profiles());
    if (random.nextInt(3) == 0) {
      Straggler slow = random.nextBoolean() ? new Straggler(0.1, 3) : Straggler.NONE;
      profiles.replaceAll(
          (gpu, profile) ->
              ProfileBuilder.builder(profile).instanceCv(0.3).instanceStraggler(slow).build());
    }
    Problem differing =
        new Problem(
            spread.workload(),
            spread.offers(),
            profiles,
            spread.gpusPerTrial(),
            spread.limits(),
            spread.running(),
            seed);
    Problem problem = random.nextBoolean() ? differing.withDefaultFaults() : differing;
    return problem.withWorkload(Workload.of(rule(random)));
  }

  private static RungRule rule(Random random) {
    int eta = 2 + random.nextInt(3);
    int brackets = 1 + random.nextInt(2);
    RungRule rule =
        new RungRule(
            List.of(1, eta, eta * eta),
            2 + random.nextInt(40),
            eta,
            random.nextInt(3) == 0 ? RungRule.Variant.STOPPING : RungRule.Variant.PROMOTION,
            random.nextBoolean(),
            random.nextInt(3) == 0 ? OptionalInt.of(1 + random.nextInt(4)) : OptionalInt.empty(),
            random.nextInt(6) == 0 ? OptionalInt.of(1) : OptionalInt.empty(),
            random.nextInt(4) == 0);
    return RungRuleBuilder.builder(rule).brackets(brackets).build();
  }

  @Test
  void boundsAreBelowTheMeans() {
    int close = 0;
    int checked = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = random(seed);
      RungRule rule = problem.workload().rungs().orElseThrow();
      RungChoices choices = new RungChoices(ChoiceSet.of(problem), rule);
      PlanKind.Bounds<RungCandidate> bounds = choices.bounds();
      Simulator simulator = new Simulator(problem, SAMPLES);
      List<RungCandidate> statics = choices.statics().get(0);
      int step = 1 + statics.size() / 6;
      for (int i = 0; i < statics.size(); i += step) {
        RungCandidate cluster = statics.get(i);
        Estimate estimate = simulator.simulate(cluster.plan(true));
        String job = "seed " + seed + ", " + cluster;
        double errorUsd = ERRORS * estimate.samplingError().costUsd();
        double errorS = ERRORS * estimate.samplingError().completionS();
        double usd = estimate.costUsd().mean();
        assertThat(bounds.staticUsd().applyAsDouble(cluster))
            .as(job)
            .isLessThan(usd + errorUsd + 1e-9);
        assertThat(bounds.staticS().applyAsDouble(cluster))
            .as(job)
            .isLessThan(estimate.completionS().mean() + errorS + 1e-9);
        close += bounds.staticUsd().applyAsDouble(cluster) > 0.6 * usd ? 1 : 0;
        checked++;
      }
    }
    assertThat(close).as("bounds that are useful, of %d", checked).isGreaterThan(checked / 4);
  }

  @Test
  void findsTheBestStaticClusters() {
    int fewer = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      fewer += assertFindsTheBest(seed) ? 1 : 0;
    }
    assertThat(fewer).as("jobs of which not all clusters are screened").isGreaterThan(JOBS / 2);
  }

  /** The best cluster has a fault in its first seven samples, and meets the deadline anyway. */
  @Test
  void keepsAClusterWithAnEarlyFault() {
    assertThat(assertFindsTheBest(550)).isTrue();
  }

  /** Returns whether not all clusters are screened. */
  private static boolean assertFindsTheBest(long seed) {
    Problem free = random(seed);
    Random random = new Random(~seed);
    RungRule rule = free.workload().rungs().orElseThrow();
    RungChoices choices = new RungChoices(ChoiceSet.of(free), rule);
    List<RungCandidate> statics = choices.statics().get(0);
    List<Evaluation> unlimited = evaluateAll(free, statics);
    double fastestS = least(unlimited, Evaluation::completionS);
    Problem problem =
        free.withLimits(
            new Limits(
                OptionalDouble.of(fastestS * (0.8 + 2 * random.nextDouble())),
                OptionalDouble.empty(),
                0.9,
                free.limits().maxInstances(),
                Double.POSITIVE_INFINITY));
    PlannerInputs inputs = TestJobs.inputs(problem, PlannerOptions.DEFAULT, false);
    PlanEvaluator evaluator = new PlanEvaluator(inputs);
    PlanSelector selector = new PlanSelector(inputs, evaluator);
    Map<RungCandidate, Evaluation> found =
        new SampledRounds<>(inputs, choices, evaluator, selector).best(statics);

    Comparator<Evaluation> fewestOver =
        Comparator.comparingDouble(one -> Math.max(1, selector.overrun(one)));
    for (ToDoubleFunction<Evaluation> figure :
        List.<ToDoubleFunction<Evaluation>>of(Evaluation::costUsd, Evaluation::completionS)) {
      Comparator<Evaluation> best = fewestOver.thenComparingDouble(figure);
      Evaluation expected = evaluateAll(problem, statics).stream().min(best).orElseThrow();
      Evaluation actual = found.values().stream().min(best).orElseThrow();
      String job = "seed " + seed;
      assertThat(Math.max(1, selector.overrun(actual)))
          .as(job)
          .isLessThanOrEqualTo(1.02 * Math.max(1, selector.overrun(expected)));
      assertThat(figure.applyAsDouble(actual))
          .as(job)
          .isLessThanOrEqualTo(1.02 * figure.applyAsDouble(expected));
    }
    return found.size() < statics.size();
  }

  @Test
  void reachedTimeLimitLeavesOnePlan() {
    Problem problem = random(1);
    RungChoices choices =
        new RungChoices(ChoiceSet.of(problem), problem.workload().rungs().orElseThrow());
    PlannerInputs inputs = TestJobs.inputs(problem, PlannerOptions.DEFAULT, true);
    PlanEvaluator evaluator = new PlanEvaluator(inputs);
    SampledRounds<RungCandidate> rounds =
        new SampledRounds<>(inputs, choices, evaluator, new PlanSelector(inputs, evaluator));

    assertThat(rounds.best(choices.statics().get(0))).hasSize(1);
  }

  /** All plans have the same draws, and a few samples are the first ones of many. */
  @Test
  void fewSamplesAreThoseOfAScreening() {
    Problem problem = random(2);
    RungChoices choices =
        new RungChoices(ChoiceSet.of(problem), problem.workload().rungs().orElseThrow());
    PlanEvaluator evaluator = evaluator(problem);
    RungCandidate cluster = choices.statics().get(0).get(0);
    Evaluation few = evaluator.evaluateByFirst(cluster.plan(true), 3);
    Evaluation many = evaluator.evaluateByScreening(cluster.plan(true));
    Evaluation fewOfMany = evaluator.evaluateByFirst(cluster.plan(true), 3);

    assertThat(few.samples()).isEqualTo(3);
    assertThat(many.samples()).isGreaterThan(3);
    assertThat(fewOfMany).isEqualTo(few);
    assertThat(evaluator.samplesOf(1)).isEqualTo(1);
    assertThat(evaluator.samplesOf(Integer.MAX_VALUE)).isEqualTo(many.samples());
  }

  private static List<Evaluation> evaluateAll(Problem problem, List<RungCandidate> statics) {
    PlanEvaluator evaluator = evaluator(problem);
    return statics.stream()
        .map(cluster -> evaluator.evaluateByScreening(cluster.plan(true)))
        .toList();
  }

  private static PlanEvaluator evaluator(Problem problem) {
    return new PlanEvaluator(TestJobs.inputs(problem, PlannerOptions.DEFAULT, false));
  }

  private static double least(Collection<Evaluation> of, ToDoubleFunction<Evaluation> figure) {
    return of.stream().mapToDouble(figure).min().orElseThrow();
  }
}

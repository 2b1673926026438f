package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.profile.Straggler;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.InitialHoldings;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.model.TrialShape;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Compares the mean-value model with sampling for jobs with spread. */
class MeanValueAccuracyTest {
  private static final int SAMPLES = 1_500;
  private static final int PLANS = 150;

  private static final TrialFaultRates CRASHES =
      new TrialFaultRates(FaultRate.assumed(0.05), FaultRate.NONE, FaultRate.assumed(0.005));

  private static InstanceFaultRates preempted(double perHour, double together) {
    return new InstanceFaultRates(
        FaultRate.assumed(0.01),
        300,
        FaultRate.assumed(0.01),
        FaultRate.assumed(0.02),
        5,
        FaultRate.assumed(perHour / 10),
        FaultRate.assumed(perHour),
        30,
        together);
  }

  /** A plan in the model, and its time and cost by sampling. */
  private record ModeledPlan(
      ChainCandidate candidate, double meanS, double safeS, double costUsd, String name) {}

  @Test
  void timeAndCostAreWithinAFewPercentOfSampling() {
    List<Double> means = new ArrayList<>();
    List<Double> safes = new ArrayList<>();
    List<Double> costs = new ArrayList<>();
    for (long seed = 0; seed < PLANS; seed++) {
      ModeledPlan modeledPlan = seen(problem(seed, Straggler.NONE, 0), seed);
      means.add(modeledPlan.candidate().meanS() / modeledPlan.meanS() - 1);
      safes.add(modeledPlan.candidate().completionS() / modeledPlan.safeS() - 1);
      costs.add(modeledPlan.candidate().costUsd() / modeledPlan.costUsd() - 1);
    }
    for (List<Double> errors : List.of(means, safes, costs)) {
      errors.sort(null);
      assertThat(errors.get(PLANS / 2)).isCloseTo(0, within(0.025));
      assertThat(errors.get(PLANS / 20)).isGreaterThan(-0.07);
      assertThat(errors.get(PLANS - PLANS / 20)).isLessThan(0.07);
    }
  }

  @Test
  void timeAndCostWithFaultsAreWithinAFewPercentOfSampling() {
    List<Double> means = new ArrayList<>();
    List<Double> safes = new ArrayList<>();
    List<Double> costs = new ArrayList<>();
    List<Double> ignored = new ArrayList<>();
    for (long seed = 0; seed < PLANS; seed++) {
      double perHour = 0.1 * (1 + seed % 10);
      double together = 0.1 * (seed % 7);
      Problem without = problem(seed, Straggler.NONE, 0);
      Problem problem =
          without.withFaults(offer -> preempted(perHour, together), profile -> CRASHES);
      ModeledPlan modeledPlan = seen(problem, seed);
      means.add(modeledPlan.candidate().meanS() / modeledPlan.meanS() - 1);
      safes.add(modeledPlan.candidate().completionS() / modeledPlan.safeS() - 1);
      costs.add(modeledPlan.candidate().costUsd() / modeledPlan.costUsd() - 1);
      ignored.add(seen(without, seed).candidate().completionS() / modeledPlan.safeS() - 1);
    }
    for (List<Double> errors : List.of(means, safes, costs, ignored)) {
      errors.sort(null);
    }
    for (List<Double> errors : List.of(means, safes, costs)) {
      assertThat(errors.get(PLANS / 2)).isCloseTo(0, within(0.05));
      assertThat(errors.get(PLANS / 20)).isGreaterThan(-0.2);
      assertThat(errors.get(PLANS - PLANS / 20)).isLessThan(0.2);
    }
    assertThat(ignored.get(PLANS / 2)).isLessThan(-0.05);
    assertThat(ignored.get(PLANS / 20)).isLessThan(-0.3);
  }

  @Test
  void noPlanIsBelowTheBoundsOfTimeAndCost() {
    Straggler rare = new Straggler(0.05, 3);
    for (long seed = 0; seed < PLANS; seed++) {
      Problem problem = problem(seed, rare, seed % 2 == 0 ? 0 : 0.2);
      ModeledPlan modeledPlan = seen(problem, seed);
      JobSearch search = TestJobs.search(problem);
      assertThat(search.shortestS())
          .as("seed %d, %s", seed, modeledPlan.name())
          .isLessThan(modeledPlan.meanS());
      assertThat(search.workUsd())
          .as("seed %d, %s", seed, modeledPlan.name())
          .isLessThan(modeledPlan.costUsd());
      assertThat(search.chanceConstrainedLeastUsd(modeledPlan.safeS()))
          .as("seed %d, %s", seed, modeledPlan.name())
          .isLessThan(modeledPlan.costUsd());
    }
  }

  private static Problem problem(long seed, Straggler straggler, double instanceCv) {
    SplittableRandom random = new SplittableRandom(seed);
    int trials = 2 + random.nextInt(22);
    Profile still =
        TestJobs.profile("V100", TestJobs.RESNET50, 0.01 + 0.09 * random.nextDouble(), 0.05);
    Profile profile =
        ProfileBuilder.builder(still)
            .startupS(new Spread(10, 0.2))
            .checkpointS(Spread.NONE)
            .straggler(straggler)
            .samples(List.of())
            .instanceCv(instanceCv)
            .instanceStraggler(instanceCv > 0 ? straggler : Straggler.NONE)
            .provisioning(List.of())
            .build();
    return TestJobs.problem(
        TestJobs.chain(trials, 2, Math.max(1, trials / 3), 4, Math.max(1, trials / 9), 8),
        TestJobs.offer(
            "type",
            "V100",
            new int[] {1, 4, 8}[random.nextInt(3)],
            12.24,
            TestJobs.EC2,
            new Spread(15, 0.3),
            new Spread(60, 0.3)),
        profile,
        TestJobs.deadline(1_000, 8));
  }

  /** Scores and samples a random plan. */
  private static ModeledPlan seen(Problem problem, long seed) {
    SplittableRandom random = new SplittableRandom(~seed);
    MeanValueModel model =
        new MeanValueModel(
            problem.workload().chains().get(0),
            ChoiceSet.of(problem),
            MeanValueModel.SpreadMode.CONFIDENT,
            problem.limits().confidence(),
            0,
            InitialHoldings.NOTHING,
            SearchParameters.DEFAULT);
    TrialShape[] trialShapes = new TrialShape[model.groups()];
    int[] instances = new int[model.groups()];
    int most = 8;
    for (int group = 0; group < trialShapes.length; group++) {
      List<TrialShape> all = model.choiceSet().trialShapes();
      trialShapes[group] = all.get(random.nextInt(all.size()));
      most = random.nextInt(4) == 0 ? 8 : most;
      instances[group] = Math.max(trialShapes[group].team(), 1 + random.nextInt(most));
      most = instances[group];
    }
    ChainCandidate chainCandidate = new CandidateScorer(model).score(trialShapes, instances);
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    model.putInto(allocations, chainCandidate);
    Plan plan = new Plan(false, allocations);
    JointSamples jointSamples = new Simulator(problem, SAMPLES).sample(plan);
    double[] completionS = jointSamples.completionS().clone();
    Arrays.sort(completionS);
    return new ModeledPlan(
        chainCandidate,
        Arrays.stream(completionS).average().orElseThrow(),
        completionS[(int) (problem.limits().confidence() * SAMPLES) - 1],
        Arrays.stream(jointSamples.costUsd()).average().orElseThrow(),
        TestJobs.text(plan));
  }
}

package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.IntRange;
import io.elastune.core.estimate.CostBreakdown;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.simulator.draw.FastSimulatorDraws;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.JointSamples;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Compares the fast simulator with the slow one on random jobs and plans. */
class ReferenceSimulatorTest {
  private static final int JOBS = RandomProblems.some(1000);
  private static final int JOBS_WITH_FAULTS = RandomProblems.some(400);
  private static final int JOBS_WITH_TARGETS = RandomProblems.some(100);
  private static final int SAMPLES = 3;
  private static final double LEAST_CV = 0.01;
  private static final Offset<Double> ROUNDING = within(1e-6);

  @Test
  void agreesWithoutSpread() {
    for (long seed = 0; seed < JOBS; seed++) {
      compare(seed, false);
    }
  }

  @Test
  void agreesWithSpread() {
    for (long seed = 0; seed < JOBS; seed++) {
      compare(seed, true);
    }
  }

  @Test
  void agreesOnEverySample() {
    for (long seed = 0; seed < JOBS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, true);
      Problem problem = jobs.problem();
      Simulator simulator = new Simulator(problem, SAMPLES);
      Draws draws = new Draws(problem, SAMPLES);
      // The same simulator runs two plans: the first must leave no state.
      simulator.sample(jobs.plan(problem));
      Plan plan = jobs.plan(problem);
      JointSamples fast = simulator.sample(plan);
      for (int sample = 0; sample < draws.samples(); sample++) {
        ReferenceSimulator slow =
            new ReferenceSimulator(problem, plan, FastSimulatorDraws.of(draws, sample));
        String name = "seed " + seed + ", sample " + sample + ", plan " + plan;
        assertThat(fast.completionS()[sample]).as(name).isCloseTo(slow.completionS(), ROUNDING);
        assertThat(fast.costUsd()[sample]).as(name).isCloseTo(slow.costUsd(), ROUNDING);
      }
    }
  }

  @Test
  void agreesOnEverySampleWithFaults() {
    int most = RandomProblems.samples(SAMPLES);
    for (long seed = 0; seed < JOBS_WITH_FAULTS / 2; seed++) {
      RandomProblems jobs = new RandomProblems(seed, seed % 2 == 0);
      Problem problem = withoutTies(jobs.withFaults(jobs.problem()));
      Plan plan = jobs.plan(problem);
      Draws draws = new Draws(problem, most);
      JointSamples fast = new Simulator(problem, most).sample(plan);
      for (int sample = 0; sample < draws.samples(); sample++) {
        ReferenceSimulator slow =
            new ReferenceSimulator(problem, plan, FastSimulatorDraws.of(draws, sample));
        String name = "seed " + seed + ", sample " + sample + ", plan " + plan;
        assertThat(fast.completionS()[sample]).as(name).isCloseTo(slow.completionS(), ROUNDING);
        assertThat(fast.costUsd()[sample]).as(name).isCloseTo(slow.costUsd(), ROUNDING);
      }
    }
  }

  /**
   * Returns a job whose trials all take a time of their own. If the durations of two trials differ
   * by a rounding error only, it decides which instance is free first, and in one of many samples a
   * fault of this instance follows.
   */
  private static Problem withoutTies(Problem problem) {
    Map<String, Profile> profiles =
        RandomProblems.profiles(
            problem,
            profile ->
                ProfileBuilder.builder(profile)
                    .samples(List.of())
                    .trialCv(Math.max(LEAST_CV, profile.trialCv()))
                    .build());
    return problem.with(problem.offers(), profiles);
  }

  @Test
  void agreesWithFaults() {
    int different = 0;
    for (long seed = 0; seed < JOBS_WITH_FAULTS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, seed % 2 == 0);
      Problem problem = jobs.withFaults(jobs.problem());
      Plan plan = jobs.plan(problem);
      compare(seed, "with faults", problem, plan);
      different +=
          new Simulator(problem, 1).sample(plan).completionS()[0]
                  > new Simulator(problem.withoutFaults(), 1).sample(plan).completionS()[0]
              ? 1
              : 0;
    }
    assertThat(different).isGreaterThan(JOBS_WITH_FAULTS / 2);
  }

  @Test
  void agreesOnSearchesThatEndAtATarget() {
    int different = 0;
    for (long seed = 0; seed < JOBS_WITH_TARGETS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, seed % 2 == 0);
      Problem whole = jobs.withFaults(jobs.problem());
      Problem problem = whole.withWorkload(KnownTargets.of(whole.workload(), seed));
      Plan plan = jobs.plan(problem);
      RankModel ranks = KnownTargets.ranks(problem);
      Draws draws = new Draws(problem, 1, ranks, Draws.MAX_CACHE_BYTES);
      ReferenceSimulator slow =
          new ReferenceSimulator(problem, plan, FastSimulatorDraws.of(draws, 0));
      JointSamples fast = new Simulator(problem, 1, 1, ranks).sample(plan);

      String name = "seed " + seed + ", plan " + plan;
      assertThat(fast.completionS()[0]).as(name).isCloseTo(slow.completionS(), ROUNDING);
      assertThat(fast.costUsd()[0]).as(name).isCloseTo(slow.costUsd(), ROUNDING);
      JointSamples upper = new Simulator(whole, 1, 1, ranks).sample(plan);
      different += fast.completionS()[0] < upper.completionS()[0] ? 1 : 0;
    }
    assertThat(different).isGreaterThan(JOBS_WITH_TARGETS / 2);
  }

  @Test
  void agreesWithCheckpointIntervals() {
    int decided = 0;
    for (long seed = 0; seed < JOBS_WITH_FAULTS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, seed % 2 == 0);
      Problem some = jobs.withFaults(jobs.problem());
      double saveS = seed % 5;
      Map<String, Profile> profiles = new TreeMap<>();
      some.profiles().forEach((gpu, profile) -> profiles.put(gpu, saving(profile, saveS)));
      int low = 1 + (int) (seed % 3);
      Workload workload =
          some.workload().saving(Optional.of(new IntRange(low, low + (int) (seed % 7))));
      Problem problem = some.with(some.offers(), profiles).withWorkload(workload);
      Plan plan = jobs.plan(problem);
      compare(seed, "with checkpoint intervals", problem, plan);
      decided +=
          new Simulator(problem, 1).sample(plan).completionS()[0]
                  != new Simulator(some, 1).sample(plan).completionS()[0]
              ? 1
              : 0;
    }
    assertThat(decided).isGreaterThan(JOBS_WITH_FAULTS / 4);
  }

  private static Profile saving(Profile profile, double seconds) {
    return seconds == 0
        ? profile
        : profile.withCheckpoint(
            new CheckpointMeasurement(
                Optional.empty(),
                Optional.of(new CheckpointMeasurement.Sampled(seconds, 0, 1)),
                Optional.empty(),
                Optional.empty()));
  }

  private static void compare(long seed, boolean spread) {
    RandomProblems jobs = new RandomProblems(seed, spread);
    Problem problem = jobs.problem();
    Plan plan = jobs.plan(problem);
    compare(seed, spread ? "with spread" : "without spread", problem, plan);
  }

  private static void compare(long seed, String what, Problem problem, Plan plan) {
    ReferenceSimulator slow =
        new ReferenceSimulator(problem, plan, FastSimulatorDraws.of(new Draws(problem, 1), 0));
    Estimate fast = new Simulator(problem, 1).simulate(plan);

    String name = "seed " + seed + " " + what + ", plan " + plan;
    assertThat(fast.completionS().mean()).as(name).isCloseTo(slow.completionS(), ROUNDING);
    assertThat(fast.costUsd().mean()).as(name).isCloseTo(slow.costUsd(), ROUNDING);
    for (GroupEstimate group : fast.groups()) {
      double start = slow.startS.get(group.group());
      double end = slow.endS.get(group.group());
      String where = name + ", group " + group.group();
      assertThat(group.startS().mean()).as(where).isCloseTo(start, ROUNDING);
      assertThat(group.endS().mean()).as(where).isCloseTo(end, ROUNDING);
      assertThat(group.costUsd().mean())
          .as(where)
          .isCloseTo(sum(slow, lease -> lease.usdIn(group.group(), start, end)), ROUNDING);
    }
    compareCauses(name, problem, fast.costBy(), slow);
  }

  private static void compareCauses(
      String name, Problem problem, CostBreakdown costBreakdown, ReferenceSimulator slow) {
    double provisioning = sum(slow, ReferenceLease::provisioningUsd);
    double compute = sum(slow, ReferenceLease::computeUsd);
    double other =
        sum(slow, ReferenceLease::otherUsd)
            + slow.completionS() * problem.running().controllerUsdPerHour() / 3600;
    double data =
        sum(slow, ReferenceLease::dataUsd)
            + slow.completionS() * problem.running().storageUsdPerHour() / 3600;
    assertThat(costBreakdown.provisioning()).as(name).isCloseTo(provisioning, ROUNDING);
    assertThat(costBreakdown.compute()).as(name).isCloseTo(compute, within(1e-4));
    assertThat(costBreakdown.idle())
        .as(name)
        .isCloseTo(sum(slow, ReferenceLease::instanceUsd) - provisioning - compute, within(1e-4));
    assertThat(costBreakdown.data()).as(name).isCloseTo(data, ROUNDING);
    assertThat(costBreakdown.other()).as(name).isCloseTo(other, ROUNDING);
  }

  private static double sum(ReferenceSimulator slow, ToDoubleFunction<ReferenceLease> usd) {
    return slow.leases.stream().mapToDouble(usd).sum();
  }
}

package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.profile.Straggler;
import io.elastune.core.properties.PlannedJob;
import io.elastune.simulator.group.CompiledPlan;
import io.elastune.simulator.group.ExecutionDag;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.timeline.GroupsSampler;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Plays chains of trial groups on a timeline, and compares each sample with the fast path: plans
 * with teams, spare instances, hold, several offers and all billing terms, without and with faults.
 * Events are at different times. Where homes matter, instances are equally fast: the policy of a
 * timeline has none.
 */
class GroupsPolicyTest {
  private static final int JOBS = RandomProblems.some(1000);
  private static final int SAMPLES = 4;
  private static final Offset<Double> ROUNDING = within(1e-6);

  @Test
  void playsTheSamplesOfTheFastPath() {
    for (long seed = 1; seed <= JOBS; seed++) {
      PlannedJob job = RandomProblems.planned(4 * seed + 1);
      compare(seed, job.problem(), job.plan());
    }
  }

  @Test
  void playsTheSamplesOfTheFastPathWithFaults() {
    for (long seed = 1; seed <= JOBS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, true);
      Problem problem = jobs.withFaults(jobs.problem());
      compare(seed, problem, jobs.plan(problem));
    }
  }

  private static void compare(long seed, Problem problem, Plan plan) {
    Problem unequal = varied(problem, false);
    boolean haveHomes =
        Stream.of(compiled(unequal, plan).steps()).anyMatch(group -> group.promotion().isPresent());
    Problem compared = haveHomes ? varied(problem, true) : unequal;
    JointSamples expected = new Simulator(compared, SAMPLES).sampling(plan).sampleUpTo(SAMPLES);
    GroupsSampler sampler = new GroupsSampler(compiled(compared, plan));
    for (int sample = 0; sample < SAMPLES; sample++) {
      double endS = 0;
      double usd = 0;
      for (int chain = 0; chain < compared.workload().chains().size(); chain++) {
        endS = Math.max(endS, sampler.play(chain, sample));
        usd += sampler.usd(chain);
      }
      String where = "seed %d, sample %d: %s".formatted(seed, sample, plan);
      assertThat(endS).as(where).isCloseTo(expected.completionS()[sample], ROUNDING);
      assertThat(usd + compared.running().usd(endS))
          .as(where)
          .isCloseTo(expected.costUsd()[sample], ROUNDING);
    }
  }

  private static CompiledPlan compiled(Problem problem, Plan plan) {
    return new CompiledPlan(
        problem, plan, new ExecutionDag(problem.workload()), new Draws(problem, SAMPLES));
  }

  /**
   * Returns a problem in which no two events are at the same time by chance.
   *
   * @param areEqual whether all instances are equally fast
   */
  static Problem varied(Problem problem, boolean areEqual) {
    Map<String, Profile> profiles =
        RandomProblems.profiles(
            problem,
            profile ->
                ProfileBuilder.builder(profile)
                    .samples(List.of())
                    .trialCv(0.2)
                    .instanceCv(areEqual ? 0 : profile.instanceCv())
                    .instanceStraggler(areEqual ? Straggler.NONE : profile.instanceStraggler())
                    .build());
    List<Offer> offers =
        problem.offers().stream()
            .map(
                offer ->
                    offer.withProvisioning(
                        new Spread(offer.queueS().mean() + 5, 0.3),
                        new Spread(offer.bootS().mean() + 5, 0.3)))
            .toList();
    return problem.with(offers, profiles);
  }
}

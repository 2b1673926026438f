package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.profile.Straggler;
import io.elastune.core.properties.PlannedJob;
import io.elastune.core.timeline.ChainsRun;
import io.elastune.core.timeline.GroupsPolicy;
import io.elastune.core.timeline.Task;
import io.elastune.simulator.fault.TrialClocks;
import io.elastune.simulator.group.CompiledPlan;
import io.elastune.simulator.group.ExecutionDag;
import io.elastune.simulator.instance.CompiledGroup;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.SamplingLimit;
import io.elastune.simulator.timeline.GroupTimes;
import io.elastune.simulator.timeline.SampledSearch;
import io.elastune.simulator.timeline.SampledTimeline;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Plays chains of trial groups on a timeline, and compares each sample with the fast path: plans
 * with teams, spare instances, hold and several offers. Events are at different times, and
 * instances are equally fast, so that trials need no homes.
 */
class GroupsPolicyTest {
  private static final int JOBS = RandomProblems.some(1000);
  private static final int SAMPLES = 4;

  @Test
  void playsTheSamplesOfTheFastPath() {
    for (long seed = 1; seed <= JOBS; seed++) {
      PlannedJob job = RandomProblems.planned(4 * seed + 1);
      Problem problem = varied(job.problem());
      JointSamples expected =
          new Simulator(problem, SAMPLES).sampling(job.plan()).sampleUpTo(SAMPLES);
      Draws draws = new Draws(problem, SAMPLES);
      CompiledPlan plan =
          new CompiledPlan(problem, job.plan(), new ExecutionDag(problem.workload()), draws);
      int chains = problem.workload().chains().size();
      for (int sample = 0; sample < SAMPLES; sample++) {
        double endS = 0;
        double usd = 0;
        for (int chain = 0; chain < chains; chain++) {
          PlayedChain played = played(plan, chain, false);
          endS = Math.max(endS, played.play(sample));
          usd += DoubleStream.of(played.timeline().costTotals.groupUsd).sum();
        }
        String where = "seed %d, sample %d: %s".formatted(seed, sample, job.plan());
        assertThat(endS).as(where).isCloseTo(expected.completionS()[sample], within(1e-6));
        if (isBilledByInstance(problem) && !hasTeams(plan)) {
          assertThat(usd + problem.running().usd(endS))
              .as(where)
              .isCloseTo(expected.costUsd()[sample], within(1e-6));
        }
      }
    }
  }

  /** It matters which instance is left over, if all were ready before the group. */
  private static boolean hasTeams(CompiledPlan plan) {
    return Stream.of(plan.steps()).anyMatch(group -> group.teamSize() > 1);
  }

  /** Where use is billed, it matters which of the members of a team is released. */
  private static boolean isBilledByInstance(Problem problem) {
    return problem.offers().stream()
        .allMatch(offer -> offer.billing().per() == BillingTerms.Per.INSTANCE);
  }

  /** Returns a problem in which no two events are at the same time by chance. */
  private static Problem varied(Problem problem) {
    Map<String, Profile> profiles = new HashMap<>();
    problem
        .profiles()
        .forEach(
            (gpu, profile) ->
                profiles.put(
                    gpu,
                    ProfileBuilder.builder(profile)
                        .samples(List.of())
                        .trialCv(0.2)
                        .instanceCv(0)
                        .instanceStraggler(Straggler.NONE)
                        .build()));
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

  /** A chain on a timeline. */
  private record PlayedChain(GroupTimes times, SampledTimeline timeline) {
    double play(int sample) {
      times.select(sample);
      return timeline.play(sample);
    }
  }

  private static PlayedChain played(CompiledPlan plan, int chain, boolean hasFaults) {
    List<CompiledGroup> groups =
        Stream.of(plan.steps()).filter(group -> group.chain() == chain).toList();
    ChainsRun search =
        new ChainsRun(
                List.of(
                    groups.stream()
                        .map(group -> new ChainsRun.Group(group.trials(), 0, group.units()))
                        .toList()))
            .withGroupPhases();
    GroupTimes times =
        new GroupTimes(
            groups, Task::group, groups.get(0).checkpointS(), SamplingLimit.NONE.counter());
    SampledSearch sampled =
        new SampledSearch(
            plan.leases().get(chain),
            8,
            search,
            new GroupsPolicy(search, sizes(groups), plan.hold()),
            times,
            groups.stream().map(group -> clocks(group, hasFaults)).toList(),
            Task::group,
            OptionalDouble.empty());
    return new PlayedChain(times, new SampledTimeline(sampled, plan.steps().length, hasFaults));
  }

  private static TrialClocks clocks(CompiledGroup group, boolean hasFaults) {
    return TrialClocks.of(
        hasFaults,
        group.hazards(),
        group.faults(),
        IntUnaryOperator.identity(),
        group.faultStreams());
  }

  private static List<GroupsPolicy.Group> sizes(List<CompiledGroup> groups) {
    int[] held = {0};
    return groups.stream()
        .map(
            group -> {
              int instances = held[0] + group.requested();
              held[0] = group.kept();
              return new GroupsPolicy.Group(
                  instances, group.teamSize(), group.perTeam(), 1, 1, group.spare(), group.kept());
            })
        .toList();
  }
}

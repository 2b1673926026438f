package io.elastune.simulator.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.billing.LeaseCost;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.profile.Straggler;
import io.elastune.core.properties.PlannedJob;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.TimelineRecipient;
import io.elastune.core.timeline.TrainedGroup;
import io.elastune.core.timeline.TrialPlace;
import io.elastune.simulator.RandomProblems;
import io.elastune.simulator.group.CompiledPlan;
import io.elastune.simulator.group.ExecutionDag;
import io.elastune.simulator.instance.CostTotals;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.instance.PresentInstances;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Plays searches whose programs wait, and compares each sample with its rest from each barrier: the
 * state there has the places of the trials.
 */
class RestAtBarriersTest {
  private static final int JOBS = RandomProblems.some(200);
  private static final int SAMPLES = 4;
  private static final Offset<Double> ROUNDING = within(1e-6);

  @Test
  void equalsThePredictionFromEachBarrier() {
    int saved = 0;
    for (long seed = 1; seed <= JOBS; seed++) {
      PlannedJob job = RandomProblems.planned(seed);
      for (Chain chain : job.problem().workload().chains()) {
        Problem problem =
            varied(job.problem().withWorkload(new Workload(List.of(chain)))).withKeepAlive(true);
        Plan plan = new Plan(false, job.plan().allocations());
        for (int sample = 0; sample < SAMPLES; sample++) {
          saved += compare("seed " + seed + ", sample " + sample, problem, plan, sample);
        }
      }
    }
    assertThat(saved).isGreaterThan(JOBS / 10);
  }

  /** Returns at how many barriers the places of the trials matter. */
  private static int compare(String where, Problem problem, Plan plan, int sample) {
    Chain chain = problem.workload().chains().get(0);
    Draws draws = new Draws(problem, SAMPLES);
    CompiledPlan compiled =
        new CompiledPlan(problem, plan, new ExecutionDag(problem.workload()), draws);
    ChainSampler sampler =
        new ChainSampler(
            CompiledChain.withPlaces(problem, plan, compiled, draws, RankModel.of(problem)).get(0),
            new CostTotals(chain.groups().size()),
            SamplingLimit.NONE.counter(),
            false);
    Barriers barriers = new Barriers(problem, plan);
    sampler.sampled().timeline.tracedTo(barriers);
    double endS = sampler.play(sample % draws.samples());
    double usd = sampler.usd() + problem.running().usd(endS);
    int matters = 0;
    for (int next = 1; next < chain.groups().size(); next++) {
      Problem rest =
          problem.withWorkload(
              new Workload(
                  List.of(
                      new Chain(
                          chain.name(), chain.groups().subList(next, chain.groups().size())))));
      String barrier = where + ", group " + next;
      JointSamples samples = sample(rest, plan, barriers.starts.get(next - 1), true);
      JointSamples withoutPlaces = sample(rest, plan, barriers.starts.get(next - 1), false);
      int own = sample % samples.completionS().length;

      assertThat(samples.completionS()[own]).as(barrier).isCloseTo(endS, ROUNDING);
      assertThat(samples.costUsd()[own]).as(barrier).isCloseTo(usd, ROUNDING);
      matters += withoutPlaces.completionS()[own] > endS + 1 ? 1 : 0;
    }
    return matters;
  }

  private static JointSamples sample(
      Problem rest, Plan plan, GroupsRest.Start start, boolean knowsPlaces) {
    GroupsRest.ChainStart chain = start.chains().get(0);
    GroupsRest.ChainStart known =
        knowsPlaces ? chain : new GroupsRest.ChainStart(chain.present(), 0, Optional.empty());
    return new GroupsRest(rest, new GroupsRest.Start(start.settledUsd(), List.of(known)), SAMPLES)
        .sample(plan);
  }

  /** Trials vary, and instances do not. */
  private static Problem varied(Problem problem) {
    Map<String, Profile> profiles =
        RandomProblems.profiles(
            problem,
            profile ->
                ProfileBuilder.builder(profile)
                    .samples(List.of())
                    .startupS(new Spread(20, 0.2))
                    .trialCv(0.2)
                    .instanceCv(0)
                    .instanceStraggler(Straggler.NONE)
                    .build());
    return problem.with(
        problem.offers().stream()
            .map(
                offer ->
                    offer.withProvisioning(
                        Spread.exactly(offer.queueS().mean()),
                        Spread.exactly(offer.bootS().mean())))
            .toList(),
        profiles);
  }

  /** The states of a run at its barriers. */
  private static final class Barriers implements TimelineRecipient {
    final List<GroupsRest.Start> starts = new ArrayList<>();

    private final Problem problem;
    private final Plan plan;
    private final List<Instance> held = new ArrayList<>();

    // Of the group in progress.
    private final Map<Integer, Task> tasks = new TreeMap<>();
    private final Map<Task, Double> endS = new HashMap<>();

    private double settledUsd;

    Barriers(Problem problem, Plan plan) {
      this.problem = problem;
      this.plan = plan;
    }

    private TrialGroup group(int index) {
      return problem.workload().groups().get(index);
    }

    private Offer offer(Instance instance) {
      return problem.offer(plan.of(group(instance.requester())).offer()).orElseThrow();
    }

    @Override
    public void requested(Instance instance, double nowS) {
      held.add(instance);
      settledUsd += offer(instance).dataInUsd();
    }

    @Override
    public void released(Instance instance, double nowS) {
      held.remove(instance);
      settledUsd +=
          LeaseCost.of(offer(instance), instance.runningS(), nowS, instance.usedS()).totalUsd()
              - offer(instance).dataInUsd();
    }

    @Override
    public void ended(Task task, double nowS) {
      tasks.put(task.trial(), task);
      endS.put(task, nowS);
    }

    @Override
    public void phaseEnded(double nowS) {
      List<RentedInstance> rented =
          held.stream()
              .map(
                  it ->
                      new RentedInstance(offer(it).name(), it.runningS(), it.bootedS(), it.usedS()))
              .toList();
      PresentInstances present = new PresentInstances(rented, nowS);
      List<Integer> numbers =
          held.stream()
              .sorted(Comparator.comparingDouble(Instance::bootedS))
              .map(Instance::number)
              .toList();
      List<TrialPlace> places = new ArrayList<>();
      for (Task task : tasks.values()) {
        places.add(place(task, numbers, nowS));
      }
      TrainedGroup before = new TrainedGroup(group(starts.size()), places);
      starts.add(
          new GroupsRest.Start(
              settledUsd, List.of(new GroupsRest.ChainStart(present, 0, Optional.of(before)))));
      tasks.clear();
      endS.clear();
    }

    private TrialPlace place(Task task, List<Integer> numbers, double nowS) {
      boolean isHeld = numbers.containsAll(task.instances());
      return new TrialPlace(
          task.instances().stream().filter(numbers::contains).map(numbers::indexOf).toList(),
          task.firstGpu(),
          task.gpus(),
          plan.of(group(task.group())).trialsPerGpu(),
          isHeld ? OptionalDouble.of(nowS - endS.get(task)) : OptionalDouble.empty());
    }
  }
}

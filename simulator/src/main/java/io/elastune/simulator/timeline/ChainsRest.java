package io.elastune.simulator.timeline;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.PresentGroup;
import io.elastune.core.search.PresentGroup.RunningTrial;
import io.elastune.core.timeline.Task;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Samples the rest of a run whose chains share instances, from its present state, under other plans
 * (docs/searches.md, "Shared instances"). All plans have the same draws, those of faults too: an
 * instance that is held and an attempt that runs have clocks that begin now. Not thread-safe.
 */
public final class ChainsRest {
  private final Problem problem;
  private final Start start;
  private final Draws draws;

  /**
   * The present state of a run.
   *
   * @param atS seconds since its start
   * @param settledUsd cost in USD that cannot be changed any more
   * @param held the instances, to whose indexes the trials refer
   * @param groups the group in progress of each chain
   */
  public record Start(
      double atS, double settledUsd, List<RentedInstance> held, List<PresentGroup> groups) {
    public Start {
      held = List.copyOf(held);
      groups = List.copyOf(groups);
    }
  }

  /**
   * Creates a sampler.
   *
   * @param problem its chains are those that have not ended, with the groups that have not; the
   *     offers and profiles are as they are known now
   * @param samples the most samples of a plan
   */
  public ChainsRest(Problem problem, Start start, int samples) {
    this.problem = problem.withWorkload(started(problem.workload(), start.groups()));
    this.start = start;
    this.draws = new Draws(this.problem, samples);
  }

  /** The first group of each chain is that in progress. */
  private static Workload started(Workload rest, List<PresentGroup> present) {
    List<Chain> chains = new ArrayList<>();
    for (int chain = 0; chain < present.size(); chain++) {
      List<TrialGroup> groups = new ArrayList<>(rest.chains().get(chain).groups());
      groups.set(0, present.get(chain).group());
      chains.add(new Chain(rest.chains().get(chain).name(), groups));
    }
    return new Workload(chains);
  }

  /**
   * Samples the rest of the run under a plan. Seconds count from the start of the run, and USD are
   * those of the whole run.
   */
  public JointSamples sample(Plan plan, int samples) {
    return new Play(plan).sample(Math.min(samples, draws.samples()));
  }

  /** The rest under one plan. */
  private final class Play {
    private final Profile profile;
    private final PoolSampler sampler;

    Play(Plan of) {
      Offer offer = problem.offer(of.of(problem.workload().groups().get(0)).offer()).orElseThrow();
      profile = problem.profile(offer).orElseThrow();
      sampler =
          new PoolSampler(
              new CompiledPoolPlan(problem, of, draws, RankModel.of(problem), this::leases),
              SamplingLimit.NONE.counter(),
              problem.hasFaults());
    }

    private LeasePlan leases(int requested, Offer offer, Profile known) {
      int held = start.held().size();
      List<Integer> all = IntStream.range(0, held).boxed().toList();
      int instances = Math.max(held, requested);
      return LeasePlan.ofRest(start.held(), all, instances, start.atS(), offer, known, draws);
    }

    JointSamples sample(int samples) {
      return sampler
          .sampled()
          .rest(samples, start.atS(), start.settledUsd(), problem.running(), this::begin);
    }

    /** Begins a sample with the trials that run, and those that wait. */
    private void begin(int sample) {
      sampler.begin(sample);
      int chain = 0;
      for (PresentGroup present : start.groups()) {
        int queue = chain++;
        for (RunningTrial trial : present.running()) {
          Task task = issue(queue, present, trial.doneUnits());
          double unitS = profile.secondsPerUnit(trial.gpus()).orElseThrow();
          sampler.addRunning(
              task, trial.instance(), trial.firstGpu(), trial.gpus(), unitS, trial.leftS());
        }
        List<Task> waiting = new ArrayList<>();
        present.waiting().forEach(done -> waiting.add(issue(queue, present, done)));
        waiting.forEach(sampler.search()::interrupted); // issued again, with their units
      }
    }

    private Task issue(int chain, PresentGroup present, int doneUnits) {
      Task task = Objects.requireNonNull(sampler.search().next(chain));
      if (!present.group().fromScratch()) {
        task.continuesAfter(Math.max(0, Math.min(doneUnits, task.units() - 1)), 0);
      }
      return task;
    }
  }
}

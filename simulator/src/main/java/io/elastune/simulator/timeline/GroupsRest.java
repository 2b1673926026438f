package io.elastune.simulator.timeline;

import io.elastune.core.billing.LeaseCost;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.random.NormalScores;
import io.elastune.core.random.RandomStreams;
import io.elastune.core.timeline.TrainedGroup;
import io.elastune.simulator.group.CompiledPlan;
import io.elastune.simulator.group.ExecutionDag;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.instance.PresentInstances;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.JointSamples;
import java.util.List;
import java.util.Optional;

/**
 * Samples the rest of a run whose chains have instances of their own, from the barriers at which
 * their next groups can begin, under other plans. All plans have the same draws, those of faults
 * too: an instance that is held has a clock that begins at the barrier. Not thread-safe.
 */
public final class GroupsRest {
  private final Problem problem;
  private final ExecutionDag dag;
  private final Start start;
  private final List<PresentInstances> present;
  private final Draws draws;

  /**
   * The present state of a run.
   *
   * @param settledUsd cost in USD that cannot be changed any more
   * @param chains those of the problem, in order
   */
  public record Start(double settledUsd, List<ChainStart> chains) {
    public Start {
      chains = List.copyOf(chains);
    }
  }

  /**
   * The present state of a chain.
   *
   * @param present the instances that it holds, and when its next group can begin
   * @param deviationS standard deviation of that time in seconds
   * @param before the group before that one; empty if it does not matter where its trials ran
   */
  public record ChainStart(
      PresentInstances present, double deviationS, Optional<TrainedGroup> before) {}

  /**
   * Creates a sampler.
   *
   * @param problem its chains are those that have groups left, with these groups; the offers and
   *     profiles are as they are known now
   * @param samples the most samples of a plan, a power of two
   */
  public GroupsRest(Problem problem, Start start, int samples) {
    this.problem = problem;
    this.start = start;
    dag = new ExecutionDag(problem.workload());
    present = start.chains().stream().map(ChainStart::present).toList();
    draws = new Draws(problem, samples);
  }

  /**
   * Samples the rest of the run under a plan. Seconds count from the start of the run, and USD are
   * those of the whole run.
   */
  public JointSamples sample(Plan plan) {
    GroupsSampler sampler = sampler(plan);
    double[] completionS = new double[draws.samples()];
    double[] costUsd = new double[completionS.length];
    for (int sample = 0; sample < completionS.length; sample++) {
      costUsd[sample] = start.settledUsd();
      for (int chain = 0; chain < present.size(); chain++) {
        double fromS = fromS(chain, sample);
        double endS = sampler.playFrom(fromS, chain, sample);
        completionS[sample] = Math.max(completionS[sample], endS);
        costUsd[sample] += sampler.usd(chain) + releasedUsd(chain, plan, fromS);
      }
      costUsd[sample] += problem.running().usd(completionS[sample]);
    }
    return new JointSamples(completionS, costUsd);
  }

  private GroupsSampler sampler(Plan plan) {
    CompiledPlan compiled = new CompiledPlan(problem, plan, dag, draws, present);
    if (!CompiledChain.mayWait(problem)) {
      return new GroupsSampler(compiled);
    }
    GroupsSampler sampler =
        new GroupsSampler(
            compiled,
            CompiledChain.withPlaces(problem, plan, compiled, draws, RankModel.of(problem)));
    for (int chain = 0; chain < present.size(); chain++) {
      TrialGroup next = problem.workload().chains().get(chain).groups().get(0);
      int of = chain;
      int kept = present.get(chain).kept(plan.of(next));
      start
          .chains()
          .get(chain)
          .before()
          .ifPresent(before -> sampler.beginsAfter(of, before(before, next, kept)));
    }
    return sampler;
  }

  /** The programs on the instances that are not kept end with them. */
  private GroupBefore before(TrainedGroup before, TrialGroup next, int kept) {
    return new GroupBefore(
        before.on(number -> number < kept ? number : -1).places(),
        new ContinuingDraws(ContinuingDraws.Tables.of(problem, before.group(), next, draws)));
  }

  /** Returns the cost of the instances that the first group of a chain does not keep. */
  private double releasedUsd(int chain, Plan plan, double atS) {
    PresentInstances before = present.get(chain);
    TrialGroup first = problem.workload().chains().get(chain).groups().get(0);
    double usd = 0;
    for (RentedInstance left :
        before.held().subList(before.kept(plan.of(first)), before.held().size())) {
      Offer offer = problem.offer(left.offer()).orElseThrow();
      usd +=
          LeaseCost.of(offer, left.runningS(), atS, left.usedS()).totalUsd()
              - offer.dataInUsd(); // which is paid
    }
    return usd;
  }

  /** Returns when the next group of a chain begins; the samples are spread evenly. */
  private double fromS(int chain, int sample) {
    double deviationS = start.chains().get(chain).deviationS();
    double meanS = present.get(chain).fromS();
    if (deviationS == 0 || draws.samples() == 1) {
      return meanS;
    }
    double uniform =
        RandomStreams.of(problem.seed())
            .at("barrier")
            .at(problem.workload().chains().get(chain).name())
            .stratified(sample, draws.samples());
    return meanS + deviationS * NormalScores.quantile(Math.max(Double.MIN_NORMAL, uniform));
  }
}

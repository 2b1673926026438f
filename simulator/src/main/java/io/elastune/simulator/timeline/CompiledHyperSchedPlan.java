package io.elastune.simulator.timeline;

import io.elastune.core.allocation.FluidRules;
import io.elastune.core.allocation.HyperSchedRules;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.HyperSchedRule;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.WidthSeconds;
import io.elastune.core.profile.Profile;
import io.elastune.core.random.RandomStreams;
import io.elastune.core.search.LearningCurves;
import io.elastune.core.search.TraceEvent;
import io.elastune.core.timeline.Task;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.fault.FaultHazards;
import io.elastune.simulator.fault.TornCheckpoints;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.rank.TargetUnits;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** A legal plan of a cluster that HyperSched divides among trials, compiled for sampling. */
final class CompiledHyperSchedPlan {
  final RungRule rungs;
  final int instances;
  final int gpus;
  final double deadlineS;
  final HyperSchedRule rule;
  final WidthSeconds seconds;
  final double checkpointS;

  /** The times of the profile on which decisions depend; without the time that is left. */
  final PolicyView.Timing timing;

  /** Seconds per unit on one GPU; NaN if it was not measured. */
  final double oneGpuUnitS;

  /** Recorded durations, if there are any. */
  final Optional<LearningCurves> curves;

  /** Opens the losses of the trials. */
  final Supplier<LossDraws> losses;

  final TargetUnits targetUnits;

  final LeasePlan leases;

  /** The factors X of the trials, their start-ups, and which checkpoints are torn. */
  final DrawTable x;

  final DrawTable startup;

  final TornCheckpoints.Tables torn;

  /** Seconds per unit with the fewest GPUs, by which trials are taken to hang. */
  final double slowestUnitS;

  final boolean hasFaults;
  final FaultHazards hazards;

  /** Uniform draws of the trials, and the streams of what follows their faults. */
  final DrawTable faults;

  final RandomStreams faultStreams;

  /**
   * @param problem must allow {@code plan}, as {@link io.elastune.core.allocation.PlanRules} checks
   */
  CompiledHyperSchedPlan(Problem problem, Plan plan, Draws draws, RankModel ranks) {
    rungs = problem.workload().rungs().orElseThrow();
    Allocation allocation = plan.of(problem.workload().groups().get(0));
    Offer offer = problem.offer(allocation.offer()).orElseThrow();
    Profile profile = problem.profile(offer).orElseThrow();
    instances = allocation.instances();
    gpus = offer.gpus();
    deadlineS = problem.limits().deadlineS().orElseThrow();
    seconds = FluidRules.seconds(profile);
    rule = HyperSchedRules.of(problem, offer);
    checkpointS = profile.checkpointS().mean();
    timing = HyperSchedRules.timing(0, profile, rule);
    oneGpuUnitS = profile.secondsPerUnit(1).orElse(Double.NaN);
    curves = ranks.curves();
    boolean isMinimized = problem.hyperSched().orElseThrow().isMinimized();
    RungLosses.Tables normals = RungLosses.Tables.of(rungs, draws);
    losses = () -> LossDraws.ofRungs(ranks, rungs, normals, isMinimized);
    targetUnits = new TargetUnits(problem, ranks);
    leases = LeasePlan.ofPool(instances, offer, profile, draws);
    TrialGroup whole = new TrialGroup("r", rungs.trials(), 0, rungs.target(rungs.lastRung()));
    x = draws.trials(whole, profile);
    startup = draws.startups(whole, profile);
    torn = draws.torn(whole, profile);
    slowestUnitS = CompiledPolicyPlan.slowestUnitS(rule.sizes(), 1, seconds);
    hasFaults = problem.hasFaults();
    hazards = FaultHazards.of(offer, profile, problem.silence());
    faults = draws.trialFaults(whole);
    faultStreams = draws.trialFaultStreams(whole);
  }

  /** Describes a task of which some units were trained. */
  TraceEvent.Task described(Task task, int from, int to) {
    int rung = 0;
    while (rungs.target(rung) <= from) {
      rung++;
    }
    return new TraceEvent.Task(
        task.trial(),
        RungRule.name(rung),
        from,
        to,
        task.gpus(),
        task.trialsPerGpu(),
        OptionalInt.empty());
  }
}

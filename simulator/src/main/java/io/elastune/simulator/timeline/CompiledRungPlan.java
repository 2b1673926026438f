package io.elastune.simulator.timeline;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.BracketShares;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.random.RandomStreams;
import io.elastune.core.search.RungSearch;
import io.elastune.core.timeline.PhaseSizes;
import io.elastune.core.timeline.RungsRun;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.fault.FaultHazards;
import io.elastune.simulator.fault.TornCheckpoints;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.rank.TargetUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A legal plan of a search made of rungs, compiled for sampling. */
public final class CompiledRungPlan {
  private static final double UNKNOWN = Double.NaN;

  public final RungSearch search;
  private final BracketShares shares;
  private final boolean hasBrackets;
  private final boolean isStopping;
  private final int drawnTrials;
  public final PhaseSizes.Plan sizes;

  /** When the search ends in any case; empty if it has no such time. */
  public final OptionalDouble stopS;

  final LeasePlan leases;
  final boolean hasFaults;
  final FaultHazards hazards;

  /** Whether the programs of trials wait for their next tasks. */
  final boolean keepAlive;

  /** Mean seconds to write a checkpoint. */
  final double checkpointS;

  /** Seconds per unit in the phase open, and in the phase closing. */
  public final double[] unitS;

  /** By number of GPUs: seconds per unit; NaN if it was not measured. */
  private final double[] unitSByGpus;

  /** Seconds per unit on one GPU; NaN if it was not measured. */
  final double oneGpuUnitS;

  /** By row of a task: the factors X of the trials, start-ups, and which checkpoints are torn. */
  final List<DrawTable> xs = new ArrayList<>();

  final List<DrawTable> startups = new ArrayList<>();

  final List<TornCheckpoints.Tables> torn = new ArrayList<>();

  /** By row of a fault: uniform draws of trials, and the streams of what follows their faults. */
  public final List<DrawTable> faults = new ArrayList<>();

  public final List<RandomStreams> faultStreams = new ArrayList<>();

  final RungLosses.Tables losses;
  final RankModel ranks;
  final TargetUnits targetUnits;

  /**
   * @param problem must allow {@code plan}, as {@link PlanRules} checks
   */
  public CompiledRungPlan(Problem problem, Plan plan, Draws draws, RankModel ranks) {
    RungRule rule = problem.workload().rungs().orElseThrow();
    this.ranks = ranks;
    targetUnits = new TargetUnits(problem, ranks);
    search = new RungSearch(rule);
    shares = rule.shares();
    hasBrackets = rule.brackets() > 1;
    isStopping = rule.isStopping();
    drawnTrials = rule.drawnTrials();
    stopS = problem.endsAtS();
    Allocation open = allocation(plan, Workload.OPEN);
    Allocation closing = allocation(plan, Workload.CLOSING);
    Offer offer = problem.offer(open.offer()).orElseThrow();
    Profile profile = problem.profile(offer).orElseThrow();
    sizes =
        new PhaseSizes.Plan(
            offer.gpus(),
            new PhaseSizes.Phase(open.instances(), open.gpusPerTrial()),
            new PhaseSizes.Phase(closing.instances(), closing.gpusPerTrial()),
            plan.hold());
    unitS = new double[] {unitS(profile, open), unitS(profile, closing)};
    unitSByGpus =
        IntStream.rangeClosed(0, offer.gpus())
            .mapToDouble(gpus -> gpus == 0 ? UNKNOWN : profile.secondsPerUnit(gpus).orElse(UNKNOWN))
            .toArray();
    oneGpuUnitS = profile.secondsPerUnit(1).orElse(UNKNOWN);
    leases = LeasePlan.ofPool(open.instances(), offer, profile, draws);
    hasFaults = problem.hasFaults();
    hazards = FaultHazards.of(offer, profile, problem.silence());
    keepAlive = problem.keepAlive();
    checkpointS = profile.checkpointS().mean();
    for (TrialGroup rung : trained(rule)) {
      xs.add(draws.trials(rung, profile));
      startups.add(draws.startups(rung, profile));
      torn.add(draws.torn(rung, profile));
    }
    for (TrialGroup task : faulty(rule)) {
      faults.add(draws.trialFaults(task));
      faultStreams.add(draws.trialFaultStreams(task));
    }
    losses = RungLosses.Tables.of(rule, draws);
  }

  private static Allocation allocation(Plan plan, String phase) {
    return Optional.ofNullable(plan.allocations().get(phase)).orElseThrow();
  }

  private static double unitS(Profile profile, Allocation allocation) {
    return profile.secondsPerUnit(allocation.gpusPerTrial()).orElseThrow();
  }

  /**
   * Each rung and the first tasks of later brackets; a single group where each trial is one task,
   * whose speed does not change.
   */
  private static List<TrialGroup> trained(RungRule rule) {
    return rule.isStopping()
        ? List.of(new TrialGroup("r", rule.drawnTrials(), 0, rule.target(rule.lastRung())))
        : Stream.concat(rule.rungs().stream(), rule.laterStarts().stream()).toList();
  }

  /** The same, but each rung where a trial is one task. */
  private static List<TrialGroup> faulty(RungRule rule) {
    return rule.isStopping()
        ? IntStream.range(0, rule.targets().size())
            .mapToObj(rung -> new TrialGroup("r" + rung, rule.drawnTrials(), 0, rule.target(rung)))
            .toList()
        : trained(rule);
  }

  /** Returns the seconds per unit of a trial of average speed on so many GPUs. */
  double unitS(int gpus) {
    return unitSByGpus[gpus];
  }

  /**
   * Whether a sample has a result: a trial has reached a rung, or the target, before {@link
   * #stopS}.
   *
   * @param played the search after the sample
   * @param endS when it ended
   */
  boolean hasResult(RungsRun played, double endS) {
    return played.hasResult() || endS < stopS.orElse(Double.POSITIVE_INFINITY);
  }

  /** Whether the attempt of a task ends with a rung, whatever becomes of its trial. */
  boolean endsAttempt(int rung) {
    return !isStopping || rung == search.rule().lastRung();
  }

  /** Returns the row of the task of a trial in a rung in the draws of faults. */
  public int faultRow(int trial, int rung) {
    return isStopping ? rung : row(trial, rung);
  }

  /** Returns the column of a trial in all draws. */
  public int column(int trial) {
    int column = trial - 1;
    return column < drawnTrials ? column : column % drawnTrials; // a division takes long
  }

  /** Returns the row of the task of a trial in a rung in the draws of durations. */
  int row(int trial, int rung) {
    if (isStopping) {
      return 0;
    }
    boolean startsLater = hasBrackets && rung > 0 && shares.bracket(trial) == rung;
    return startsLater ? search.rule().lastRung() + rung : rung;
  }
}

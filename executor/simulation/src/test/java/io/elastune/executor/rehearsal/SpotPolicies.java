package io.elastune.executor.rehearsal;

import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.replan.PlannerReplanner;
import io.elastune.executor.replan.ReplanService;
import io.elastune.executor.simulation.CapacityTrace;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.executor.simulation.SimulatedEnvironment;
import io.elastune.executor.simulation.TracedCapacity;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Executes one job under several policies on the same traces. The offers state the mean rates of
 * their traces; each seed starts at another time of the trace.
 */
final class SpotPolicies {
  private static final double FAILURES = 0.0003;
  private static final double MOST_S = 30 * 86_400;

  /** The policies that are compared. */
  enum Policy {
    ELASTUNE,
    SPOT_ONLY,
    ON_DEMAND_ONLY,
    GREEDY
  }

  /**
   * The result of one policy.
   *
   * @param onTime share of the runs that completed by the deadline
   * @param usd mean cost in USD
   * @param violations number of violated invariants
   * @param exits number of runs by exit code
   */
  record Outcome(double onTime, double usd, int violations, Map<Integer, Integer> exits) {}

  private final SpotTraces traces;
  private final OptionalDouble deadlineS;
  private final Offer onDemand = SpotJob.offer(FAILURES, 0);
  private final List<Offer> spot = new ArrayList<>();
  private final Map<String, CapacityTrace> byOffer = new TreeMap<>();

  SpotPolicies(SpotTraces traces, double deadlineS) {
    this.traces = traces;
    this.deadlineS = OptionalDouble.of(deadlineS);
    for (int zone = 0; zone < traces.zones().size(); zone++) {
      CapacityTrace trace = traces.zones().get(zone);
      Offer offer = SpotJob.spot((char) ('a' + zone), rates(trace));
      spot.add(offer);
      byOffer.put(offer.name(), trace);
    }
  }

  private static InstanceFaultRates rates(CapacityTrace trace) {
    return new InstanceFaultRates(
        FaultRate.assumed(Math.min(0.9, 1 - trace.meanShare())),
        trace.meanOutageS(),
        FaultRate.NONE,
        FaultRate.NONE,
        1,
        FaultRate.assumed(FAILURES),
        FaultRate.assumed(trace.preemptionsPerHour()),
        120,
        1);
  }

  /** Returns the seconds of the traces at which the run with a seed starts. */
  private double offsetS(long seed) {
    double lengthS = traces.zones().get(0).lengthS();
    return RandomStream.of(seed).substream("offset").between(0, lengthS);
  }

  /** Returns the mean bound of the first seeds, in USD. */
  double boundUsd(int runs) {
    SpotBound bound = new SpotBound(problem(all()));
    double sum = 0;
    for (long seed = 1; seed <= runs; seed++) {
      sum += bound.usd(traces.zones(), offsetS(seed));
    }
    return sum / runs;
  }

  private List<Offer> all() {
    List<Offer> all = new ArrayList<>(List.of(onDemand));
    all.addAll(spot);
    return all;
  }

  private Problem problem(List<Offer> offers) {
    return SpotJob.problem(deadlineS, 1, offers);
  }

  /** Executes the job with the first seeds. */
  Outcome run(Policy policy, int runs) {
    RehearsedJob job = job(policy);
    Rehearsal rehearsal =
        new Rehearsal(
            job,
            definition -> new RunCore(definition)::step,
            (seed, state) -> world(job, seed),
            planner(policy));
    int onTime = 0;
    int violations = 0;
    double usd = 0;
    Map<Integer, Integer> exits = new TreeMap<>();
    for (long seed = 1; seed <= runs; seed++) {
      RehearsedRun run = rehearsal.run(seed);
      onTime += run.exit() == 0 ? 1 : 0;
      exits.merge(run.exit(), 1, Integer::sum);
      violations += run.violations().size();
      usd += run.costUsd();
    }
    return new Outcome((double) onTime / runs, usd / runs, violations, exits);
  }

  private Function<RunDefinition, ReplanService> planner(Policy policy) {
    return policy == Policy.GREEDY
        ? definition -> new GreedySpot(definition, onDemand)
        : PlannerReplanner::new;
  }

  private SimulatedEnvironment world(RehearsedJob job, long seed) {
    return new SimulatedEnvironment(
        seed,
        FaultRates.NONE,
        new ProfileBasedTraining(
            job.problem(),
            job.definition().metric().name(),
            RandomStream.of(seed).substream("training"),
            FaultRates.NONE.trials()),
        new TracedCapacity(byOffer, offsetS(seed)));
  }

  private RehearsedJob job(Policy policy) {
    Problem full = problem(all());
    PlanResult.Found found =
        switch (policy) {
          case ELASTUNE -> plan(all());
          case SPOT_ONLY, GREEDY -> plan(List.of(bestZone()));
          case ON_DEMAND_ONLY -> plan(List.of(onDemand));
        };
    Plan plan = found.plan();
    boolean replans = policy == Policy.ELASTUNE || policy == Policy.GREEDY;
    RunDefinition definition = SpotJob.definition(full, plan, found.estimate(), replans);
    return new RehearsedJob(
        policy == Policy.ELASTUNE || policy == Policy.ON_DEMAND_ONLY
            ? definition
            : definition.withWaitForCapacity(Optional.of(Duration.ofDays(1))),
        full,
        2,
        FaultRates.NONE);
  }

  /** The zone that most rarely preempts. */
  private Offer bestZone() {
    return Collections.min(
        spot,
        Comparator.comparingDouble((Offer offer) -> offer.faults().preemptions().value())
            .thenComparing(Offer::name));
  }

  /** Without a plan that meets the deadline, one that meets a later deadline is executed. */
  private PlanResult.Found plan(List<Offer> offers) {
    PlanResult result = new Planner(problem(offers), PlannerOptions.DEFAULT).plan();
    for (double laterS = 2 * deadlineS.orElseThrow(); laterS < MOST_S; laterS *= 2) {
      if (result instanceof PlanResult.Found found) {
        return found;
      }
      Problem relaxed = SpotJob.problem(OptionalDouble.of(laterS), 1, offers);
      result = new Planner(relaxed, PlannerOptions.DEFAULT).plan();
    }
    throw new IllegalStateException("no plan at all for " + offers);
  }
}

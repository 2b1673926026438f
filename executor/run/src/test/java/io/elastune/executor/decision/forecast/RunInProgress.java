package io.elastune.executor.decision.forecast;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.WorkedExampleRun;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.decision.model.WaitingProgram;
import io.elastune.provisioner.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Builds the state of a run at one time: instances of the worked example (four GPUs, 75 s from the
 * request until ready) and trials that take 10 s to start and 30 s for a unit with one GPU.
 */
final class RunInProgress {
  static final Instant NOW = Instant.parse("2026-11-20T07:00:00Z");

  private RunDefinition definition;
  private final List<ChainState> chains;
  private final SortedMap<Integer, TrialState> trials = new TreeMap<>();
  private final SortedMap<String, AttemptState> attempts = new TreeMap<>();
  private final SortedMap<Integer, LeaseState> leases = new TreeMap<>();

  /** Creates a run that has not started; each group has {@code instances} and a GPU per trial. */
  RunInProgress(Workload workload, int instances, boolean shared) {
    this(workload, instances, shared, WorkedExampleRun.PROFILE);
  }

  /** Creates the same with another profile. */
  RunInProgress(Workload workload, int instances, boolean shared, Profile profile) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (TrialGroup group : workload.groups()) {
      allocations.put(group.name(), new Allocation(WorkedExampleRun.OFFER.name(), instances, 1, 1));
    }
    definition =
        WorkedExampleRun.forecasting(
            workload, new Plan(false, shared, allocations), Map.of(), profile);
    chains = new ArrayList<>(RunState.initial(definition).chains());
  }

  /** Gives a group another number of instances. */
  RunInProgress allocated(String group, int instances) {
    Plan plan = definition.plan();
    definition =
        RunDefinitionBuilder.builder(definition)
            .plan(plan.with(group, new Allocation(WorkedExampleRun.OFFER.name(), instances, 1, 1)))
            .build();
    return this;
  }

  /** Adds an instance that was requested, is billed and is ready for the given seconds. */
  RunInProgress ready(String lease, int pool, double forS) {
    LeaseState requested = requested(lease, pool, forS + 75);
    return put(
        requested
            .running(ago(forS + 60))
            .ready(new Node("10.0.0.1", List.of("0", "1", "2", "3"), List.of()), ago(forS)));
  }

  /** Adds an instance that was requested some seconds ago and has not started. */
  RunInProgress pending(String lease, int pool, double agoS) {
    return put(requested(lease, pool, agoS));
  }

  private LeaseState requested(String lease, int pool, double agoS) {
    return LeaseState.requested(
        lease,
        leases.size() + 1,
        pool,
        "1",
        WorkedExampleRun.OFFER.name(),
        WorkedExampleRun.OFFER.usdPerHour(),
        ago(agoS));
  }

  private RunInProgress put(LeaseState lease) {
    leases.put(lease.number(), lease);
    return this;
  }

  /** Adds an attempt of a trial on a GPU that started some seconds ago and has not reported. */
  RunInProgress attempt(int trial, int chain, int toUnit, GpuSlot place, double agoS) {
    String id = AttemptState.id(trial, "1", 1);
    attempts.put(
        id,
        AttemptState.starting(0, ago(agoS))
            .attempt(id)
            .trial(trial)
            .chain(chain)
            .group("1")
            .to(toUnit)
            .places(List.of(place))
            .build());
    return this;
  }

  /** Lets the programs of trials wait for their next group. */
  RunInProgress keepingAlive() {
    definition = RunDefinitionBuilder.builder(definition).keepAlive(true).build();
    return this;
  }

  /** Adds a trial of the first group that ended some seconds ago, and whose program waits. */
  RunInProgress ended(int trial, int unit, GpuSlot place, double agoS) {
    trials.put(
        trial,
        TrialState.fresh(trial, 0)
            .started(List.of(place))
            .reached(unit, 0.5, OptionalInt.empty())
            .waiting(new WaitingProgram(ago(agoS), 1)));
    return this;
  }

  /** Replaces the progress of a chain whose first group started some seconds ago. */
  RunInProgress started(int chain, List<Integer> members, List<Integer> waiting) {
    return chain(
        chain, new ChainState(0, members, waiting, List.of(), 0, List.of(ago(100)), List.of()));
  }

  RunInProgress chain(int chain, ChainState state) {
    chains.set(chain, state);
    return this;
  }

  private static Instant ago(double seconds) {
    return Seconds.after(NOW, -seconds);
  }

  RunState state() {
    RunState initial = RunState.initial(definition);
    return new RunState(
        initial.phase(),
        Optional.of(ago(200)),
        NOW,
        initial.ending(),
        chains,
        trials,
        attempts,
        leases,
        initial.steering(),
        initial.clock());
  }

  RunDefinition definition() {
    return definition;
  }

  ForecastBasis basis() {
    return new ForecastBasis(definition, state());
  }
}

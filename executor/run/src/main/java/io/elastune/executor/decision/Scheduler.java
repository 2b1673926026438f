package io.elastune.executor.decision;

import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.job.Metric;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.GroupSearch;
import io.elastune.core.search.GroupSearchState;
import io.elastune.core.search.SearchDecision;
import io.elastune.core.search.SearchEvent;
import io.elastune.core.search.TrialResult;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.TrialState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Decides which trials run. Waiting trials start in order of their number as slots become free, a
 * group ends when its last trial ends, and the best trials are promoted (docs/model.md, "Time" and
 * "Searches as trial groups").
 */
final class Scheduler {
  /** Promoted trials whose metrics a decision contains. */
  private static final int MOST_METRICS = 32;

  private Scheduler() {}

  /** Starts the first group of each chain. */
  static void beginChains(Transition transition) {
    for (int chain = 0; chain < transition.chainCount(); chain++) {
      startGroup(transition, chain, 0, List.of());
    }
  }

  /** Continues a chain from the state that an earlier controller left. */
  static void continueChain(Transition transition, int chain) {
    ChainState state = transition.chain(chain);
    List<TrialGroup> groups = transition.chainDefinition(chain).groups();
    if (state.group() >= groups.size()) {
      return;
    }
    if (transition.definition.workload().rungs().isPresent()) {
      transition.chain(chain, state.resumed(List.of())); // tasks without attempts start again
      return;
    }
    TrialGroup group = groups.get(state.group());
    if (state.started().size() > state.group()) {
      transition.chain(chain, state.resumed(unfinished(transition, state, group)));
    } else {
      startStopped(transition, chain, group);
    }
  }

  /** Trials of the group that have not reached its end and have no attempt. */
  private static List<Integer> unfinished(
      Transition transition, ChainState state, TrialGroup group) {
    return state.members().stream()
        .map(transition::trial)
        .filter(trial -> trial.status() == TrialState.Status.WAITING)
        .filter(trial -> trial.unit() < group.toUnit())
        .map(TrialState::trial)
        .sorted()
        .toList();
  }

  /** Starts a group before which the run was stopped. */
  private static void startStopped(Transition transition, int chain, TrialGroup group) {
    List<Integer> survivors =
        transition.chain(chain).members().stream()
            .filter(trial -> transition.trial(trial).status() == TrialState.Status.WAITING)
            .toList();
    if (survivors.isEmpty() && group.fromUnit() > 0) {
      transition.stop(
          RunOutcome.TRIALS_FAILED,
          DecisionReason.of(ReasonCode.NO_TRIAL_LEFT, group.name()),
          false);
    } else if (LimitWatchdog.budgetAllowsGroup(transition, group)) {
      startGroup(transition, chain, transition.chain(chain).group(), survivors);
    }
  }

  /** Starts waiting trials, ends completed groups, and releases surplus instances of each chain. */
  static void advance(Transition transition) {
    for (int chain = 0; chain < transition.chainCount(); chain++) {
      boolean changed = true;
      while (changed
          && transition.running()
          && transition.group(chain).isPresent()
          && !MeasurementTrials.isChoosing(transition, chain)) {
        startWaiting(transition, chain);
        changed = endGroupIfDone(transition, chain);
      }
      ClusterManager.releaseSurplus(transition, chain);
    }
  }

  private static void startGroup(
      Transition transition, int chain, int index, List<Integer> survivors) {
    TrialGroup group = transition.chainDefinition(chain).groups().get(index);
    List<Integer> members =
        group.fromUnit() == 0
            ? freshTrials(transition, chain, MeasurementTrials.count(transition, group))
            : survivors;
    ChainState before = transition.chain(chain);
    List<Instant> started = new ArrayList<>(before.started());
    started.add(transition.now);
    List<Integer> waiting = toTrain(transition, members, group);
    transition.chain(
        chain, new ChainState(index, members, waiting, List.of(), 0, started, before.ended()));
    Allocation allocation = transition.allocation(group);
    int requested = ClusterManager.requestMissing(transition, chain, group, allocation);
    Map<String, Double> numbers = new TreeMap<>();
    numbers.put("trials", (double) members.size());
    numbers.put("instances", (double) ClusterManager.needed(transition, chain, group, allocation));
    numbers.put("requested", (double) requested);
    CheckpointInterval.of(transition, group)
        .ifPresent(every -> numbers.put("checkpoint_every", (double) every));
    transition.recordGroupStart(
        group,
        DecisionReason.of(
            transition.definition.measurement().isPresent()
                ? ReasonCode.GROUP_MEASURED
                : ReasonCode.GROUP_STARTED,
            Integer.toString(group.toUnit()),
            allocation.offer()),
        numbers);
  }

  /** Starts the group whose allocation was chosen, or ends the measurements. */
  static void startMeasurement(Transition transition, RunEvent.MeasurementChosen event) {
    int chain = 0; // a profiling run has one
    if (!transition.running()
        || !MeasurementTrials.isChoosing(transition, chain)
        || transition.chain(chain).group() != event.group()) {
      return;
    }
    MeasurementTrials.record(transition, event.choice());
    Optional<Allocation> next = event.choice().next();
    if (next.isEmpty()) {
      endChain(transition, chain);
    } else {
      TrialGroup group = transition.group(chain).orElseThrow();
      transition.steering(transition.steering().with(Map.of(group.name(), next.get()), Set.of()));
      startGroup(transition, chain, event.group(), List.of());
    }
  }

  /** The members that are trained. Those that have ended early take part with their last metric. */
  private static List<Integer> toTrain(
      Transition transition, List<Integer> members, TrialGroup group) {
    List<Integer> waiting = new ArrayList<>();
    for (int member : members) {
      if (transition.trial(member).endedEarly()) {
        transition.trial(member, trial -> trial.passed(group.toUnit()));
      } else {
        waiting.add(member);
      }
    }
    return waiting;
  }

  private static List<Integer> freshTrials(Transition transition, int chain, int count) {
    int first = transition.trials().isEmpty() ? 1 : transition.trials().lastKey() + 1;
    List<Integer> fresh = IntStream.range(first, first + count).boxed().toList();
    fresh.forEach(trial -> transition.addTrial(TrialState.fresh(trial, chain)));
    Proposals.requestGroup(transition, fresh);
    return fresh;
  }

  private static void startWaiting(Transition transition, int chain) {
    Optional<TrialGroup> group = transition.group(chain);
    if (group.isEmpty()) {
      return;
    }
    Allocation allocation = transition.allocation(group.get());
    PlacementController.formTeams(transition, chain, allocation);
    Proposals.requestDue(
        transition,
        chain,
        SlotCounts.concurrentTrials(transition.definition.offer(allocation.offer()), allocation));
    List<Integer> waiting =
        transition.chain(chain).waiting().stream()
            .filter(trial -> transition.trial(trial).isConfigured())
            .toList();
    if (waiting.isEmpty()) {
      return;
    }
    List<List<GpuSlot>> gpuSlots =
        PlacementController.places(transition, chain, allocation, waiting);
    startAttempts(transition, chain, waiting, gpuSlots);
  }

  /** Starts the first of the {@code waiting} trials of a chain, as many as there are slots. */
  static void startAttempts(
      Transition transition, int chain, List<Integer> waiting, List<List<GpuSlot>> gpuSlots) {
    TrialGroup group = transition.group(chain).orElseThrow();
    int trialsPerGpu = transition.allocation(group).trialsPerGpu();
    for (int i = 0; i < gpuSlots.size(); i++) {
      TrialState trial = transition.trial(waiting.get(i));
      startAttempt(transition, trial, group, gpuSlots.get(i), trialsPerGpu);
    }
    removeWaiting(transition, chain, waiting.subList(0, gpuSlots.size()));
  }

  private static void removeWaiting(Transition transition, int chain, List<Integer> started) {
    List<Integer> left =
        transition.chain(chain).waiting().stream()
            .filter(trial -> !started.contains(trial))
            .toList();
    transition.chain(chain, transition.chain(chain).withWaiting(left));
  }

  /**
   * Starts a waiting trial of a chain on certain GPUs.
   *
   * @param trialsPerGpu trials that may share each of the GPUs, including this one
   */
  static void startWaiting(
      Transition transition, int chain, int trial, List<GpuSlot> gpuSlots, int trialsPerGpu) {
    TrialGroup group = transition.group(chain).orElseThrow();
    startAttempt(transition, transition.trial(trial), group, gpuSlots, trialsPerGpu);
    removeWaiting(transition, chain, List.of(trial));
  }

  private static void startAttempt(
      Transition transition,
      TrialState trial,
      TrialGroup group,
      List<GpuSlot> gpuSlots,
      int trialsPerGpu) {
    int to = MeasurementTrials.nextUnit(transition, trial, group);
    int from = Math.min(group.resumeUnit(trial.checkpoint()), to - 1);
    AttemptStart.start(
        transition,
        AttemptStart.next(transition, trial, group, from)
            .to(to)
            .places(gpuSlots)
            .links(Population.links(transition, trial))
            .trialsPerGpu(trialsPerGpu),
        CheckpointInterval.of(transition, group));
  }

  /** Ends the chain's group if none of its trials waits or runs, and returns whether it did. */
  static boolean endGroupIfDone(Transition transition, int chain) {
    Optional<TrialGroup> group = transition.group(chain);
    ChainState state = transition.chain(chain);
    if (group.isEmpty() || !state.waiting().isEmpty() || transition.hasAttempts(chain)) {
      return false;
    }
    if (MeasurementTrials.addsTrials(transition, chain, group.get())) {
      return true;
    }
    ClusterManager.releaseSurplus(transition, chain); // before the next group could use it
    endGroup(transition, chain, group.get());
    return true;
  }

  private static void endGroup(Transition transition, int chain, TrialGroup group) {
    List<TrialState> alive =
        transition.chain(chain).members().stream()
            .map(transition::trial)
            .filter(trial -> trial.status() == TrialState.Status.WAITING)
            .toList();
    markEnded(transition, chain);
    int next = transition.chain(chain).group();
    List<TrialGroup> groups = transition.chainDefinition(chain).groups();
    boolean isMeasured = transition.definition.isProfiling();
    boolean nextIsFresh = next < groups.size() && groups.get(next).fromUnit() == 0;
    boolean nextIsMeasured = isMeasured && nextIsFresh;
    if (alive.isEmpty() && (!nextIsMeasured || MeasurementTrials.haveAllFailed(transition))) {
      transition.stop(
          RunOutcome.TRIALS_FAILED,
          DecisionReason.of(ReasonCode.NO_TRIAL_SUCCEEDED, group.name()),
          false);
      return;
    }
    boolean last = next == groups.size() || nextIsFresh;
    if (!nextIsMeasured && UnusableMetric.stops(transition, chain, alive, last)) {
      DecisionReason reason = UnusableMetric.reason(transition, group, alive);
      TrialState.Status status = last ? TrialState.Status.COMPLETED : TrialState.Status.STOPPED;
      alive.forEach(t -> transition.trial(t.trial(), s -> s.as(status)));
      transition.stop(RunOutcome.TRIALS_FAILED, reason, false);
      return;
    }
    List<SearchDecision> decisions = atBarrier(transition, chain, next - 1, alive);
    Population.replace(transition, chain, decisions);
    for (SearchDecision decision : decisions) {
      if (decision instanceof SearchDecision.Complete completed) {
        transition.trial(completed.trial(), t -> t.as(TrialState.Status.COMPLETED));
      } else if (decision instanceof SearchDecision.Stop stopped) {
        transition.trial(stopped.trial(), t -> t.as(TrialState.Status.STOPPED));
      } else if (decision instanceof SearchDecision.BeginGroup begins
          && groups.get(begins.group()).fromUnit() == 0) {
        if (!last) {
          recordPromotion(transition, group, List.of(), alive);
        }
        startFresh(transition, chain, begins.group());
      } else if (decision instanceof SearchDecision.BeginGroup begins) {
        promote(transition, chain, group, begins, alive);
      } else if (decision instanceof SearchDecision.Finished && !last) {
        recordPromotion(transition, group, List.of(), alive);
        endChain(transition, chain);
      }
    }
  }

  /** Starts a group of new trials, and skips the groups before it. */
  private static void startFresh(Transition transition, int chain, int group) {
    if (MeasurementTrials.isChoosing(transition, chain)) {
      MeasurementTrials.choose(transition, chain);
      return;
    }
    skipTo(transition, chain, group);
    TrialGroup next = transition.chainDefinition(chain).groups().get(group);
    if (transition.definition.isProfiling() || LimitWatchdog.budgetAllowsGroup(transition, next)) {
      startGroup(transition, chain, group, List.of());
    }
  }

  /** What the search decides at the end of a group. */
  private static List<SearchDecision> atBarrier(
      Transition transition, int chain, int group, List<TrialState> alive) {
    SortedMap<Integer, Double> losses = new TreeMap<>();
    for (TrialState trial : alive) {
      losses.put(
          trial.trial(),
          TrialResult.loss(
              trial.metric().orElse(Double.NaN), transition.definition.metric().goal()));
    }
    int begun = transition.trials().isEmpty() ? 0 : transition.trials().lastKey();
    List<Integer> members = transition.chain(chain).members();
    return search(transition, chain)
        .step(
            new GroupSearchState(group, begun, members, List.of(), losses), new SearchEvent.Fits())
        .decisions();
  }

  private static GroupSearch search(Transition transition, int chain) {
    Chain definition = transition.chainDefinition(chain);
    return transition
        .definition
        .workload()
        .population()
        .map(rule -> new GroupSearch(definition, rule))
        .orElseGet(() -> new GroupSearch(definition, !transition.definition.isProfiling()));
  }

  private static void markEnded(Transition transition, int chain) {
    ChainState state = transition.chain(chain);
    List<Instant> ended = new ArrayList<>(state.ended());
    ended.add(transition.now);
    transition.chain(
        chain,
        new ChainState(
            state.group() + 1, state.members(), List.of(), List.of(), 0, state.started(), ended));
  }

  private static void promote(
      Transition transition,
      int chain,
      TrialGroup group,
      SearchDecision.BeginGroup begins,
      List<TrialState> alive) {
    if (transition.definition.workload().population().isEmpty()) {
      recordPromotion(transition, group, begins.members(), alive);
    }
    TrialGroup next = transition.chainDefinition(chain).groups().get(begins.group());
    if (LimitWatchdog.budgetAllowsGroup(transition, next)) {
      startGroup(transition, chain, begins.group(), begins.members());
    }
  }

  private static void recordPromotion(
      Transition transition, TrialGroup group, List<Integer> survivors, List<TrialState> alive) {
    Map<String, Double> numbers = new TreeMap<>();
    numbers.put("kept", (double) survivors.size());
    numbers.put("alive", (double) alive.size());
    Metric.Goal goal = transition.definition.metric().goal();
    Comparator<Double> byLoss = Comparator.comparingDouble(it -> TrialResult.loss(it, goal));
    alive.stream()
        .filter(trial -> survivors.contains(trial.trial()) && trial.hasValue())
        .limit(MOST_METRICS)
        .forEach(
            trial -> numbers.put("metric_" + trial.trial(), trial.metric().orElse(Double.NaN)));
    alive.stream()
        .filter(trial -> !survivors.contains(trial.trial()) && trial.hasValue())
        .map(trial -> trial.metric().orElse(Double.NaN))
        .min(byLoss)
        .ifPresent(best -> numbers.put("metric_best_other", best));
    transition.recordDecision(
        DecisionKind.PROMOTE,
        new DecisionReason(
            ReasonCode.TRIALS_PROMOTED,
            Stream.concat(Stream.of(group.name()), survivors.stream().map(String::valueOf))
                .toList()),
        numbers);
  }

  /** Ends all chains at once, because a trial has reached the target of the search. */
  static void end(Transition transition) {
    for (int chain = 0; chain < transition.chainCount(); chain++) {
      if (transition.group(chain).isPresent()) {
        markEnded(transition, chain);
        endChain(transition, chain);
      }
    }
  }

  private static void endChain(Transition transition, int chain) {
    skipTo(transition, chain, transition.chainDefinition(chain).groups().size());
  }

  /** Skips the groups of a chain before {@code group}: they count as started and ended now. */
  private static void skipTo(Transition transition, int chain, int group) {
    ChainState state = transition.chain(chain);
    int skipped = group - state.group();
    List<Instant> started = new ArrayList<>(state.started());
    started.addAll(Collections.nCopies(skipped, transition.now));
    List<Instant> ended = new ArrayList<>(state.ended());
    ended.addAll(Collections.nCopies(skipped, transition.now));
    transition.chain(
        chain, new ChainState(group, state.members(), List.of(), List.of(), 0, started, ended));
  }
}

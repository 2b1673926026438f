package io.elastune.executor.core;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Decides which trials run. Waiting trials start in order of their number as slots become free, a
 * group ends when its last trial ends, and the best trials are promoted (docs/model.md, "Time" and
 * "Searches as trial groups").
 */
final class Scheduler {
  private Scheduler() {}

  static void begin(Draft draft) {
    for (int chain = 0; chain < draft.chainCount(); chain++) {
      startGroup(draft, chain, 0, List.of());
    }
  }

  /** Continues a chain from the state that an earlier controller left. */
  static void goOn(Draft draft, int chain) {
    ChainState state = draft.chain(chain);
    List<TrialGroup> groups = draft.groupsOf(chain).groups();
    if (state.group() >= groups.size()) {
      return;
    }
    TrialGroup group = groups.get(state.group());
    if (state.started().size() > state.group()) {
      draft.chain(chain, state.resumed(unfinished(draft, state, group)));
    } else {
      startStopped(draft, chain, group);
    }
  }

  /** Trials of the group that have not reached its end and have no attempt. */
  private static List<Integer> unfinished(Draft draft, ChainState state, TrialGroup group) {
    return state.members().stream()
        .map(draft::trial)
        .filter(trial -> trial.status() == TrialState.Status.WAITING)
        .filter(trial -> trial.unit() < group.toUnit())
        .map(TrialState::trial)
        .sorted()
        .toList();
  }

  /** Starts a group before which the run was stopped. */
  private static void startStopped(Draft draft, int chain, TrialGroup group) {
    List<Integer> survivors =
        draft.chain(chain).members().stream()
            .filter(trial -> draft.trial(trial).status() == TrialState.Status.WAITING)
            .toList();
    if (survivors.isEmpty() && group.fromUnit() > 0) {
      draft.stop(RunOutcome.TRIALS_FAILED, "no trial is left for group " + group.name(), false);
    } else if (Watch.mayStartGroup(draft, group)) {
      startGroup(draft, chain, draft.chain(chain).group(), survivors);
    }
  }

  /** Starts waiting trials, ends completed groups, and releases surplus instances. */
  static void settle(Draft draft) {
    for (int chain = 0; chain < draft.chainCount(); chain++) {
      boolean changed = true;
      while (changed && draft.running() && draft.group(chain).isPresent()) {
        startWaiting(draft, chain);
        changed = endGroupIfDone(draft, chain);
      }
      ClusterManager.releaseSurplus(draft, chain);
    }
  }

  private static void startGroup(Draft draft, int chain, int index, List<Integer> survivors) {
    TrialGroup group = draft.groupsOf(chain).groups().get(index);
    List<Integer> members =
        group.fromUnit() == 0 ? freshTrials(draft, chain, group.trials()) : survivors;
    ChainState before = draft.chain(chain);
    List<Instant> started = new ArrayList<>(before.started());
    started.add(draft.now);
    draft.chain(
        chain, new ChainState(index, members, members, List.of(), 0, started, before.ended()));
    Allocation allocation = draft.allocation(group);
    int requested = ClusterManager.requestMissing(draft, chain, group, allocation);
    draft.noteStart(
        group,
        members.size()
            + (members.size() == 1 ? " trial" : " trials")
            + " to unit "
            + group.toUnit()
            + " on "
            + allocation.instances()
            + " x "
            + allocation.offer(),
        Map.of(
            "trials", (double) members.size(),
            "instances", (double) allocation.instances(),
            "requested", (double) requested));
  }

  private static List<Integer> freshTrials(Draft draft, int chain, int count) {
    int first = draft.trials().isEmpty() ? 1 : draft.trials().lastKey() + 1;
    List<Integer> fresh = IntStream.range(first, first + count).boxed().toList();
    fresh.forEach(trial -> draft.addTrial(TrialState.fresh(trial, chain)));
    return fresh;
  }

  private static void startWaiting(Draft draft, int chain) {
    Optional<TrialGroup> group = draft.group(chain);
    if (group.isEmpty()) {
      return;
    }
    Allocation allocation = draft.allocation(group.get());
    PlacementController.formTeams(draft, chain, allocation);
    List<Integer> waiting = draft.chain(chain).waiting();
    List<List<Place>> places = PlacementController.places(draft, chain, allocation, waiting);
    for (int i = 0; i < places.size(); i++) {
      startAttempt(draft, draft.trial(waiting.get(i)), group.get(), places.get(i));
    }
    draft.chain(
        chain, draft.chain(chain).withWaiting(waiting.subList(places.size(), waiting.size())));
  }

  private static void startAttempt(
      Draft draft, TrialState trial, TrialGroup group, List<Place> places) {
    draft.trial(trial.trial(), state -> state.started(places));
    String id = AttemptState.id(trial.trial(), group.name(), trial.attempts() + 1);
    int from = Math.min(trial.checkpoint(), group.toUnit() - 1);
    draft.put(
        new AttemptState(
            id,
            trial.trial(),
            trial.chain(),
            group.name(),
            from,
            group.toUnit(),
            places,
            from,
            draft.now,
            draft.now,
            draft.now,
            OptionalDouble.empty(),
            AttemptState.Ending.NOT));
    places.stream()
        .map(Place::lease)
        .distinct()
        .flatMap(lease -> draft.lease(lease).stream())
        .forEach(lease -> draft.put(lease.busy(draft.now)));
    draft.command(
        new Command.StartAttempt(id, trial.trial(), group.name(), from, group.toUnit(), places));
  }

  /** Ends the chain's group if none of its trials waits or runs, and returns whether it did. */
  private static boolean endGroupIfDone(Draft draft, int chain) {
    Optional<TrialGroup> group = draft.group(chain);
    ChainState state = draft.chain(chain);
    if (group.isEmpty() || !state.waiting().isEmpty() || draft.hasAttempts(chain)) {
      return false;
    }
    ClusterManager.releaseSurplus(draft, chain); // before the next group could use it
    endGroup(draft, chain, group.get());
    return true;
  }

  private static void endGroup(Draft draft, int chain, TrialGroup group) {
    List<TrialState> alive =
        draft.chain(chain).members().stream()
            .map(draft::trial)
            .filter(trial -> trial.status() == TrialState.Status.WAITING)
            .toList();
    markEnded(draft, chain);
    int next = draft.chain(chain).group();
    List<TrialGroup> groups = draft.groupsOf(chain).groups();
    boolean nextIsFresh = next < groups.size() && groups.get(next).fromUnit() == 0;
    if (alive.isEmpty() && !nextIsFresh) {
      draft.stop(
          RunOutcome.TRIALS_FAILED, "no trial of group " + group.name() + " succeeded", false);
      return;
    }
    if (next == groups.size() || nextIsFresh) {
      alive.forEach(t -> draft.trial(t.trial(), s -> s.as(TrialState.Status.COMPLETED)));
      if (next < groups.size()) {
        startGroup(draft, chain, next, List.of());
      }
      return;
    }
    promote(draft, chain, group, groups.get(next), alive);
  }

  private static void markEnded(Draft draft, int chain) {
    ChainState state = draft.chain(chain);
    List<Instant> ended = new ArrayList<>(state.ended());
    ended.add(draft.now);
    draft.chain(
        chain,
        new ChainState(
            state.group() + 1, state.members(), List.of(), List.of(), 0, state.started(), ended));
  }

  private static void promote(
      Draft draft, int chain, TrialGroup group, TrialGroup next, List<TrialState> alive) {
    List<TrialState> ranked = Ranking.best(alive, draft.definition.metric().goal());
    List<Integer> survivors =
        ranked.stream().limit(next.trials()).map(TrialState::trial).sorted().toList();
    alive.stream()
        .filter(trial -> !survivors.contains(trial.trial()))
        .forEach(t -> draft.trial(t.trial(), s -> s.as(TrialState.Status.STOPPED)));
    draft.note(
        DecisionKind.PROMOTE,
        survivors.size()
            + " of "
            + alive.size()
            + " trials of group "
            + group.name()
            + " continue: "
            + survivors,
        Map.of("kept", (double) survivors.size(), "alive", (double) alive.size()));
    if (!Watch.mayStartGroup(draft, next)) {
      return;
    }
    startGroup(draft, chain, draft.chain(chain).group(), survivors);
  }
}

package io.elastune.executor.core;

import io.elastune.core.allocation.Slots;
import io.elastune.core.allocation.TeamMember;
import io.elastune.core.plan.Allocation;
import io.elastune.core.time.Seconds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds free GPU slots for trials, each on one instance or on a team of whole instances. A trial
 * that fits on one instance is never split; it waits. {@link Placement} selects among the free
 * slots.
 */
final class PlacementController {
  private static final Set<String> NONE = Set.of();

  private PlacementController() {}

  /** Forms teams of ready instances, in order of (ready time, number), if trials need them. */
  static void formTeams(Draft draft, int chain, Allocation allocation) {
    int size = teamSize(draft, allocation);
    if (size <= 1) {
      return;
    }
    List<List<String>> teams = new ArrayList<>(draft.chain(chain).teams());
    teams.removeIf(
        team ->
            !team.stream().allMatch(id -> draft.lease(id).filter(LeaseState::held).isPresent()));
    Set<String> members = teams.stream().flatMap(List::stream).collect(Collectors.toSet());
    List<TeamMember> free =
        draft.held(chain, allocation.offer()).stream()
            .filter(lease -> lease.isReady() && !members.contains(lease.lease()))
            .map(lease -> new TeamMember(readyS(draft, lease), lease.number()))
            .toList();
    for (List<Integer> team : TeamMember.teams(free, size)) {
      teams.add(team.stream().map(number -> draft.lease(number).lease()).toList());
    }
    draft.chain(chain, draft.chain(chain).withTeams(teams));
  }

  /**
   * Returns the slots for the first of the {@code waiting} trials, as many as are free, in their
   * order; one entry per worker.
   */
  static List<List<Place>> places(
      Draft draft, int chain, Allocation allocation, List<Integer> waiting) {
    List<List<List<Place>>> free = new ArrayList<>();
    if (teamSize(draft, allocation) > 1) {
      freeTeams(draft, chain, allocation).forEach(team -> free.add(List.of(team)));
    } else {
      draft.held(chain, allocation.offer()).stream()
          .filter(LeaseState::isReady)
          .map(lease -> freeSlots(draft, lease, allocation))
          .filter(slots -> !slots.isEmpty())
          .forEach(free::add);
    }
    int count = Math.min(waiting.size(), free.stream().mapToInt(List::size).sum());
    List<TrialState> trials = waiting.subList(0, count).stream().map(draft::trial).toList();
    List<TrialSite> sites = free.stream().map(PlacementController::site).toList();
    int[] placed =
        Placement.of(sites, trials.stream().map(t -> t.hung() ? NONE : t.home()).toList());
    return take(
        free,
        new Elsewhere(sites, trials.stream().map(t -> t.hung() ? t.home() : NONE).toList())
            .placed(placed));
  }

  private static TrialSite site(List<List<Place>> slots) {
    return new TrialSite(slots.get(0).stream().map(Place::lease).distinct().toList(), slots.size());
  }

  /** The next slot of its site, for each trial. */
  private static List<List<Place>> take(List<List<List<Place>>> free, int[] sites) {
    int[] taken = new int[free.size()];
    return IntStream.of(sites).mapToObj(site -> free.get(site).get(taken[site]++)).toList();
  }

  /** Returns the number of whole instances that a trial takes; 1 if it fits on one. */
  static int teamSize(Draft draft, Allocation allocation) {
    return Slots.teamSize(draft.definition.offer(allocation.offer()), allocation);
  }

  /**
   * Returns the number of instances that {@code trials} trials of {@code allocation} use at once.
   */
  static int instancesFor(Draft draft, Allocation allocation, int trials) {
    int perTeam = Slots.perTeam(draft.definition.offer(allocation.offer()), allocation);
    return (trials + perTeam - 1) / perTeam * teamSize(draft, allocation);
  }

  private static double readyS(Draft draft, LeaseState lease) {
    return Seconds.between(draft.began(), lease.readyAt().orElse(draft.now));
  }

  private static List<List<Place>> freeTeams(Draft draft, int chain, Allocation allocation) {
    int gpus = draft.definition.offer(allocation.offer()).gpus();
    return draft.chain(chain).teams().stream()
        .filter(team -> team.stream().allMatch(lease -> isFree(draft, lease)))
        .map(
            team ->
                team.stream()
                    .flatMap(lease -> IntStream.range(0, gpus).mapToObj(g -> new Place(lease, g)))
                    .toList())
        .toList();
  }

  private static boolean isFree(Draft draft, String lease) {
    return draft.lease(lease).filter(LeaseState::isReady).isPresent() && !draft.occupied(lease);
  }

  /** The free slots of an instance, the lowest GPU first. */
  private static List<List<Place>> freeSlots(Draft draft, LeaseState lease, Allocation allocation) {
    int gpus = draft.definition.offer(lease.offer()).gpus();
    int size = allocation.gpusPerTrial();
    int[] trialsOn = new int[gpus];
    for (AttemptState attempt : draft.attempts()) {
      for (Place place : attempt.places()) {
        if (place.lease().equals(lease.lease())) {
          trialsOn[place.gpu()]++;
        }
      }
    }
    List<List<Place>> slots = new ArrayList<>();
    for (int first = 0; first + size <= gpus; first += size) {
      int busiest = IntStream.range(first, first + size).map(gpu -> trialsOn[gpu]).max().orElse(0);
      List<Place> slot =
          IntStream.range(first, first + size)
              .mapToObj(gpu -> new Place(lease.lease(), gpu))
              .toList();
      slots.addAll(Collections.nCopies(Math.max(0, allocation.trialsPerGpu() - busiest), slot));
    }
    return slots;
  }
}

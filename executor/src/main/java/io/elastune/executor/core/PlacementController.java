package io.elastune.executor.core;

import io.elastune.core.allocation.Slots;
import io.elastune.core.allocation.TeamMember;
import io.elastune.core.plan.Allocation;
import io.elastune.core.time.Seconds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds the place of a trial: whole on one instance, or on a team of whole instances; the lowest
 * instance number and slot first, so that trials pack (model.md, "Time").
 */
final class PlacementController {
  private PlacementController() {}

  /** Joins ready instances to teams, in order of (ready time, number), where trials need them. */
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

  /** The first free place for a trial of {@code allocation}, one entry per worker. */
  static Optional<List<Place>> free(Draft draft, int chain, Allocation allocation) {
    return teamSize(draft, allocation) > 1
        ? freeTeam(draft, chain, allocation)
        : freeSlot(draft, chain, allocation);
  }

  /** Whole instances that a trial takes; 1 if it fits in one. */
  static int teamSize(Draft draft, Allocation allocation) {
    return Slots.teamSize(draft.definition.offer(allocation.offer()), allocation);
  }

  /** Instances that so many trials of {@code allocation} keep busy at once. */
  static int instancesFor(Draft draft, Allocation allocation, int trials) {
    int perTeam = Slots.perTeam(draft.definition.offer(allocation.offer()), allocation);
    return (trials + perTeam - 1) / perTeam * teamSize(draft, allocation);
  }

  private static double readyS(Draft draft, LeaseState lease) {
    return Seconds.between(draft.began(), lease.readyAt().orElse(draft.now));
  }

  private static Optional<List<Place>> freeTeam(Draft draft, int chain, Allocation allocation) {
    int gpus = draft.definition.offer(allocation.offer()).gpus();
    return draft.chain(chain).teams().stream()
        .filter(team -> team.stream().allMatch(lease -> isFree(draft, lease)))
        .findFirst()
        .map(
            team ->
                team.stream()
                    .flatMap(lease -> IntStream.range(0, gpus).mapToObj(g -> new Place(lease, g)))
                    .toList());
  }

  private static boolean isFree(Draft draft, String lease) {
    return draft.lease(lease).filter(LeaseState::isReady).isPresent() && !draft.occupied(lease);
  }

  private static Optional<List<Place>> freeSlot(Draft draft, int chain, Allocation allocation) {
    return draft.held(chain, allocation.offer()).stream()
        .filter(LeaseState::isReady)
        .flatMap(lease -> freeSlotOn(draft, lease, allocation).stream())
        .findFirst();
  }

  private static Optional<List<Place>> freeSlotOn(
      Draft draft, LeaseState lease, Allocation allocation) {
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
    for (int first = 0; first + size <= gpus; first += size) {
      if (IntStream.range(first, first + size)
          .allMatch(gpu -> trialsOn[gpu] < allocation.trialsPerGpu())) {
        return Optional.of(
            IntStream.range(first, first + size)
                .mapToObj(gpu -> new Place(lease.lease(), gpu))
                .toList());
      }
    }
    return Optional.empty();
  }
}

package io.elastune.executor.decision;

import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.allocation.TeamMember;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.plan.Allocation;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.TrialState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  static void formTeams(Transition transition, int chain, Allocation allocation) {
    int size = teamSize(transition, allocation);
    if (size <= 1) {
      return;
    }
    List<List<String>> teams = new ArrayList<>(transition.chain(chain).teams());
    teams.removeIf(
        team ->
            !team.stream()
                .allMatch(id -> transition.lease(id).filter(LeaseState::held).isPresent()));
    Set<String> members = teams.stream().flatMap(List::stream).collect(Collectors.toSet());
    List<TeamMember> free =
        transition.held(chain, allocation.offer()).stream()
            .filter(lease -> lease.isReady() && !members.contains(lease.lease()))
            .map(lease -> new TeamMember(readyS(transition, lease), lease.number()))
            .toList();
    for (List<Integer> team : TeamMember.teams(free, size)) {
      teams.add(team.stream().map(number -> transition.lease(number).lease()).toList());
    }
    transition.chain(chain, transition.chain(chain).withTeams(teams));
  }

  /**
   * Returns the slots for the first of the {@code waiting} trials, as many as are free, in their
   * order; one entry per worker.
   */
  static List<List<GpuSlot>> places(
      Transition transition, int chain, Allocation allocation, List<Integer> waiting) {
    List<List<List<GpuSlot>>> free;
    if (teamSize(transition, allocation) > 1) {
      free = freeTeams(transition, chain, allocation).stream().map(List::of).toList();
    } else {
      free = freeSlotsByInstance(transition, chain, allocation);
    }
    return assign(transition, free, waiting);
  }

  /**
   * Returns the slots for the first of the {@code waiting} trials, as many as are free, in their
   * order.
   *
   * @param free the free slots of each instance or team that has any
   */
  static List<List<GpuSlot>> assign(
      Transition transition, List<List<List<GpuSlot>>> free, List<Integer> waiting) {
    int count = Math.min(waiting.size(), free.stream().mapToInt(List::size).sum());
    List<TrialState> trials = waiting.subList(0, count).stream().map(transition::trial).toList();
    List<TrialSite> sites = free.stream().map(PlacementController::site).toList();
    boolean fills = !free.isEmpty() && billsUse(transition, free.get(0));
    int[] placed =
        Placement.of(sites, trials.stream().map(t -> fills || t.hung() ? NONE : t.home()).toList());
    return take(
        free,
        new HungTrialPlacement(sites, trials.stream().map(t -> t.hung() ? t.home() : NONE).toList())
            .place(placed),
        trials);
  }

  /**
   * Whether only the time in which trials run is billed. Then they fill one instance after the
   * other, as the prediction assumes: on fewer instances, they run in less billed time.
   */
  private static boolean billsUse(Transition transition, List<List<GpuSlot>> slots) {
    LeaseState lease = transition.lease(slots.get(0).get(0).lease()).orElseThrow();
    return transition.definition.offer(lease.offer()).billing().per() == BillingTerms.Per.USE;
  }

  private static TrialSite site(List<List<GpuSlot>> slots) {
    return new TrialSite(
        slots.get(0).stream().map(GpuSlot::lease).distinct().toList(), slots.size());
  }

  /**
   * A slot of its site for each trial: the one of its last attempt, where its workers may still
   * wait, or else the first that is left.
   */
  private static List<List<GpuSlot>> take(
      List<List<List<GpuSlot>>> free, int[] sites, List<TrialState> trials) {
    List<List<List<GpuSlot>>> left = new ArrayList<>();
    free.forEach(slots -> left.add(new ArrayList<>(slots)));
    List<List<GpuSlot>> taken = new ArrayList<>();
    for (int i = 0; i < sites.length; i++) {
      List<GpuSlot> last = trials.get(i).hung() ? List.of() : trials.get(i).slots();
      taken.add(left.get(sites[i]).remove(last) ? last : List.of());
    }
    for (int i = 0; i < sites.length; i++) {
      if (taken.get(i).isEmpty()) {
        taken.set(i, left.get(sites[i]).remove(0));
      }
    }
    return taken;
  }

  /** Returns the number of whole instances that a trial takes; 1 if it fits on one. */
  static int teamSize(Transition transition, Allocation allocation) {
    return SlotCounts.teamSize(transition.definition.offer(allocation.offer()), allocation);
  }

  /**
   * Returns the number of instances that {@code trials} trials of {@code allocation} use at once.
   */
  static int instancesFor(Transition transition, Allocation allocation, int trials) {
    int perTeam =
        SlotCounts.trialsPerTeam(transition.definition.offer(allocation.offer()), allocation);
    return (trials + perTeam - 1) / perTeam * teamSize(transition, allocation);
  }

  private static double readyS(Transition transition, LeaseState lease) {
    return Seconds.between(transition.startedAt(), lease.readyAt().orElse(transition.now));
  }

  private static List<List<GpuSlot>> freeTeams(
      Transition transition, int chain, Allocation allocation) {
    int gpus = transition.definition.offer(allocation.offer()).gpus();
    return transition.chain(chain).teams().stream()
        .filter(team -> team.stream().allMatch(lease -> isFree(transition, lease)))
        .map(
            team ->
                team.stream()
                    .flatMap(lease -> IntStream.range(0, gpus).mapToObj(g -> new GpuSlot(lease, g)))
                    .toList())
        .toList();
  }

  private static boolean isFree(Transition transition, String lease) {
    return transition.lease(lease).filter(LeaseState::isReady).isPresent()
        && !transition.occupied(lease);
  }

  /** Returns the free slots of all ready instances in the order of their numbers. */
  static List<List<GpuSlot>> freeSlots(Transition transition, int chain, Allocation allocation) {
    return freeSlotsByInstance(transition, chain, allocation).stream()
        .flatMap(List::stream)
        .toList();
  }

  /** The free slots of each ready instance that has any, the lowest GPU first. */
  private static List<List<List<GpuSlot>>> freeSlotsByInstance(
      Transition transition, int chain, Allocation allocation) {
    int gpus = transition.definition.offer(allocation.offer()).gpus();
    Map<String, int[]> trialsOn = new LinkedHashMap<>();
    for (LeaseState lease : transition.held(chain, allocation.offer())) {
      if (lease.isReady()) {
        trialsOn.put(lease.lease(), new int[gpus]);
      }
    }
    for (AttemptState attempt : transition.attempts()) {
      for (GpuSlot gpuSlot : attempt.places()) {
        int[] counts = trialsOn.get(gpuSlot.lease());
        if (counts != null) {
          counts[gpuSlot.gpu()]++;
        }
      }
    }
    List<List<List<GpuSlot>>> free = new ArrayList<>();
    trialsOn.forEach(
        (lease, counts) -> {
          List<List<GpuSlot>> slots = freeSlots(lease, counts, allocation);
          if (!slots.isEmpty()) {
            free.add(slots);
          }
        });
    return free;
  }

  /**
   * @param trialsOn the number of trials on each GPU of the instance
   */
  private static List<List<GpuSlot>> freeSlots(
      String lease, int[] trialsOn, Allocation allocation) {
    int size = allocation.gpusPerTrial();
    List<List<GpuSlot>> slots = new ArrayList<>();
    for (int first = 0; first + size <= trialsOn.length; first += size) {
      int busiest = 0;
      for (int gpu = first; gpu < first + size; gpu++) {
        busiest = Math.max(busiest, trialsOn[gpu]);
      }
      int free = allocation.trialsPerGpu() - busiest;
      if (free > 0) {
        List<GpuSlot> slot =
            IntStream.range(first, first + size).mapToObj(gpu -> new GpuSlot(lease, gpu)).toList();
        slots.addAll(Collections.nCopies(free, slot));
      }
    }
    return slots;
  }
}

package io.elastune.core.timeline;

import io.elastune.core.allocation.SiteAssignment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Places tasks that start at once, as a run does: on the instances where their trials ran, as far
 * as that takes no further instance ({@link SiteAssignment}), and there on the same GPUs.
 */
final class HomeSlots {
  private HomeSlots() {}

  /**
   * An instance or a team with free slots.
   *
   * @param firstGpus the first GPU of each free slot, ascending; equal ones if trials share GPUs
   */
  record Site(List<Instance> members, List<Integer> firstGpus) {
    Site {
      members = List.copyOf(members);
      firstGpus = List.copyOf(firstGpus);
    }
  }

  /** A slot of a site, by the index of the site. */
  record Slot(int site, int firstGpu) {}

  /**
   * Returns the slot of each task.
   *
   * @param sites in the order of their numbers, with enough slots
   * @param gpus GPUs of each task
   * @param fills whether trials fill one site after the other, wherever they ran
   */
  static List<Slot> assign(
      ManagedCluster cluster, List<Task> tasks, List<Site> sites, int gpus, boolean fills) {
    Map<Integer, Integer> siteOf = new HashMap<>();
    int[] rooms = new int[sites.size()];
    List<List<Integer>> left = new ArrayList<>();
    for (int site = 0; site < rooms.length; site++) {
      rooms[site] = sites.get(site).firstGpus().size();
      left.add(new ArrayList<>(sites.get(site).firstGpus()));
      for (Instance member : sites.get(site).members()) {
        siteOf.put(member.number(), site);
      }
    }
    Task[] last = tasks.stream().map(cluster::home).toArray(Task[]::new);
    int[][] homes = new int[last.length][];
    for (int i = 0; i < last.length; i++) {
      homes[i] = fills ? new int[0] : sites(last[i], siteOf);
    }
    int[] placed = SiteAssignment.of(rooms, homes);
    Slot[] slots = new Slot[placed.length];
    for (int i = 0; i < placed.length; i++) {
      Task home = last[i];
      boolean isThere =
          home != null
              && home.others.length == 0
              && home.gpus == gpus
              && siteOf.getOrDefault(home.instance, Task.NONE) == placed[i]
              && left.get(placed[i]).remove((Integer) home.firstGpu);
      if (isThere) {
        slots[i] = new Slot(placed[i], home.firstGpu);
      }
    }
    for (int i = 0; i < placed.length; i++) {
      if (slots[i] == null) {
        slots[i] = new Slot(placed[i], left.get(placed[i]).remove(0));
      }
    }
    return List.of(slots);
  }

  private static int[] sites(@Nullable Task last, Map<Integer, Integer> siteOf) {
    if (last == null || last.avoided != Task.NONE) {
      return new int[0];
    }
    return IntStream.concat(IntStream.of(last.instance), IntStream.of(last.others))
        .filter(siteOf::containsKey)
        .map(siteOf::get)
        .distinct()
        .sorted()
        .toArray();
  }
}

package io.elastune.provisioner.local;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Allocates cores to the slots of one instance. Each slot gets its own cores as long as enough are
 * free. Otherwise the least used cores are shared.
 */
final class CoreAllocator {
  /** The number of slots that use each core. */
  private final TreeMap<Integer, Integer> users = new TreeMap<>();

  /**
   * Creates an allocator.
   *
   * @param cores the cores that it may allocate
   * @param used the cores in use, once for each slot that uses them; others are ignored
   */
  CoreAllocator(List<Integer> cores, List<Integer> used) {
    cores.forEach(core -> users.put(core, 0));
    used.forEach(core -> users.computeIfPresent(core, (number, slots) -> slots + 1));
  }

  /**
   * Allocates cores to slots.
   *
   * @return the cores of each slot
   */
  List<List<Integer>> allocate(int slots, int coresPerSlot) {
    List<List<Integer>> taken = new ArrayList<>();
    for (int slot = 0; slot < slots; slot++) {
      List<Integer> leastUsed =
          users.keySet().stream()
              .sorted(Comparator.comparing(users::get))
              .limit(coresPerSlot)
              .sorted()
              .toList();
      leastUsed.forEach(core -> users.merge(core, 1, Integer::sum));
      taken.add(leastUsed);
    }
    return taken;
  }

  /** Returns whether several slots use one of these cores. */
  boolean isShared(List<List<Integer>> slots) {
    return slots.stream().flatMap(List::stream).anyMatch(core -> users.getOrDefault(core, 0) > 1);
  }
}

package io.elastune.provisioner.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Allocates the machine's cores to slots. Each slot gets its own cores as long as enough are free.
 * Otherwise the least used cores are shared, and a warning is logged once.
 */
final class CoreAllocator {
  private static final Logger LOG = LoggerFactory.getLogger(CoreAllocator.class);
  private static final String ALLOWED = "Cpus_allowed_list:";

  /** The number of slots that use each core. */
  private final TreeMap<Integer, Integer> users = new TreeMap<>();

  private boolean warned;

  CoreAllocator(List<Integer> cores) {
    cores.forEach(core -> users.put(core, 0));
  }

  /** Returns an allocator of the cores that this process may use, which containers may restrict. */
  static CoreAllocator ofThisMachine() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith(ALLOWED)) {
          return new CoreAllocator(parse(line.substring(ALLOWED.length()).trim()));
        }
      }
    } catch (IOException | NumberFormatException e) {
      return firstOnes();
    }
    return firstOnes();
  }

  private static CoreAllocator firstOnes() {
    List<Integer> cores = new ArrayList<>();
    for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
      cores.add(core);
    }
    return new CoreAllocator(cores);
  }

  /** Parses a list of cores such as {@code 0-2,5}. */
  static List<Integer> parse(String list) {
    List<Integer> cores = new ArrayList<>();
    for (String part : list.split(",", -1)) {
      String[] ends = part.split("-", 2);
      for (int core = Integer.parseInt(ends[0]);
          core <= Integer.parseInt(ends[ends.length - 1]);
          core++) {
        cores.add(core);
      }
    }
    return cores;
  }

  int count() {
    return users.size();
  }

  /**
   * Allocates cores to slots.
   *
   * @return for each slot its cores, as a list for {@code taskset -c}
   */
  List<String> allocate(int slots, int coresPerSlot) {
    List<String> taken = new ArrayList<>();
    for (int slot = 0; slot < slots; slot++) {
      taken.add(takeSlot(Math.min(coresPerSlot, count())));
    }
    if (!warned && (coresPerSlot > count() || isShared(taken))) {
      warned = true;
      LOG.warn(
          "Instances need more than the {} cores of this machine: they share cores and run slower",
          count());
    }
    return taken;
  }

  private String takeSlot(int cores) {
    List<Integer> leastUsed =
        users.keySet().stream()
            .sorted(Comparator.comparing(users::get))
            .limit(cores)
            .sorted()
            .toList();
    leastUsed.forEach(core -> users.merge(core, 1, Integer::sum));
    return String.join(",", leastUsed.stream().map(String::valueOf).toList());
  }

  /** Returns whether another slot uses a core of these slots. */
  boolean isShared(List<String> slots) {
    return slots.stream()
        .flatMap(slot -> parse(slot).stream())
        .anyMatch(core -> users.getOrDefault(core, 0) > 1);
  }

  /** Frees the cores that {@link #allocate} allocated. */
  void free(List<String> slots) {
    for (String slot : slots) {
      new TreeSet<>(parse(slot)).forEach(core -> users.merge(core, -1, Integer::sum));
    }
  }
}

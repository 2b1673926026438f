package io.elastune.provisioner.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Reads which cores this process may use; its affinity and its container may restrict them. */
final class AllowedCores {
  private static final String ALLOWED = "Cpus_allowed_list:";

  private AllowedCores() {}

  static List<Integer> ofThisProcess() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith(ALLOWED)) {
          return limited(parse(line.substring(ALLOWED.length()).trim()));
        }
      }
    } catch (IOException | NumberFormatException e) {
      return firstOnes();
    }
    return firstOnes();
  }

  /** A quota of CPU time (cgroup) may allow less than the affinity: Java's count respects it. */
  private static List<Integer> limited(List<Integer> cores) {
    int most = Math.min(cores.size(), Runtime.getRuntime().availableProcessors());
    return cores.subList(0, Math.max(1, most));
  }

  private static List<Integer> firstOnes() {
    return IntStream.range(0, Runtime.getRuntime().availableProcessors()).boxed().toList();
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
}

package io.elastune.executor.local;

import io.elastune.provisioner.process.KernelFile;
import io.elastune.provisioner.process.MemoryLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads the kernel's counter of processes that it killed because memory was exhausted. The counter
 * is that of this process's control group, which its workers inherit, and otherwise that of the
 * machine. Used on the engine's event loop only.
 */
final class OomKillCounter {
  private static final String FIELD = "oom_kill ";

  private final Optional<Path> source;
  private long attributed;

  /** Creates a counter that reads the first of the {@code sources} that has the counter. */
  OomKillCounter(List<Path> sources) {
    source = sources.stream().filter(file -> read(file).isPresent()).findFirst();
  }

  static OomKillCounter ofThisProcess() {
    List<Path> sources =
        new ArrayList<>(
            MemoryLimits.ofThisMachine()
                .groupFiles(MemoryLimits.SELF, "memory.events", "memory.oom_control"));
    sources.add(Path.of("/proc/vmstat"));
    return new OomKillCounter(sources);
  }

  /** Returns the number of kills so far; 0 on a system without the counter. */
  long value() {
    return source.map(file -> read(file).orElse(0)).orElse(0L);
  }

  /**
   * Returns whether the kernel killed a process since the counter had the value {@code before}.
   * Each kill is returned once.
   */
  boolean attributeKillSince(long before) {
    long known = Math.max(before, attributed);
    if (value() <= known) {
      return false;
    }
    attributed = known + 1;
    return true;
  }

  private static OptionalLong read(Path file) {
    return KernelFile.lines(file).stream()
        .filter(line -> line.startsWith(FIELD))
        .map(line -> line.substring(FIELD.length()).trim())
        .filter(count -> count.matches("\\d{1,18}"))
        .mapToLong(Long::parseLong)
        .findFirst();
  }
}

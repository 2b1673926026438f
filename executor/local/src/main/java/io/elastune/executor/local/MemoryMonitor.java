package io.elastune.executor.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Measures the most memory that the workers of an attempt and their children have used together, by
 * samples on Linux. Used on the engine's event loop only.
 */
final class MemoryMonitor {
  private static final Path PROC = Path.of("/proc");
  private static final long KILOBYTE = 1024;
  private static final double GIGABYTE = 1e9;

  private int samples;
  private long peakBytes;
  private OptionalLong limit = OptionalLong.empty();

  /** Samples the processes with these ids and their children. */
  void sample(Collection<Long> workers) {
    Deque<Long> pending = new ArrayDeque<>(workers);
    Set<Long> seen = new HashSet<>();
    samples++;
    long together = 0;
    long most = -1;
    long largest = 0;
    while (!pending.isEmpty()) {
      long pid = pending.remove();
      if (!seen.add(pid)) {
        continue;
      }
      Path folder = PROC.resolve(Long.toString(pid));
      List<String> status = lines(folder.resolve("status"));
      long resident = kilobytes(status, "VmRSS:") * KILOBYTE;
      together += resident;
      if (resident > most) {
        most = resident;
        largest = pid;
      }
      // The peak of a single process, which may lie between two samples.
      peakBytes = Math.max(peakBytes, kilobytes(status, "VmHWM:") * KILOBYTE);
      lines(folder.resolve("task").resolve(Long.toString(pid)).resolve("children")).stream()
          .flatMap(line -> Stream.of(line.trim().split(" ", -1)))
          .filter(child -> child.matches("[0-9]{1,18}"))
          .forEach(child -> pending.add(Long.parseLong(child)));
    }
    peakBytes = Math.max(peakBytes, together);
    if (most > 0) {
      limit = limit(Long.toString(largest));
    }
  }

  private static long kilobytes(List<String> status, String field) {
    return status.stream()
        .filter(line -> line.startsWith(field))
        .map(line -> line.substring(field.length()).replace("kB", "").trim())
        .filter(number -> number.matches("[0-9]{1,15}"))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }

  /**
   * Returns e.g. {@code peak memory 1.9 GB of 2.0 GB}; empty if nothing was measured. A single
   * sample shows a program before it has allocated its memory.
   */
  String text() {
    return samples < 2 || peakBytes == 0
        ? ""
        : "peak memory "
            + gigabytes(peakBytes)
            + (limit.isPresent() ? " of " + gigabytes(limit.getAsLong()) : "");
  }

  private static String gigabytes(long bytes) {
    return String.format(Locale.ROOT, "%.2f GB", bytes / GIGABYTE);
  }

  /** The memory of a process's control group and of that of this process, or of the machine. */
  private static OptionalLong limit(String pid) {
    List<Path> groups =
        new ArrayList<>(OomKillCounter.groupFiles("self", "memory.max", "memory.limit_in_bytes"));
    groups.addAll(OomKillCounter.groupFiles(pid, "memory.max", "memory.limit_in_bytes"));
    return Stream.concat(
            groups.stream()
                .flatMap(file -> lines(file).stream())
                .filter(l -> l.matches("[0-9]{1,18}"))
                .map(Long::parseLong),
            Stream.of(kilobytes(lines(PROC.resolve("meminfo")), "MemTotal:") * KILOBYTE))
        .mapToLong(Long::longValue)
        .filter(bytes -> bytes > 0)
        .min();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return List.of(); // It has ended, or this is not Linux.
    }
  }
}

package io.elastune.executor.local;

import io.elastune.provisioner.process.KernelFile;
import io.elastune.provisioner.process.MemoryLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measures the most memory that the workers of an attempt and their children have used together, by
 * samples on Linux. Pages of files do not count, because the kernel can drop them, and pages that
 * processes share count once. Used on the engine's event loop only.
 */
final class MemoryMonitor {
  private static final double GIGABYTE = 1e9;

  /** The kernel walks all pages of a process to find those that it shares. */
  private static final Duration SHARING_INTERVAL = Duration.ofSeconds(5);

  /** Processes that use less than this part of the largest one hardly share with it. */
  private static final double SMALL = 0.05;

  /** A sample in the first second may show a program before it has allocated its memory. */
  private static final Duration FIRST_USE = Duration.ofSeconds(1);

  /** A peak above the one before by this factor shows that the memory still grew. */
  private static final double GROWTH = 1.1;

  private final Path proc;
  private final MemoryLimits limits;

  /** The most pages of files that each process had, which are part of the kernel's own peak. */
  private final Map<Long, Long> filePages = new HashMap<>();

  private @Nullable Instant first;
  private Instant last = Instant.MIN;
  private Instant examined = Instant.MIN;
  private int samples;
  private long peakBytes;

  /** Whether the last sample was much larger than all before. */
  private boolean grew;

  private OptionalLong limit = OptionalLong.empty();

  MemoryMonitor() {
    this(Path.of("/proc"), MemoryLimits.ofThisMachine());
  }

  MemoryMonitor(Path proc, MemoryLimits limits) {
    this.proc = proc;
    this.limits = limits;
  }

  /** Samples the processes with these ids and their children. */
  void sample(Collection<Long> workers, Instant now) {
    Deque<Long> pending = new ArrayDeque<>(workers);
    Set<Long> seen = new HashSet<>();
    first = first == null ? now : first;
    last = now;
    samples++;
    long before = peakBytes;
    long together = 0;
    long most = -1;
    long largest = 0;
    while (!pending.isEmpty()) {
      long pid = pending.remove();
      if (!seen.add(pid)) {
        continue;
      }
      Path folder = proc.resolve(Long.toString(pid));
      List<String> status = KernelFile.lines(folder.resolve("status"));
      long used = used(status);
      together += used;
      if (used > most) {
        most = used;
        largest = pid;
      }
      // The peak of a single process, which may lie between two samples.
      long files = filePages.merge(pid, KernelFile.bytes(status, "RssFile:"), Math::max);
      peakBytes = Math.max(peakBytes, KernelFile.bytes(status, "VmHWM:") - files);
      KernelFile.lines(folder.resolve("task").resolve(Long.toString(pid)).resolve("children"))
          .stream()
          .flatMap(line -> Stream.of(line.trim().split(" ", -1)))
          .filter(child -> child.matches("[0-9]{1,18}"))
          .forEach(child -> pending.add(Long.parseLong(child)));
    }
    if (together > peakBytes) {
      peakBytes = Math.max(peakBytes, withoutShared(seen, together, most, now));
    }
    grew = peakBytes > GROWTH * before;
    if (most > 0) { // a process may move to another control group
      limit = limits.bytes(List.of(MemoryLimits.SELF, Long.toString(largest)));
    }
  }

  /** Returns the memory of a process without pages of files; with them on old kernels. */
  private static long used(List<String> status) {
    boolean isSplit = status.stream().anyMatch(line -> line.startsWith("RssAnon:"));
    return isSplit
        ? KernelFile.bytes(status, "RssAnon:") + KernelFile.bytes(status, "RssShmem:")
        : KernelFile.bytes(status, "VmRSS:");
  }

  /**
   * Returns the memory of all processes, with the pages that they share counted once. Children that
   * load data share most pages with the process that has forked them.
   */
  private long withoutShared(Set<Long> pids, long together, long largest, Instant now) {
    if (together - largest < SMALL * largest) {
      return together;
    }
    if (now.isBefore(examined.plus(SHARING_INTERVAL))) {
      return largest;
    }
    examined = now;
    long bytes = 0;
    for (long pid : pids) {
      Path folder = proc.resolve(Long.toString(pid));
      List<String> pages = KernelFile.lines(folder.resolve("smaps_rollup"));
      bytes +=
          pages.stream().anyMatch(line -> line.startsWith("Pss_Anon:"))
              ? KernelFile.bytes(pages, "Pss_Anon:") + KernelFile.bytes(pages, "Pss_Shmem:")
              : used(KernelFile.lines(folder.resolve("status")));
    }
    return Math.max(largest, bytes);
  }

  /** Returns the peak in bytes; empty if a single sample, or none, has shown memory. */
  OptionalLong peakBytes() {
    return samples < 2 || peakBytes <= 0 ? OptionalLong.empty() : OptionalLong.of(peakBytes);
  }

  /**
   * Returns e.g. {@code peak memory 1.9 GB of 2.0 GB}; empty if nothing was measured after the
   * first second, or if the memory still grew far below the limit: a program may allocate all of it
   * after the last sample.
   */
  String text() {
    boolean isEarly = first == null || last.isBefore(first.plus(FIRST_USE));
    boolean isPart = grew && limit.isPresent() && peakBytes < limit.getAsLong() / 2;
    return isEarly || isPart || peakBytes <= 0
        ? ""
        : "peak memory "
            + gigabytes(peakBytes)
            + (limit.isPresent() ? " of " + gigabytes(limit.getAsLong()) : "");
  }

  private static String gigabytes(long bytes) {
    return String.format(Locale.ROOT, "%.2f GB", bytes / GIGABYTE);
  }
}

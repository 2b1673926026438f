package io.elastune.core.buildreport;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Processor time of this JVM and of all processes that it started, directly or not, on Linux. On
 * other systems, it is that of this JVM.
 *
 * <p>The kernel adds the time of an ended process to the parent that waited for it. A daemon has no
 * such parent, so its time is read while it runs. It is recognized by an environment variable that
 * processes inherit. What a daemon uses between the last reading and its end is missing.
 */
final class ProcessorTime {
  /** The environment variable of a test JVM whose processes inherit it: see the root pom.xml. */
  static final String MARK = "ELASTUNE_TEST_JVM";

  private static final Path PROC = Path.of("/proc");
  private static final String INIT = "1";

  /** Linux reports processor time in hundredths of a second to programs, whatever its own clock. */
  private static final Duration TICK = Duration.ofMillis(10);

  /** A process at the last reading. Its times contain those of its ended children. */
  private record Reading(String parent, boolean isOurs, long ticks) {}

  private final String mark;
  private final Path proc;
  private final String self;

  /** By process ID and start time, because process IDs are used again. */
  private Map<String, Reading> last = Map.of();

  private long ticksOfEndedDaemons;

  /** Measures the processes that have this JVM's value of the variable {@value #MARK}. */
  ProcessorTime() {
    this(
        Optional.ofNullable(System.getenv(MARK)).map(value -> MARK + "=" + value).orElse(""), PROC);
  }

  private ProcessorTime(String mark, Path proc) {
    this.mark = mark;
    this.proc = proc;
    self = Long.toString(ProcessHandle.current().pid());
  }

  /** Returns the processor time until now. It never decreases by more than a reading's error. */
  synchronized Duration total() {
    Duration jvm = processorTimeOfJvm();
    if (!Files.isDirectory(proc.resolve(self))) {
      return jvm;
    }
    Map<String, Reading> now = new HashMap<>();
    long ticks = 0;
    for (String pid : processIds()) {
      Optional<Stat> stat = Stat.read(proc, pid);
      if (stat.isEmpty()) {
        continue; // It has ended.
      }
      if (pid.equals(self)) {
        ticks += stat.get().ofChildren();
        continue;
      }
      String key = pid + ":" + stat.get().start();
      Reading known = last.get(key);
      boolean isOurs = known == null ? isOurs(pid, stat.get()) : known.isOurs();
      now.put(key, new Reading(stat.get().parent(), isOurs, stat.get().all()));
    }
    for (Reading process : now.values()) {
      ticks += process.isOurs() ? process.ticks() : 0;
    }
    Set<String> ended = new HashSet<>(last.keySet());
    ended.removeAll(now.keySet());
    for (String key : ended) {
      Reading process = last.get(key);
      if (process.isOurs() && process.parent().equals(INIT)) {
        ticksOfEndedDaemons += process.ticks();
      }
    }
    last = now;
    return jvm.plus(TICK.multipliedBy(ticks + ticksOfEndedDaemons));
  }

  private boolean isOurs(String pid, Stat stat) {
    if (stat.parent().equals(self)) {
      return true;
    }
    if (mark.isEmpty()) {
      return false;
    }
    try {
      String environment = Files.readString(proc.resolve(pid).resolve("environ"));
      return Arrays.asList(environment.split("\0", -1)).contains(mark);
    } catch (IOException | RuntimeException unreadable) {
      return false; // It has ended, or it belongs to another user.
    }
  }

  private List<String> processIds() {
    String[] names = new File(proc.toString()).list((folder, name) -> isNumber(name));
    return names == null ? List.of() : Arrays.asList(names);
  }

  private static boolean isNumber(String name) {
    return !name.isEmpty() && name.chars().allMatch(digit -> digit >= '0' && digit <= '9');
  }

  private static Duration processorTimeOfJvm() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? Duration.ofNanos(Math.max(0, system.getProcessCpuTime()))
        : Duration.ZERO;
  }

  /**
   * The file {@code /proc/PID/stat}.
   *
   * @param own ticks of the process itself
   * @param ofChildren ticks of its ended children
   * @param start when it started
   */
  private record Stat(String parent, long own, long ofChildren, String start) {
    private static final int PARENT = 1;
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int USER_OF_CHILDREN = 13;
    private static final int SYSTEM_OF_CHILDREN = 14;
    private static final int START = 19;

    static Optional<Stat> read(Path proc, String pid) {
      try {
        String text = Files.readString(proc.resolve(pid).resolve("stat"));
        // The name of the program, in parentheses, may contain spaces and parentheses.
        String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
        return Optional.of(
            new Stat(
                fields[PARENT],
                Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM]),
                Long.parseLong(fields[USER_OF_CHILDREN])
                    + Long.parseLong(fields[SYSTEM_OF_CHILDREN]),
                fields[START]));
      } catch (IOException | RuntimeException ended) {
        return Optional.empty();
      }
    }

    long all() {
      return own + ofChildren;
    }
  }
}

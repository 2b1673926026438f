package io.elastune.cli.execute;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Measures how many cores of this machine other programs use: those that this process and the
 * processes that it has started do not use. Known on Linux only, and only if this process may use
 * all cores.
 */
final class OtherLoad {
  /** The fields of a line of {@code /proc/stat} that count time, without that of guests. */
  private static final int CPU_FIELDS = 8;

  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;

  /**
   * The fields of {@code /proc/PID/stat} after the name: user and system time, own and children.
   */
  private static final int FIRST_TIME = 11;

  private static final int LAST_TIME = 14;

  private final Path proc;
  private final int cores;
  private final Times before;

  /** CPU time in ticks: of all programs, including idle time; busy; and of this process. */
  private record Times(long all, long busy, long own, int cpus) {}

  private OtherLoad(Path proc, int cores) {
    this.proc = proc;
    this.cores = cores;
    this.before = now();
  }

  /** Starts a measurement. */
  static OtherLoad start() {
    return new OtherLoad(Path.of("/proc"), Runtime.getRuntime().availableProcessors());
  }

  /** Starts a measurement on a machine with another folder of processes. */
  static OtherLoad start(Path proc, int cores) {
    return new OtherLoad(proc, cores);
  }

  /** Returns how many cores other programs have used on average since the start. */
  OptionalDouble cores() {
    Times now = now();
    long all = now.all() - before.all();
    if (all <= 0 || now.cpus() != cores) {
      return OptionalDouble.empty();
    }
    long others = now.busy() - before.busy() - (now.own() - before.own());
    return OptionalDouble.of(Math.max(0, (double) others / all * cores));
  }

  private Times now() {
    try {
      List<String> lines = Files.readAllLines(proc.resolve("stat"));
      long[] total = numbers(lines.get(0).replaceFirst("^cpu\\s+", ""), CPU_FIELDS);
      long all = LongStream.of(total).sum();
      int cpus = (int) lines.stream().filter(line -> line.matches("cpu\\d.*")).count();
      return new Times(all, all - total[IDLE] - total[IO_WAIT], own(), cpus);
    } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return new Times(0, 0, 0, 0);
    }
  }

  private long own() {
    ProcessHandle self = ProcessHandle.current();
    return Stream.concat(Stream.of(self), self.descendants())
        .mapToLong(process -> ticks(process.pid()))
        .sum();
  }

  private long ticks(long pid) {
    try {
      String line = Files.readString(proc.resolve(Long.toString(pid)).resolve("stat"));
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
      return Arrays.stream(fields, FIRST_TIME, LAST_TIME + 1).mapToLong(Long::parseLong).sum();
    } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return 0; // it has ended: its parent has its time
    }
  }

  private static long[] numbers(String text, int count) {
    return Arrays.stream(text.trim().split("\\s+", -1))
        .limit(count)
        .mapToLong(Long::parseLong)
        .toArray();
  }
}

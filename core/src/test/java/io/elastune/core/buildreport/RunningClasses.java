package io.elastune.core.buildreport;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The test classes that run in this JVM. Each has the processor time of its own thread; the rest,
 * that of other threads and processes, is divided equally between those that run.
 */
final class RunningClasses {
  /** The row of the time before the first class, and between classes. */
  static final String JVM = "(test JVM)";

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** How often daemons are read: see {@link ProcessorTime}. */
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final ProcessorTime processor = new ProcessorTime();
  private final Map<String, Running> running = new LinkedHashMap<>();
  private Duration settled = Duration.ZERO;
  private Duration ofNoClass = Duration.ZERO;
  private boolean isReading;

  /** A class that runs. */
  private static final class Running {
    private final long thread = Thread.currentThread().getId();
    private final long startNs = System.nanoTime();
    private long threadNs = cpuOfThreadNs(thread);
    private Duration cpu = Duration.ZERO;
  }

  /** Reads the processor time at intervals from now on, because daemons can end at any time. */
  synchronized void readAtIntervals() {
    if (!isReading) {
      isReading = true;
      Thread readings = new Thread(this::readUntilInterrupted, "processor-time");
      readings.setDaemon(true);
      readings.start();
    }
  }

  /** Starts a class, which runs in this thread. */
  synchronized void start(String id) {
    settle();
    running.put(id, new Running());
  }

  /** Ends a class, and returns its row: name, wall and processor milliseconds. */
  synchronized String end(String id, String name) {
    settle();
    Running ended = Optional.ofNullable(running.remove(id)).orElseThrow();
    return row(name, Duration.ofNanos(System.nanoTime() - ended.startNs), ended.cpu);
  }

  /** Returns the row of the processor time that no class had since the last call. */
  synchronized String ofNoClass() {
    settle();
    String row = row(JVM, Duration.ZERO, ofNoClass);
    ofNoClass = Duration.ZERO;
    return row;
  }

  private static String row(String name, Duration wall, Duration cpu) {
    return "%s\t%d\t%d%n".formatted(name, wall.toMillis(), cpu.toMillis());
  }

  /** Assigns the processor time since the last call to the classes that run. */
  private void settle() {
    Duration total = processor.total();
    if (total.compareTo(settled) <= 0) {
      return; // A process has ended between two readings: its time is in the next sum.
    }
    Duration rest = total.minus(settled);
    settled = total;
    for (Running test : running.values()) {
      long now = cpuOfThreadNs(test.thread);
      Duration own = Duration.ofNanos(Math.max(0, now - test.threadNs));
      test.threadNs = now;
      test.cpu = test.cpu.plus(own);
      rest = rest.minus(own);
    }
    if (rest.isNegative()) {
      return;
    }
    if (running.isEmpty()) {
      ofNoClass = ofNoClass.plus(rest);
    } else {
      Duration share = rest.dividedBy(running.size());
      running.values().forEach(test -> test.cpu = test.cpu.plus(share));
    }
  }

  private void readUntilInterrupted() {
    try {
      while (true) {
        Thread.sleep(INTERVAL.toMillis());
        synchronized (this) {
          settle();
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private static long cpuOfThreadNs(long thread) {
    return THREADS.isThreadCpuTimeSupported() ? Math.max(0, THREADS.getThreadCpuTime(thread)) : 0;
  }
}

package io.elastune.executor.local;

import io.elastune.core.time.Seconds;
import java.time.Instant;
import java.util.Map;

/**
 * Records the signs of life of one attempt: lines of output, and CPU activity of its processes. The
 * output readers and the event loop use it.
 */
final class ActivityMonitor {
  /**
   * The least share of one core that counts as activity. Idle programs use a little CPU too: a
   * deadlocked data loader polls its queues.
   */
  private static final double MIN_SHARE = 0.004;

  private volatile Instant last;
  private Instant sampledAt;
  private Map<Long, Double> sampled = Map.of();

  /** Creates a monitor of an attempt that starts at {@code now}. */
  ActivityMonitor(Instant now) {
    last = now;
    sampledAt = now;
  }

  /** Records a line of output. */
  void output(Instant now) {
    last = now;
  }

  /**
   * Records the CPU activity since the last sample.
   *
   * @param cpuSeconds the CPU time of each process in seconds
   */
  void sample(Map<Long, Double> cpuSeconds, Instant now) {
    double used = 0;
    for (Map.Entry<Long, Double> process : cpuSeconds.entrySet()) {
      double before = sampled.getOrDefault(process.getKey(), 0.0);
      used += Math.max(0, process.getValue() - before); // an id may be used again
    }
    if (used > 0 && used >= MIN_SHARE * Seconds.between(sampledAt, now)) {
      last = now;
    }
    sampled = Map.copyOf(cpuSeconds);
    sampledAt = now;
  }

  /** Returns the seconds since the last sign of life. */
  double silenceS(Instant now) {
    return Math.max(0, Seconds.between(last, now));
  }
}

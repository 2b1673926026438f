package io.elastune.executor.rehearsal;

import io.elastune.core.Preconditions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Rehearses many seeds in parallel. The result does not depend on the number of threads. */
public final class ParallelRehearsals {
  /** Number of seeds per task. */
  private static final int SEEDS_PER_TASK = 50;

  private ParallelRehearsals() {}

  /**
   * Rehearses {@code count} seeds from {@code first}; the results are in seed order.
   *
   * @param progress receives the number of finished rehearsals, from any thread
   */
  public static List<RehearsedRun> runAll(
      Rehearsal rehearsal, long first, int count, int threads, IntConsumer progress) {
    Preconditions.atLeast("threads", 1, threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads, ParallelRehearsals::daemon);
    AtomicInteger played = new AtomicInteger();
    List<Future<List<RehearsedRun>>> parts = new ArrayList<>();
    try {
      for (int from = 0; from < count; from += SEEDS_PER_TASK) {
        long start = first + from;
        int size = Math.min(SEEDS_PER_TASK, count - from);
        parts.add(pool.submit(() -> part(rehearsal, start, size, played, progress)));
      }
      List<RehearsedRun> runs = new ArrayList<>();
      for (Future<List<RehearsedRun>> part : parts) {
        runs.addAll(part.get());
      }
      return runs;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "elastune-rehearsal");
    thread.setDaemon(true);
    return thread;
  }

  private static List<RehearsedRun> part(
      Rehearsal rehearsal, long start, int size, AtomicInteger played, IntConsumer progress) {
    List<RehearsedRun> runs = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      runs.add(runAll(rehearsal, start + i));
    }
    progress.accept(played.addAndGet(size));
    return runs;
  }

  /** An internal error names the seed that reproduces it. */
  private static RehearsedRun runAll(Rehearsal rehearsal, long seed) {
    try {
      return rehearsal.run(seed);
    } catch (RuntimeException e) {
      throw new IllegalStateException("Rehearsal with seed " + seed + " failed", e);
    }
  }
}

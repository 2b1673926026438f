package io.elastune.executor.rehearsal;

import io.elastune.core.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Plays many seeds on several threads. The result does not depend on how many. */
public final class Rehearsals {
  /** Seeds that a thread takes at a time. */
  private static final int AT_A_TIME = 50;

  private Rehearsals() {}

  /**
   * Plays the seeds from {@code first} on, in order.
   *
   * @param progress is told how many have been played, from whatever thread
   */
  public static List<RehearsedRun> play(
      Rehearsal rehearsal, long first, int count, int threads, IntConsumer progress) {
    Check.atLeast("threads", 1, threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads, Rehearsals::daemon);
    AtomicInteger played = new AtomicInteger();
    List<Future<List<RehearsedRun>>> parts = new ArrayList<>();
    try {
      for (int from = 0; from < count; from += AT_A_TIME) {
        long start = first + from;
        int size = Math.min(AT_A_TIME, count - from);
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
      runs.add(play(rehearsal, start + i));
    }
    progress.accept(played.addAndGet(size));
    return runs;
  }

  /** A bug of ours names the seed with which it shows again. */
  private static RehearsedRun play(Rehearsal rehearsal, long seed) {
    try {
      return rehearsal.play(seed);
    } catch (RuntimeException e) {
      throw new IllegalStateException("the rehearsal with seed " + seed + " failed", e);
    }
  }
}

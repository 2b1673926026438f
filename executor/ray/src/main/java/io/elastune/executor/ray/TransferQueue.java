package io.elastune.executor.ray;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Limits the concurrent transfers of each lease: every transfer occupies a thread of its agent,
 * which renewals and other requests need, too.
 */
final class TransferQueue {
  private static final int CONCURRENT = 4;

  private final Map<String, Queue<Runnable>> waiting = new HashMap<>();
  private final Map<String, Integer> active = new HashMap<>();

  /** Begins a transfer as soon as fewer than four of the lease are active. */
  <T> CompletableFuture<T> run(String lease, Supplier<CompletableFuture<T>> transfer) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Runnable task = () -> begin(lease, transfer, result);
    synchronized (this) {
      if (active.getOrDefault(lease, 0) >= CONCURRENT) {
        waiting.computeIfAbsent(lease, none -> new ArrayDeque<>()).add(task);
        return result;
      }
      active.merge(lease, 1, Integer::sum);
    }
    task.run();
    return result;
  }

  private <T> void begin(
      String lease, Supplier<CompletableFuture<T>> transfer, CompletableFuture<T> result) {
    var unused =
        transfer
            .get()
            .whenComplete(
                (value, failure) -> {
                  next(lease);
                  if (failure == null) {
                    result.complete(value);
                  } else {
                    result.completeExceptionally(failure);
                  }
                });
  }

  private void next(String lease) {
    Runnable task;
    synchronized (this) {
      Queue<Runnable> queue = waiting.get(lease);
      task = queue == null ? null : queue.poll();
      if (task == null) {
        waiting.remove(lease);
        active.merge(lease, -1, (n, less) -> n + less == 0 ? null : n + less);
        return;
      }
    }
    task.run();
  }
}

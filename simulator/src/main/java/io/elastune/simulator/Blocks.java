package io.elastune.simulator;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Samples are drawn and played in blocks, each from streams of its own, so that the result does not
 * depend on which thread plays which block, or when.
 */
final class Blocks {
  /**
   * Samples in a block. Small, so that a thousand samples occupy every core of a large machine;
   * large enough to spread what opening its streams costs. Changing it changes all draws.
   */
  static final int SIZE = 64;

  /** For fewer blocks another thread takes longer to start than it saves. */
  private static final int WORTH_A_THREAD = 4;

  private Blocks() {}

  /** How many blocks {@code samples} samples make, the last one perhaps not full. */
  static int of(int samples) {
    return (samples - 1) / SIZE + 1;
  }

  /** The block of {@code sample}. */
  static int number(int sample) {
    return sample / SIZE;
  }

  /** The first sample of {@code block}. */
  static int start(int block) {
    return block * SIZE;
  }

  /** The end of {@code block} when there are {@code samples} samples. */
  static int end(int block, int samples) {
    return Math.min(samples - start(block), SIZE) + start(block);
  }

  /**
   * Has the blocks from {@code from} to {@code to} played, on up to {@code threads} threads, the
   * caller's among them.
   *
   * @param player makes a thread's own player of one block after the other
   */
  static void play(int from, int to, int threads, Supplier<IntConsumer> player) {
    AtomicInteger next = new AtomicInteger(from);
    Runnable some =
        () -> {
          IntConsumer own = player.get();
          for (int block = next.getAndIncrement(); block < to; block = next.getAndIncrement()) {
            own.accept(block);
          }
        };
    int others = Math.min(threads, (to - from) / WORTH_A_THREAD) - 1;
    if (others < 1) {
      some.run();
      return;
    }
    // A pool of our own: its size must not depend on what else the process does.
    ForkJoinPool pool = new ForkJoinPool(others);
    try {
      CompletableFuture<?>[] running =
          Stream.generate(() -> CompletableFuture.runAsync(some, pool))
              .limit(others)
              .toArray(CompletableFuture<?>[]::new);
      some.run();
      CompletableFuture.allOf(running).join();
    } finally {
      pool.shutdown();
    }
  }
}

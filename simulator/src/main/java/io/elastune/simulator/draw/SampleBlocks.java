package io.elastune.simulator.draw;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Divides the samples into blocks. Each block has its own random streams, so the result does not
 * depend on which thread simulates which block, or when.
 */
public final class SampleBlocks {
  /**
   * Samples per block. Small enough that a thousand samples use every core of a large machine, and
   * large enough to amortize the cost of opening streams. Changing it changes all draws.
   */
  public static final int SIZE = 64;

  /**
   * Minimum number of blocks per thread; with fewer, starting a thread takes longer than it saves.
   */
  private static final int WORTH_A_THREAD = 4;

  private SampleBlocks() {}

  /**
   * Returns how many samples are simulated if at least some are required: whole blocks, or a part
   * of the first one, because a few samples are sufficient to reject most plans.
   */
  public static long whole(int atLeast) {
    return atLeast < SIZE ? atLeast : ((long) atLeast + SIZE - 1) / SIZE * SIZE;
  }

  /** Returns the number of blocks for {@code samples} samples; the last block may be partial. */
  public static int of(int samples) {
    return (samples - 1) / SIZE + 1;
  }

  /** Returns the block of {@code sample}. */
  public static int number(int sample) {
    return sample / SIZE;
  }

  /** Returns the first sample of {@code block}. */
  public static int start(int block) {
    return block * SIZE;
  }

  /** Returns the exclusive end of {@code block} when there are {@code samples} samples. */
  public static int end(int block, int samples) {
    return Math.min(samples - start(block), SIZE) + start(block);
  }

  /**
   * Simulates the blocks from {@code from} to {@code to} on up to {@code threads} threads,
   * including the calling thread.
   *
   * @param player creates the function with which one thread simulates blocks
   */
  public static void runBlocks(int from, int to, int threads, Supplier<IntConsumer> player) {
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
    // A dedicated pool: its size must not depend on other work of the process.
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

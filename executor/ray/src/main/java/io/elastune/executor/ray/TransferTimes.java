package io.elastune.executor.ray;

import io.elastune.core.time.Seconds;
import io.elastune.executor.engine.CheckpointTimes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Measures the transfers of an attempt's checkpoints. Thread-safe. */
final class TransferTimes {
  private final InstantSource time;
  private OptionalLong bytes = OptionalLong.empty();
  private OptionalDouble restoreS = OptionalDouble.empty();
  private double storedS;
  private int stored;

  TransferTimes(InstantSource time) {
    this.time = time;
  }

  /**
   * Executes a transfer from an instance to the store, and measures it.
   *
   * @param size size of the checkpoint in bytes
   * @param transfer returns whether it copied anything
   */
  CompletableFuture<Boolean> store(long size, Supplier<CompletableFuture<Boolean>> transfer) {
    Instant began = time.instant();
    return transfer
        .get()
        .thenApply(
            copied -> {
              stored(size, copied, Seconds.between(began, time.instant()));
              return copied;
            });
  }

  private synchronized void stored(long size, boolean copied, double seconds) {
    bytes = OptionalLong.of(size);
    if (copied) {
      storedS += seconds;
      stored++;
    }
  }

  /** Records that the checkpoint to resume from was copied to the instances. */
  synchronized void restored(Instant began) {
    restoreS = OptionalDouble.of(Seconds.between(began, time.instant()));
  }

  /** Returns what was measured; empty if there was neither a checkpoint nor a transfer. */
  synchronized Optional<CheckpointTimes> measured() {
    OptionalDouble storeS =
        stored == 0 ? OptionalDouble.empty() : OptionalDouble.of(storedS / stored);
    return bytes.isPresent() || restoreS.isPresent()
        ? Optional.of(new CheckpointTimes(bytes, storeS, restoreS))
        : Optional.empty();
  }
}

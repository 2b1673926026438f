package io.elastune.executor.ray;

import io.elastune.executor.ray.link.LinkException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Repeats transfers that an I/O error has ended. */
final class TransferRetry {
  private static final int ATTEMPTS = 3;

  private TransferRetry() {}

  /** Begins a transfer up to three times. */
  static <T> CompletableFuture<T> repeat(Supplier<CompletableFuture<T>> transfer) {
    return repeat(transfer, ATTEMPTS);
  }

  private static <T> CompletableFuture<T> repeat(
      Supplier<CompletableFuture<T>> transfer, int attempts) {
    return transfer
        .get()
        .exceptionallyCompose(
            failure ->
                isKind(failure, "io") && attempts > 1
                    ? repeat(transfer, attempts - 1)
                    : CompletableFuture.failedFuture(LinkException.unwrapped(failure)));
  }

  /** Returns whether a request has failed with an error of this kind. */
  static boolean isKind(Throwable failure, String kind) {
    return LinkException.unwrapped(failure) instanceof LinkException e && e.kind().equals(kind);
  }
}

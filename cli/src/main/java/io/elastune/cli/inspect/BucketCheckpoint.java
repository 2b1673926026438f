package io.elastune.cli.inspect;

import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.provisioner.ObjectStores;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks a bucket for the archive of a checkpoint. */
final class BucketCheckpoint {
  /** A report does not wait longer for a bucket. */
  private static final int LIMIT_S = 10;

  private BucketCheckpoint() {}

  /**
   * Returns whether the bucket has another archive than the trial has saved. A bucket that does not
   * answer proves nothing.
   *
   * @param tag the tag of the archive in the journal
   */
  static boolean isReplaced(CheckpointLocation archive, String tag) {
    CompletableFuture<Boolean> answer =
        CompletableFuture.supplyAsync(
            () -> hasOther(archive, tag),
            task -> {
              Thread thread = new Thread(task, "elastune-bucket");
              thread.setDaemon(true);
              thread.start();
            });
    try {
      return answer.get(LIMIT_S, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static boolean hasOther(CheckpointLocation archive, String tag) {
    return ObjectStores.open(archive.scheme(), archive.bucket(), InstantSource.system())
        .find(archive.name())
        .filter(object -> !object.tag().equals(tag))
        .isPresent();
  }
}

package io.elastune.executor.ray;

import io.elastune.executor.checkpoint.Checkpoint;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.ray.NodeCheckpoints.NodeCheckpoint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Checkpoints of one trial on a file system that the controller and all nodes share. Workers save
 * them there, and nothing is copied. Network file systems show a new file to other machines only
 * after some seconds, so both directions wait for it.
 */
final class SharedStorage extends FolderStorage {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** Network file systems cache directories for up to 60 s. */
  private static final int MAX_CHECKS = 90;

  private final TransferContext context;
  private final SharedFolders sharedFolders;

  SharedStorage(
      AttemptSpec spec, Path store, TransferContext context, SharedFolders sharedFolders) {
    super(store, new NodeCheckpoints(context.link(), spec.trial(), store.toString()));
    this.context = context;
    this.sharedFolders = sharedFolders;
  }

  /** The node checks the checkpoint, because it has read or written the files already. */
  @Override
  public CompletableFuture<Boolean> collect(String lease, NodeCheckpoint checkpoint) {
    int unit = checkpoint.unit();
    return nodes
        .check(lease, unit)
        .thenCompose(checked -> await(() -> isVisible(unit), "this machine", unit, MAX_CHECKS))
        .thenApply(visible -> false);
  }

  private CompletableFuture<Boolean> isVisible(int unit) {
    Path manifest = folder(unit).resolve(Checkpoint.MANIFEST);
    return CompletableFuture.supplyAsync(() -> Files.isRegularFile(manifest), context.files());
  }

  @Override
  public CompletableFuture<Boolean> place(String lease, int unit) {
    return sharedFolders
        .check(lease, store.resolveSibling("."), context)
        .thenCompose(
            same ->
                unit == 0
                    ? CompletableFuture.completedFuture(false)
                    : await(() -> isVisible(lease, unit), "lease " + lease, unit, MAX_CHECKS)
                        .thenApply(visible -> false));
  }

  private CompletableFuture<Boolean> isVisible(String lease, int unit) {
    return list(lease)
        .thenApply(listing -> listing.complete().stream().anyMatch(c -> c.unit() == unit));
  }

  private CompletableFuture<Void> await(
      Supplier<CompletableFuture<Boolean>> condition, String where, int unit, int checks) {
    return condition
        .get()
        .thenCompose(
            visible -> {
              if (visible) {
                return CompletableFuture.completedFuture(null);
              }
              if (checks == 1) {
                return CompletableFuture.failedFuture(
                    new UnusableCheckpointException(
                        "%s does not see %s".formatted(where, folder(unit))));
              }
              CompletableFuture<Void> next = new CompletableFuture<>();
              context.loop().schedule(INTERVAL, () -> next.complete(null));
              return next.thenCompose(again -> await(condition, where, unit, checks - 1));
            });
  }

  /** Nodes have nothing for themselves. */
  @Override
  public CompletableFuture<Void> tidy(String lease, int keep) {
    return CompletableFuture.completedFuture(null);
  }
}

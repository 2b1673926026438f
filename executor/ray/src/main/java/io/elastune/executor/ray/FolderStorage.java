package io.elastune.executor.ray;

import io.elastune.core.files.DiskProbe;
import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.executor.checkpoint.CheckpointStore;
import io.elastune.executor.checkpoint.CheckpointStore.CleanupResult;
import io.elastune.executor.ray.NodeCheckpoints.Listing;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Stores the checkpoints of one trial in a folder that the controller can read. */
abstract class FolderStorage implements CheckpointStorage {
  /** The folder. */
  final Path store;

  final NodeCheckpoints nodes;

  FolderStorage(Path store, NodeCheckpoints nodes) {
    this.store = store;
    this.nodes = nodes;
  }

  /** Returns the folder of the checkpoint of a unit. */
  final Path folder(int unit) {
    return store.resolve(Integer.toString(unit));
  }

  @Override
  public final String location() {
    return store.toString();
  }

  @Override
  public final String nodeFolder() {
    return nodes.folder();
  }

  @Override
  public final CompletableFuture<Listing> list(String lease) {
    return nodes.list(lease);
  }

  @Override
  public final Optional<String> inherit(CheckpointLocation parent, int unit) {
    return new CheckpointStore(store)
        .tryCopyFrom(new CheckpointStore(parent.absoluteFolder()), unit);
  }

  @Override
  public final Optional<String> reject(int unit, String digest) {
    return new CheckpointStore(store).reject(unit, digest);
  }

  @Override
  public final CleanupResult cleanUp(int keep, Set<Integer> needed, int limit) {
    return new CheckpointStore(store).tryCleanUp(keep, needed, limit);
  }

  @Override
  public final boolean isFull() {
    return DiskProbe.isFull(store);
  }
}

package io.elastune.executor.ray;

import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.ObjectStores;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Opens the storage of each trial's checkpoints, and stores what all trials share: open buckets,
 * checked shared folders and the contents of archives.
 */
final class CheckpointStorages {
  private final InstantSource time;
  private final Map<String, ObjectStore> buckets = new ConcurrentHashMap<>();
  private final Map<String, String> manifests = new ConcurrentHashMap<>();
  private final SharedFolders sharedFolders = new SharedFolders();
  private final TransferQueue transfers = new TransferQueue();

  CheckpointStorages(InstantSource time) {
    this.time = time;
  }

  /** Returns the storage that the location of the trial's checkpoints names. */
  CheckpointStorage of(AttemptSpec spec, RayContext context) {
    CheckpointLocation location = new CheckpointLocation(spec.checkpointDir());
    if (location.isShared()) {
      return new SharedStorage(spec, location.absoluteFolder(), context, sharedFolders);
    }
    return location.isBucket()
        ? new BucketStorage(spec, location, context, this)
        : new ControllerStorage(spec, context);
  }

  TransferQueue transfers() {
    return transfers;
  }

  /**
   * Returns the bucket of a location. Blocks.
   *
   * @throws io.elastune.provisioner.CloudException if it cannot be opened
   */
  ObjectStore bucket(CheckpointLocation location) {
    String key = location.scheme() + "://" + location.bucket();
    return buckets.computeIfAbsent(
        key, absent -> ObjectStores.open(location.scheme(), location.bucket(), time));
  }

  /** Returns the SHA-256 of the manifest in an archive that this engine has stored. */
  Optional<String> manifest(String archive) {
    return Optional.ofNullable(manifests.get(archive));
  }

  void stored(String archive, String manifest) {
    manifests.put(archive, manifest);
  }

  void deleted(String archive) {
    manifests.remove(archive);
  }
}

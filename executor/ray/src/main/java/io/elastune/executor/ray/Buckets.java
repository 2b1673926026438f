package io.elastune.executor.ray;

import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.ObjectStores;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The open buckets of a run, with the contents of the archives that its trials have stored. */
final class Buckets {
  private final InstantSource time;
  private final Map<String, ObjectStore> buckets = new ConcurrentHashMap<>();
  private final Map<String, String> manifests = new ConcurrentHashMap<>();
  private final TransferQueue transfers = new TransferQueue();

  Buckets(InstantSource time) {
    this.time = time;
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

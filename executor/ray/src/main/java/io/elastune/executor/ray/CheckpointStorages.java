package io.elastune.executor.ray;

import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.executor.engine.AttemptSpec;
import java.time.InstantSource;

/** Opens the storage of each trial's checkpoints, and stores what all trials share. */
final class CheckpointStorages {
  private final TransferContext context;
  private final Buckets buckets;
  private final SharedFolders sharedFolders;

  CheckpointStorages(TransferContext context, InstantSource time) {
    this.context = context;
    buckets = new Buckets(time);
    sharedFolders = new SharedFolders(time);
  }

  /** Returns the storage that the location of the trial's checkpoints names. */
  CheckpointStorage of(AttemptSpec spec) {
    CheckpointLocation location = new CheckpointLocation(spec.checkpointDir());
    if (location.isShared()) {
      return new SharedStorage(spec, location.absoluteFolder(), context, sharedFolders);
    }
    return location.isBucket()
        ? new BucketStorage(spec, location, context, buckets)
        : new ControllerStorage(spec, context);
  }
}

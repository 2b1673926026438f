package io.elastune.executor.ray;

import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.executor.checkpoint.CheckpointStore.CleanupResult;
import io.elastune.executor.ray.NodeCheckpoints.Listing;
import io.elastune.executor.ray.NodeCheckpoints.NodeCheckpoint;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Stores the checkpoints of one trial where they survive every instance, and gives them to the
 * instances on which the trial continues.
 */
interface CheckpointStorage {
  /** Returns the location of the checkpoints, for messages. */
  String location();

  /**
   * Returns the folder on a node in which workers find and save checkpoints: absolute, or below the
   * folder of the lease.
   */
  String nodeFolder();

  /** Lists the checkpoints that are visible on the node of a lease. */
  CompletableFuture<Listing> list(String lease);

  /**
   * Stores a checkpoint of a node, unless it is stored. Returns whether it was copied. Fails with
   * an {@link UnusableCheckpointException} if it does not match its manifest.
   */
  CompletableFuture<Boolean> collect(String lease, NodeCheckpoint checkpoint);

  /**
   * Makes a stored checkpoint available on a node, and no other that the node has only for itself.
   * Unit 0 stands for none. Returns whether it was copied.
   */
  CompletableFuture<Boolean> place(String lease, int unit);

  /** Deletes what a node has only for itself, except the checkpoint of one unit. */
  CompletableFuture<Void> tidy(String lease, int keep);

  /**
   * Makes the checkpoint of another trial available to this one, unless this one has a checkpoint
   * of the same unit. Blocks; called before {@link #cleanUp}. Returns a message if that failed.
   *
   * @param parent the location of the other trial's checkpoints
   */
  Optional<String> inherit(CheckpointLocation parent, int unit);

  /**
   * Treats a stored checkpoint as torn if its digest is not that of the journal. Blocks; called
   * before {@link #cleanUp}. Returns a message if it was.
   */
  Optional<String> reject(int unit, String digest);

  /**
   * Deletes stored checkpoints that are no longer needed, and what was stored incompletely. Blocks;
   * called only while no worker and no transfer of the trial is active.
   *
   * @see io.elastune.executor.checkpoint.CheckpointStore#cleanUp
   */
  CleanupResult cleanUp(int keep, Set<Integer> needed, int limit);

  /** Returns whether the store is full. */
  boolean isFull();
}

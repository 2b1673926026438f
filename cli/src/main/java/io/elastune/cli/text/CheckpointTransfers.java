package io.elastune.cli.text;

import io.elastune.core.job.TrialSpec;
import io.elastune.executor.checkpoint.CheckpointLocation;
import java.math.BigDecimal;

/**
 * The transfer of checkpoints at the end of a group. A profile contains that of single checkpoints,
 * as a part of the start-up. At the end of a group, those of all running trials share the
 * connection of the controller.
 */
public final class CheckpointTransfers {
  /** The share of its time by which a group may end later. */
  public static final double TOLERATED_SHARE = 0.05;

  /** Measured from a node to the controller's disk. */
  private static final double GB_PER_S = 0.15;

  private CheckpointTransfers() {}

  /** Returns the seconds until as many checkpoints are stored; 0 if none goes to the controller. */
  public static double seconds(TrialSpec trial, int checkpoints) {
    boolean copied =
        trial
            .checkpoints()
            .store()
            .map(CheckpointLocation::new)
            .filter(store -> store.isBucket() || store.isShared())
            .isEmpty();
    return copied && trial.resumable() ? checkpoints * trial.checkpoints().sizeGb() / GB_PER_S : 0;
  }

  /** Returns why it takes this time, and the remedy. */
  public static String reason(TrialSpec trial, int checkpoints) {
    return ("%d × %s GB go to the controller's disk at 150 MB/s; set trial.checkpoint.store to a"
            + " bucket or a shared folder")
        .formatted(
            checkpoints,
            BigDecimal.valueOf(trial.checkpoints().sizeGb()).stripTrailingZeros().toPlainString());
  }
}

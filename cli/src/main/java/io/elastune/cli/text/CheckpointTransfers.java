package io.elastune.cli.text;

import io.elastune.core.job.TrialSpec;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.Profile;
import io.elastune.executor.checkpoint.CheckpointLocation;
import java.math.BigDecimal;
import java.math.MathContext;

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

  private static final int DIGITS = 3;

  private CheckpointTransfers() {}

  /** Returns the size of a checkpoint: as measured, else as the job specifies it. */
  static double sizeGb(TrialSpec trial, Profile profile) {
    return profile
        .checkpoint()
        .sizeGb()
        .map(CheckpointMeasurement.Sampled::mean)
        .orElse(trial.checkpoints().sizeGb());
  }

  /** Returns the seconds until as many checkpoints are stored; 0 if none goes to the controller. */
  public static double seconds(TrialSpec trial, int checkpoints) {
    return seconds(trial, checkpoints, trial.checkpoints().sizeGb());
  }

  static double seconds(TrialSpec trial, int checkpoints, double sizeGb) {
    boolean copied =
        trial
            .checkpoints()
            .store()
            .map(CheckpointLocation::new)
            .filter(store -> store.isBucket() || store.isShared())
            .isEmpty();
    return copied && trial.resumable() ? checkpoints * sizeGb / GB_PER_S : 0;
  }

  /** Returns why it takes this time, and the remedy. */
  public static String reason(TrialSpec trial, int checkpoints) {
    return reason(checkpoints, trial.checkpoints().sizeGb());
  }

  static String reason(int checkpoints, double sizeGb) {
    return ("%d × %s GB go to the controller's disk at 150 MB/s; set trial.checkpoint.store to a"
            + " bucket or a shared folder")
        .formatted(
            checkpoints,
            BigDecimal.valueOf(sizeGb)
                .round(new MathContext(DIGITS))
                .stripTrailingZeros()
                .toPlainString());
  }
}

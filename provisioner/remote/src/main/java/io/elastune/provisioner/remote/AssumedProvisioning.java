package io.elastune.provisioner.remote;

import io.elastune.core.Spread;

/**
 * Queueing and boot times of instances with GPUs on a cloud, assumed until a profile has measured
 * them. They are deliberately long: images with GPU drivers load their root disk from object
 * storage while they boot, and the first import of a framework takes 60 to 180 s.
 */
public final class AssumedProvisioning {
  private static final double QUEUE_S = 60;
  private static final double BOOT_S = 180;
  private static final double BOOT_S_LARGE = 420;
  private static final int LARGE_GPUS = 8;
  private static final double CV = 0.5;

  private AssumedProvisioning() {}

  /** Returns the seconds from request to running. */
  public static Spread queueS() {
    return new Spread(QUEUE_S, CV);
  }

  /** Returns the seconds from running to ready of an instance with that number of GPUs. */
  public static Spread bootS(int gpus) {
    return new Spread(gpus < LARGE_GPUS ? BOOT_S : BOOT_S_LARGE, CV);
  }
}

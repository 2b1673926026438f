package io.elastune.core.profile;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;

/**
 * The load of this machine while a program was measured, and what follows from it for other numbers
 * of trials at once (docs/model.md, "Other programs").
 *
 * @param cores cores of the machine
 * @param otherCores cores that other programs used
 * @param trialCores cores of the trials that ran at once, on average
 */
@FileSection(
    title = "load",
    doc =
        "The load of this machine while the program was measured. Fewer trials at once are faster"
            + " beside it, and more are slower.")
public record MachineLoad(
    @FileField(doc = "Cores of the machine.", example = "2") @Bounds(least = 1) int cores,
    @FileField(doc = "Cores that other programs used, fewer than all.", example = "1.5")
        @Bounds(least = 0)
        double otherCores,
    @FileField(doc = "Cores of the trials that ran at once, on average.", example = "2")
        @Bounds(above0 = true)
        double trialCores) {
  public MachineLoad {
    Preconditions.atLeast("load.cores", 1, cores);
    Preconditions.notNegative("load.other_cores", otherCores);
    Preconditions.that(
        otherCores < cores, "load.other_cores must be below load.cores, is " + otherCores);
    Preconditions.positive("load.trial_cores", trialCores);
  }

  /**
   * Returns by how much longer trials take than the measured ones if they have so many cores at
   * once; below 1 if they are faster.
   */
  public double slowdown(double ownCores) {
    return share(trialCores) / share(ownCores);
  }

  /** Returns by how much longer the measured trials took than on a machine without other load. */
  public double slowdownByOthers() {
    return Math.min(1, cores / trialCores) / share(trialCores);
  }

  /** Returns the part of a core that each busy thread of trials with so many cores gets. */
  private double share(double ownCores) {
    return Math.min(1, cores / (ownCores + otherThreads()));
  }

  /**
   * Returns how many threads of other programs are busy. If they and the trials wanted more than
   * all cores, each thread got an equal part.
   */
  private double otherThreads() {
    return otherCores * Math.max(1, trialCores / (cores - otherCores));
  }
}

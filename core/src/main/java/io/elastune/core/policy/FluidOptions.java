package io.elastune.core.policy;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.profile.Profile;
import io.elastune.core.time.Seconds;
import java.time.Duration;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/** What a user chooses of Fluid. The rest follows from the profile (docs/searches.md, "Fluid"). */
@FileSection(
    title = "policy (fluid)",
    doc = "Divides the GPUs in proportion to the training that each trial has left.")
public record FluidOptions(
    @FileField(
            name = "dynamic",
            doc = "Whether running trials change their number of GPUs when GPUs become free.",
            example = "false")
        boolean isDynamic,
    @FileField(
            doc = "The most GPUs of one trial.",
            without = "the size with the highest throughput",
            example = "4")
        @Bounds(least = 1)
        OptionalInt maxGpus,
    @FileField(
            doc = "The most trials that share a GPU.",
            without = "no limit other than share_gain",
            example = "2")
        @Bounds(least = 1)
        OptionalInt maxShare,
    @FileField(
            doc = "Fraction of GPU time that one more trial on a GPU must save.",
            example = "0.1")
        double shareGain,
    @FileField(
            doc = "Time that a change of the number of GPUs costs a trial.",
            without = "checkpoint and start-up of the profile",
            example = "12s")
        @Bounds(least = 0)
        Optional<Duration> resizeCost)
    implements PolicyOptions {
  /** The least saving of one more trial on a GPU, unless the user chooses another one. */
  public static final double DEFAULT_SHARE_GAIN = 0.05;

  /** The options of a user who chooses nothing. */
  public static final FluidOptions DEFAULT =
      new FluidOptions(
          true, OptionalInt.empty(), OptionalInt.empty(), DEFAULT_SHARE_GAIN, Optional.empty());

  public FluidOptions {
    maxGpus.ifPresent(most -> Preconditions.atLeast("max_gpus", 1, most));
    maxShare.ifPresent(most -> Preconditions.atLeast("max_share", 1, most));
    resizeCost.ifPresent(
        cost ->
            Preconditions.that(!cost.isNegative(), "resize_cost must not be negative: " + cost));
  }

  @Override
  public PolicyType type() {
    return PolicyType.FLUID;
  }

  @Override
  public boolean preempts() {
    return isDynamic;
  }

  /** Returns the same options for trials that keep their width. */
  public FluidOptions withoutResizing() {
    return new FluidOptions(false, maxGpus, maxShare, shareGain, resizeCost);
  }

  /**
   * Returns the rule for one training program on one GPU model.
   *
   * @param allowed the GPUs per trial that job, offer and profile allow
   * @throws IllegalArgumentException if no allowed size is within {@code maxGpus}
   */
  public FluidRule rule(Profile profile, Collection<Integer> allowed) {
    TreeSet<Integer> sizes = new TreeSet<>(allowed);
    maxGpus.ifPresent(most -> sizes.removeIf(size -> size > most));
    int share = sizes.contains(1) ? packingLimit(profile) : 1;
    double changeS = profile.checkpointS().mean() + profile.startupS().mean();
    return new FluidRule(
        isDynamic,
        fastest(profile, sizes),
        Math.min(share, maxShare.orElse(share)),
        resizeCost.map(Seconds::of).orElse(changeS));
  }

  /** The sizes up to the smallest one with the highest throughput. */
  private static NavigableSet<Integer> fastest(Profile profile, TreeSet<Integer> sizes) {
    double leastS = Double.POSITIVE_INFINITY;
    int best = 0;
    for (int size : sizes) {
      double seconds = profile.secondsPerUnit(size).orElse(Double.POSITIVE_INFINITY);
      if (seconds < leastS) {
        leastS = seconds;
        best = size;
      }
    }
    return sizes.headSet(best, true);
  }

  /**
   * Returns the most trials on one GPU such that each more saves enough of the GPU time of a unit.
   * Only measured counts are used; 1 without measurements.
   */
  int packingLimit(Profile profile) {
    int trials = 1;
    while (saving(profile, trials + 1) > shareGain) {
      trials++;
    }
    return trials;
  }

  /**
   * Returns the fraction of GPU time per unit that the last of {@code trials} trials on one GPU
   * saves; NaN if it was not measured.
   */
  static double saving(Profile profile, int trials) {
    double before = profile.secondsPerUnitSharing(trials - 1).orElse(Double.NaN);
    double seconds = profile.secondsPerUnitSharing(trials).orElse(Double.NaN);
    return 1 - (trials - 1.0) / trials * (seconds / before);
  }
}

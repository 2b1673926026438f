package io.elastune.core.policy;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * What a user chooses of HyperSched. The rest follows from search and profile (docs/searches.md,
 * "HyperSched").
 *
 * @param isMinimized whether less is better in the search's metric, which is no option of the
 *     policy
 */
@FileSection(
    title = "policy (hypersched)",
    doc =
        "Trains as many trials as can be compared before the deadline, and gives the GPUs to the"
            + " best ones near it.")
public record HyperSchedOptions(
    @FileField(
            doc =
                "A trial gets more GPUs only if it completes more than this multiple of its"
                    + " training until the deadline.",
            example = "1.2")
        @Bounds(above0 = true)
        double resizeGain,
    @FileField(doc = "Reports of a trial before it gets more GPUs again.", example = "3")
        @Bounds(least = 1)
        int resizeAfter,
    boolean isMinimized)
    implements PolicyOptions {
  /** The options of a user who chooses nothing and maximizes a metric. */
  public static final HyperSchedOptions DEFAULT = new HyperSchedOptions(1.1, 5, false);

  /** The reduction factor of a search without one. */
  public static final int DEFAULT_ETA = 4;

  public HyperSchedOptions {
    Preconditions.positive("resize_gain", resizeGain);
    Preconditions.atLeast("resize_after", 1, resizeAfter);
  }

  @Override
  public PolicyType type() {
    return PolicyType.HYPERSCHED;
  }

  @Override
  public boolean preempts() {
    return true;
  }

  @Override
  public HyperSchedOptions forMetric(boolean minimized) {
    return new HyperSchedOptions(resizeGain, resizeAfter, minimized);
  }

  /**
   * Returns the rule for one search.
   *
   * @param targets the units at which trials are compared, ascending
   * @param sizes the GPUs per trial that job, offer and profile allow
   */
  public HyperSchedRule rule(List<Integer> targets, int eta, Collection<Integer> sizes) {
    return new HyperSchedRule(targets, eta, new TreeSet<>(sizes), resizeGain, resizeAfter);
  }
}

package io.elastune.core.job;

import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.field.Word;
import io.elastune.core.plan.RungRule;
import java.util.Optional;

/** The options of asynchronous successive halving. */
@FileSection(title = "search.asha", doc = "Options of asynchronous successive halving.")
public record AshaOptions(
    @FileField(
            doc =
                "`promotion` ends a trial at each rung until it is promoted; `stopping` continues"
                    + " it at once or discards it.",
            example = "stopping")
        RungRule.Variant variant,
    @FileField(
            doc = "Rungs that are left out at the start; a higher value stops fewer trials early.",
            example = "1")
        @Bounds(least = 0, most = AshaOptions.MOST_RUNGS)
        int startRung,
    @FileField(
            doc =
                "`best` trains the best trial to the end if none was promoted that far; `none` does"
                    + " not.",
            example = "none")
        Finish finish,
    @FileField(
            doc = "New trials start only while fewer trials than this run.",
            without = "no limit; the number of GPUs with policy fluid",
            example = "8")
        @Bounds(least = 1)
        Optional<Integer> concurrency,
    @FileField(
            doc =
                "Brackets of asynchronous Hyperband; each starts one rung above the one before, and"
                    + " has fewer trials.",
            example = "3")
        @Bounds(least = 1, most = AshaOptions.MOST_RUNGS)
        int brackets,
    @FileField(
            doc =
                "Whether the last trials of a search may move to fewer instances when that is"
                    + " cheaper.",
            absent = "false",
            example = "true")
        boolean moveTail) {
  /** The most rungs: with one unit in the first, more would exceed the largest number of units. */
  static final int MOST_RUNGS = 31;

  /** The options of a job file without any. */
  public static final AshaOptions DEFAULT =
      new AshaOptions(RungRule.Variant.PROMOTION, 0, Finish.BEST, Optional.empty(), 1, false);

  /** Whether one trial is trained to the end even if none was promoted that far. */
  public enum Finish implements Word {
    BEST,
    NONE
  }
}

package io.elastune.core.profile;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;

/**
 * The measured correlation between the results of a trial in two rungs (docs/searches.md,
 * "Prediction").
 *
 * @param value the correlation of the normal scores of the results
 * @param standardError its standard error
 * @param trials trials with results in two consecutive rungs
 */
@FileSection(
    title = "rank_correlation",
    doc = "The measured correlation between the results of a trial in two rungs.")
public record RankCorrelation(
    @FileField(doc = "The correlation, without the effect of the selection.", example = "0.85")
        @Bounds(least = 0, most = 1)
        double value,
    @FileField(doc = "Its standard error.", example = "0.04") @Bounds(least = 0, most = 1)
        double standardError,
    @FileField(doc = "Trials with results in two consecutive rungs.", example = "64")
        @Bounds(least = 1)
        int trials) {
  public RankCorrelation {
    Preconditions.that(value >= 0 && value <= 1, "rank_correlation must be 0 to 1, not " + value);
    Preconditions.notNegative("standard_error", standardError);
    Preconditions.atLeast("trials", 1, trials);
  }
}

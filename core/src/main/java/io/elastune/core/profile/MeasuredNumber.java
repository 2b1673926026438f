package io.elastune.core.profile;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;

/** One measured number with its accuracy. */
@FileSection(title = "numbers", doc = "The accuracy of one measured number.")
public record MeasuredNumber(
    @FileField(doc = "The field that the number belongs to.", example = "trial_cv") String name,
    @FileField(doc = "The number, in the unit of that field.", example = "0.03")
        @Bounds(least = 0, most = Bounds.MOST_S)
        double value,
    @FileField(doc = "Its standard error, in the same unit.", example = "0.01")
        @Bounds(least = 0, most = Bounds.MOST_S)
        double standardError,
    @FileField(doc = "Lower end of its 95 % confidence interval.", example = "0.02")
        @Bounds(least = 0, most = Bounds.MOST_S)
        double low,
    @FileField(doc = "Upper end of its 95 % confidence interval.", example = "0.06")
        @Bounds(least = 0, most = Bounds.MOST_S)
        double high,
    @FileField(doc = "Number of independent observations.", example = "8") @Bounds(least = 1)
        int count) {
  public MeasuredNumber {
    Preconditions.text("name", name);
    Preconditions.notNegative("value", value);
    Preconditions.notNegative("standard_error", standardError);
    Preconditions.notNegative("low", low);
    Preconditions.that(high >= low && Double.isFinite(high), "high must be at least low");
    Preconditions.atLeast("count", 1, count);
  }
}

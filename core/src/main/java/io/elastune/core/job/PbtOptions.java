package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.field.Items;
import java.util.List;

/** The options of population based training (docs/searches.md, "PBT"). */
@FileSection(title = "search.pbt", doc = "Options of population based training.")
public record PbtOptions(
    @FileField(
            doc =
                "Share of the trials that are replaced by copies of the best ones at each"
                    + " comparison.",
            example = "0.2")
        @Bounds(above0 = true, most = 0.5)
        double quantile,
    @FileField(doc = "Probability that a hyperparameter of a copy is drawn again.", example = "0.1")
        @Bounds(least = 0, most = 1)
        double resample,
    @FileField(
            doc = "Otherwise a number is multiplied by one of these; a choice moves to a neighbor.",
            example = "[0.5, 2]")
        @Bounds(above0 = true)
        @Items
        List<Double> factors,
    @FileField(doc = "Hyperparameters that copies take over unchanged.", example = "[batch]")
        List<String> freeze) {
  /** The options of a job file without any. */
  public static final PbtOptions DEFAULT = new PbtOptions(0.25, 0.25, List.of(0.8, 1.2), List.of());

  public PbtOptions {
    Preconditions.that(
        quantile > 0 && quantile <= 0.5, "quantile must be above 0 and at most 0.5: " + quantile);
    Preconditions.that(resample >= 0 && resample <= 1, "resample must be 0 to 1: " + resample);
    factors = List.copyOf(factors);
    freeze = List.copyOf(freeze);
    Preconditions.that(!factors.isEmpty(), "factors must not be empty");
    factors.forEach(factor -> Preconditions.positive("factor", factor));
  }
}

package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.util.OptionalInt;

/** The training resource of a search: how many units a trial is trained. */
@FileSection(title = "search.resource", doc = "How many whole units a trial is trained.")
public record TrainingResource(
    @FileField(doc = "Name of the training unit.", example = "epoch") String unit,
    @FileField(
            doc =
                "Units after which trials are compared for the first time; for pbt, between"
                    + " comparisons.",
            absent = "1",
            example = "1")
        @Bounds(least = 1)
        int min,
    @FileField(doc = "Units of a fully trained trial.", example = "64") @Bounds(least = 1) int max,
    @FileField(
            doc =
                "For asha, instead of `min`: how often trials are compared. The last target is"
                    + " `max`, and each is `eta` times the one before.",
            without = "they follow from min",
            example = "4")
        @Bounds(least = 2, most = TrainingResource.MOST_RUNGS)
        OptionalInt rungs) {
  static final int MOST_RUNGS = 31;

  /** The resource of trials that are trained at once, such as a call of {@code fit}. */
  public static final TrainingResource ONE_SHOT = new TrainingResource("fit", 1, 1);

  public TrainingResource {
    Preconditions.text("search.resource.unit", unit);
    Preconditions.atLeast("search.resource.min", 1, min);
    Preconditions.atLeast("search.resource.max", min, max);
    rungs.ifPresent(count -> Preconditions.atLeast("search.resource.rungs", 2, count));
  }

  /** Creates a resource whose targets follow from {@code min}. */
  public TrainingResource(String unit, int min, int max) {
    this(unit, min, max, OptionalInt.empty());
  }
}

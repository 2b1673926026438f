package io.elastune.core.job;

import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.time.Duration;
import java.util.Optional;

/** When a search ends because its best metric improves no more. */
@FileSection(
    title = "search.stop.patience",
    doc = "When the search ends because its best metric improves no more. Needs trials or time.")
public record SearchPatience(
    @FileField(
            doc = "Ends the search after so many fully trained trials that were no improvement.",
            without = "no limit",
            example = "20")
        @Bounds(least = 1)
        Optional<Integer> trials,
    @FileField(
            doc = "Ends the search after this time without an improvement.",
            without = "no limit",
            example = "1h")
        Optional<Duration> time,
    @FileField(
            doc = "A metric that is not better by more than this is no improvement.",
            without = "0",
            example = "0.001")
        @Bounds(least = 0)
        Optional<Double> minGain) {}

package io.elastune.core.job;

import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.plan.RungRule;
import java.util.Optional;

/** When a search ends before all its trials have. */
@FileSection(title = "search.stop", doc = "When the search ends before all its trials have.")
public record SearchStop(
    @FileField(
            doc = "Ends the search at once when so many trials are fully trained.",
            without = "no limit",
            example = "3")
        @Bounds(least = 1)
        Optional<Integer> trained,
    @FileField(
            doc = "Ends the search at once when a trial reports this metric or a better one.",
            without = "no limit",
            example = "0.95")
        Optional<Double> target,
    @FileField(
            doc = "Ends the search at this time from its start. Needs a budget or a fixed cluster.",
            without = "no limit",
            example = "2h")
        Optional<RungRule.TimeLimit> time,
    @FileField(
            doc = "Ends the search when its best metric improves no more.",
            without = "never",
            example = "{trials: 20}")
        Optional<SearchPatience> patience) {
  /** Whether it ends although the number of its trials is not limited. */
  public boolean isSufficient() {
    return trained.isPresent() || time.isPresent();
  }
}

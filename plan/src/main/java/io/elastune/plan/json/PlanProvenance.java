package io.elastune.plan.json;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.job.Search;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.ProfileSummary;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Where the numbers of a plan come from, as part of the documents of {@code plan}. */
record PlanProvenance(
    @JsonPropertyDescription("The offers.") Prices prices,
    @JsonPropertyDescription("The profile.") ProfileSource profile,
    @JsonPropertyDescription(
            "Number of configurations by how they are chosen; without search.trials, those that are"
                + " drawn do not count.")
        Map<String, Long> configurations,
    @JsonPropertyDescription(
            "Number of different configurations with which trials start, at most; null without a"
                + " limit.")
        OptionalInt distinctConfigurations) {
  /** The source of the prices. */
  record Prices(
      @JsonPropertyDescription("The file or the clouds.") String source,
      @JsonPropertyDescription("The date of the oldest price.") String date,
      @KeyIfPresent @JsonPropertyDescription("What is known about them.")
          Optional<List<String>> notes,
      @KeyIfPresent @JsonPropertyDescription("The date of the prices of each provider.")
          Optional<Map<String, String>> dates) {}

  /** The source of the profile. */
  record ProfileSource(
      @JsonPropertyDescription("How it was measured.") String source,
      @JsonPropertyDescription("When it was measured.") Instant date,
      @JsonPropertyDescription("Number of measurements.") int samples) {}

  private static int trials(Inputs inputs, Search search) {
    return search.limitsTrials() ? inputs.workload().trials() : search.firstConfigurations().size();
  }

  static PlanProvenance of(Inputs inputs) {
    OfferCatalog catalog = inputs.catalog().value();
    ProfileSummary profile = ProfileSummary.of(inputs.profiles());
    Search search = inputs.job().value().search();
    Map<String, Long> configurations = new LinkedHashMap<>();
    for (Search.Origin origin : Search.Origin.values()) {
      configurations.put(
          origin.word(),
          IntStream.rangeClosed(1, trials(inputs, search))
              .filter(trial -> search.origin(trial) == origin)
              .count());
    }
    return new PlanProvenance(
        new Prices(
            catalog.source(),
            catalog.date(),
            Optional.of(catalog.notes()).filter(notes -> !notes.isEmpty()),
            Optional.of(catalog.priceDates()).filter(dates -> !dates.isEmpty())),
        new ProfileSource(profile.source(), profile.at(), profile.samples()),
        configurations,
        inputs.distinctConfigurations());
  }
}

package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.OptionalDouble;

/** The schedule that started a run, as part of the document of {@code status}. */
public record RunSchedule(
    @JsonPropertyDescription("Its name.") String name,
    @JsonPropertyDescription("Its monthly budget in USD, if it has one.") OptionalDouble monthlyUsd,
    @JsonUnwrapped MonthDocument cost,
    @JsonPropertyDescription("Its next start.") String nextStart) {
  /** The cost of a schedule in one month. */
  public record MonthDocument(
      @JsonPropertyDescription("The month.") String month,
      @JsonPropertyDescription("Cost of its runs in USD; null if the cost of a run is unknown.")
          OptionalDouble spentUsd,
      @JsonPropertyDescription("The runs whose cost is unknown.") List<String> unknownCost) {}
}

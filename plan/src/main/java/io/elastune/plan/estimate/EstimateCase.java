package io.elastune.plan.estimate;

import io.elastune.core.config.Overrides;
import io.elastune.core.config.OverridesBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One of the cases to compare. Empty values are those of the job file.
 *
 * @param place a location, e.g. {@code aws/us-east-1}
 * @param market {@code on-demand} or {@code spot}
 * @param deadline a deadline, as in the job file
 * @param budget a budget in USD
 */
public record EstimateCase(
    Optional<String> place,
    Optional<String> market,
    Optional<String> deadline,
    Optional<String> budget) {

  /** Returns every combination; an empty list stands for the value of the job file. */
  public static List<EstimateCase> combinations(
      List<String> places, List<String> markets, List<String> deadlines, List<String> budgets) {
    List<EstimateCase> cases = new ArrayList<>();
    for (Optional<String> place : choices(places)) {
      for (Optional<String> market : choices(markets)) {
        for (Optional<String> deadline : choices(deadlines)) {
          for (Optional<String> budget : choices(budgets)) {
            cases.add(new EstimateCase(place, market, deadline, budget));
          }
        }
      }
    }
    return cases;
  }

  private static List<Optional<String>> choices(List<String> values) {
    return values.isEmpty()
        ? List.of(Optional.empty())
        : values.stream().map(Optional::of).toList();
  }

  /** Returns {@code general} with the values of this case. */
  public Overrides overrides(Overrides general) {
    return OverridesBuilder.builder(general)
        .deadline(deadline)
        .budget(budget)
        .infra(place.map(List::of).orElse(general.infra()))
        .market(market)
        .build();
  }
}

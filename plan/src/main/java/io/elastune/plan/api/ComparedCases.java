package io.elastune.plan.api;

import java.util.List;

/**
 * The cases that {@link Plans#estimate} compares: every combination. An empty list stands for the
 * value of the job.
 *
 * @param places locations, e.g. {@code aws/us-east-1}
 * @param markets {@code on-demand} or {@code spot}
 * @param deadlines e.g. {@code 2h}, or a date-time
 * @param budgetsUsd budgets in US dollars
 */
public record ComparedCases(
    List<String> places, List<String> markets, List<String> deadlines, List<Double> budgetsUsd) {
  /** The limits, the places and the market of the job alone. */
  public static final ComparedCases OF_JOB =
      new ComparedCases(List.of(), List.of(), List.of(), List.of());

  public ComparedCases {
    places = List.copyOf(places);
    markets = List.copyOf(markets);
    deadlines = List.copyOf(deadlines);
    budgetsUsd = List.copyOf(budgetsUsd);
  }

  /** Returns these cases in other places. */
  public ComparedCases in(String... others) {
    return new ComparedCases(List.of(others), markets, deadlines, budgetsUsd);
  }

  /** Returns these cases on other markets. */
  public ComparedCases on(String... others) {
    return new ComparedCases(places, List.of(others), deadlines, budgetsUsd);
  }

  /** Returns these cases with other deadlines. */
  public ComparedCases by(String... others) {
    return new ComparedCases(places, markets, List.of(others), budgetsUsd);
  }

  /** Returns these cases with other budgets in US dollars. */
  public ComparedCases within(Double... others) {
    return new ComparedCases(places, markets, deadlines, List.of(others));
  }
}

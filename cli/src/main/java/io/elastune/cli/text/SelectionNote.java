package io.elastune.cli.text;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Preference;
import io.elastune.core.plan.Plan;
import io.elastune.core.time.Durations;
import io.elastune.inputs.FoundPlan;
import io.elastune.inputs.PlanSelection;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.PlanResult;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Says which plan of the frontier was chosen, and why. */
public final class SelectionNote {
  private final FoundPlan answer;
  private final PlanSelection selection;
  private final boolean hasDeadline;

  public SelectionNote(FoundPlan answer) {
    this.answer = answer;
    this.selection = answer.selection();
    this.hasDeadline = answer.problem().limits().deadlineS().isPresent();
  }

  /** Returns one line. */
  public String line() {
    return selection
        .instead()
        .map(this::chosenByUser)
        .orElseGet(() -> "chosen: " + what() + " (prefer: " + preference() + ")");
  }

  /** Returns the same as a reason for the plan. */
  public Map<String, Map<String, Double>> reason() {
    Map<String, Double> numbers = new LinkedHashMap<>();
    answer.choice().ifPresent(number -> numbers.put("choice", (double) number));
    numbers.put("choices", (double) answer.found().frontier().size());
    Map<String, Map<String, Double>> reasons = new LinkedHashMap<>();
    reasons.put(line(), numbers);
    return reasons;
  }

  /** Returns the question that offers the knee, with both prices. */
  public String question() {
    Estimate own = answer.found().estimate();
    FrontierPoint knee = answer.otherKnee().orElseThrow();
    return "Start this plan? Type 'yes' for %s, or 'knee' for %s:"
        .formatted(
            price(answer.found().plan(), own.completionS().mean(), own.costUsd().mean()),
            price(knee.plan(), knee.completionS(), knee.costUsd()));
  }

  private String price(Plan plan, double seconds, double usd) {
    String mark = answer.assumed().mark(Stream.of(plan));
    return mark + Durations.format(seconds) + " at " + mark + UsdFormat.format(usd);
  }

  private String chosenByUser(PlanResult.Found preferred) {
    String mark = answer.assumed().mark(Stream.of(answer.found().plan()));
    return "choice %d of %d; without --choice the plan is: %s for %s"
        .formatted(
            answer.choice().orElseThrow(),
            answer.found().frontier().size(),
            mark + Durations.format(preferred.estimate().completionS().mean()),
            mark + UsdFormat.format(preferred.estimate().costUsd().mean()));
  }

  private String what() {
    Preference preference = selection.preference();
    String limits = hasDeadline ? " that meets the deadline" : "";
    return switch (preference.rule()) {
      case CHEAPEST ->
          selection.isTied()
              ? "the fastest of the plans" + limits + " that cost as little as the cheapest"
              : "the cheapest plan" + limits;
      case FASTEST -> "the fastest plan within the limits";
      case BALANCED -> "the best compromise of time and cost";
      case HOUR_WORTH ->
          "the best plan if an hour is worth " + UsdFormat.format(preference.hourWorthUsd());
    };
  }

  private String preference() {
    String text = selection.preference().text();
    if (!selection.isDefault()) {
      return text;
    }
    if (selection.preference().rule() == Preference.Rule.FASTEST) {
      return text + ", the default where nothing is charged";
    }
    return text
        + (hasDeadline ? ", the default with a deadline" : ", the default without a deadline");
  }
}

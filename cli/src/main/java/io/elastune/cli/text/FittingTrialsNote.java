package io.elastune.cli.text;

import io.elastune.cli.input.FittingTrials;
import io.elastune.core.plan.Problem;
import io.elastune.core.time.Durations;
import java.util.ArrayList;
import java.util.List;

/** Says how many trials fit the limits of a plan, and how many more money buys. */
final class FittingTrialsNote {
  private FittingTrialsNote() {}

  /** Returns one line. */
  static String of(FittingTrials trials, Problem problem) {
    int all = problem.workload().trials();
    List<String> limits = new ArrayList<>();
    problem
        .limits()
        .budgetUsd()
        .ifPresent(usd -> limits.add("the budget of " + UsdFormat.format(usd)));
    problem
        .limits()
        .deadlineS()
        .ifPresent(seconds -> limits.add("the deadline of " + Durations.format(seconds)));
    String fit =
        trials.isMore()
            ? "more than " + trials.most() + " trials fit "
            : trials.most() == all
                ? "not many more trials fit "
                : "about " + trials.most() + " trials fit ";
    return fit + String.join(" and ", limits) + "; the job has " + all + twice(trials);
  }

  private static String twice(FittingTrials trials) {
    if (trials.ofTwiceTheBudget().isEmpty()) {
      return "";
    }
    int more = trials.ofTwiceTheBudget().getAsInt();
    return more > trials.most()
        ? "; twice the budget fits about " + more
        : "; twice the budget fits no more, because of the deadline";
  }
}

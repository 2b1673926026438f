package io.elastune.cli.text;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.plan.Problem;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.PolicyStops;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * States what the prediction of a scheduling policy assumes about the metrics of the trials, and
 * how often it ends running trials after a checkpoint.
 */
public final class PolicyNote {
  private PolicyNote() {}

  /**
   * Returns e.g. {@code expected resizes: ~2.4 (5% to 95%: 1 to 4)}; empty for a policy that ends
   * no running trial.
   */
  static Optional<String> of(PolicyStops stops) {
    List<String> parts = new ArrayList<>();
    part("preemptions", stops.preemptions()).ifPresent(parts::add);
    part("resizes", stops.resizes()).ifPresent(parts::add);
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join(" · ", parts));
  }

  private static Optional<String> part(String what, Distribution count) {
    if (count.mean() == 0) {
      return Optional.empty();
    }
    boolean isExact = count.p5() == count.p95() && count.p5() == count.mean();
    return Optional.of(
        isExact
            ? String.format(Locale.ROOT, "expected %s of trials: %.0f", what, count.mean())
            : String.format(
                Locale.ROOT,
                "expected %s of trials: ~%.1f (5%% to 95%%: %.0f to %.0f)",
                what,
                count.mean(),
                count.p5(),
                count.p95()));
  }

  /** Returns the note; empty if the policy does not depend on metrics. */
  static Optional<String> of(Problem problem, RankModel ranks) {
    if (problem.hyperSched().isEmpty() && problem.hermes().isEmpty()) {
      return Optional.empty();
    }
    String policy = "policy: " + problem.policy().word();
    if (ranks.curves().isPresent()) {
      return Optional.of(policy + " decides by the learning curves");
    }
    return Optional.of(
        "~ "
            + policy
            + (problem.hermes().isPresent()
                ? " trains first what improves fastest"
                : " trains the best trials until the deadline, or until no trial is left")
            + ": assumes synthetic learning curves; 'elastune simulate --curves' uses others");
  }
}

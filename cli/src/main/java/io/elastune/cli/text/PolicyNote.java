package io.elastune.cli.text;

import io.elastune.core.plan.Problem;
import io.elastune.simulator.RankModel;
import java.util.Optional;

/** States what the prediction of a scheduling policy assumes about the metrics of the trials. */
final class PolicyNote {
  private PolicyNote() {}

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
        problem.hermes().isPresent()
            ? "~ "
                + policy
                + " trains first what improves fastest: assumes synthetic learning curves;"
                + " 'elastune simulate --curves' uses others"
            : policy
                + " trains until the deadline; which trials it starts and stops depends on their"
                + " metrics, and 'elastune simulate --curves' predicts it");
  }
}

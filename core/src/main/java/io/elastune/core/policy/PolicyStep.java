package io.elastune.core.policy;

import java.util.List;

/**
 * The result of one call of a scheduling policy.
 *
 * @param decisions what follows, in order
 */
public record PolicyStep<P extends PolicyState>(P state, List<PolicyDecision> decisions) {
  public PolicyStep {
    decisions = List.copyOf(decisions);
  }
}

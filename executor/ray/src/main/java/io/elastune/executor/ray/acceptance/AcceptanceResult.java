package io.elastune.executor.ray.acceptance;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The result of the checks of one node.
 *
 * @param problem why it is refused; empty if it is accepted
 * @param copyGbPerS the GB per second that its slowest GPU reads and writes while it copies its
 *     memory; empty if that was not measured
 */
public record AcceptanceResult(Optional<AcceptanceProblem> problem, OptionalDouble copyGbPerS) {
  static final AcceptanceResult ACCEPTED =
      new AcceptanceResult(Optional.empty(), OptionalDouble.empty());

  static AcceptanceResult refused(AcceptanceProblem problem) {
    return new AcceptanceResult(Optional.of(problem), OptionalDouble.empty());
  }
}

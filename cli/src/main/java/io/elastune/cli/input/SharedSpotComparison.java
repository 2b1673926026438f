package io.elastune.cli.input;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.Optional;
import java.util.function.Supplier;

/** The comparison of markets of one plan, simulated once for the screen and for JSON. */
public final class SharedSpotComparison implements Supplier<Optional<SpotComparison>> {
  private final Problem problem;
  private final Plan plan;
  private Optional<SpotComparison> comparison = Optional.empty();
  private boolean compared;

  SharedSpotComparison(Problem problem, Plan plan) {
    this.problem = problem;
    this.plan = plan;
  }

  @Override
  public Optional<SpotComparison> get() {
    if (!compared) {
      comparison = SpotComparison.of(problem, plan);
      compared = true;
    }
    return comparison;
  }
}

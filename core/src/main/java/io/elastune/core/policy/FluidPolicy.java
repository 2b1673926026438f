package io.elastune.core.policy;

/**
 * Divides a fixed cluster among the trials of a group in proportion to the training that each has
 * left, so that all end at about the same time (docs/searches.md, "Fluid"; Fluid, MLSys 2021).
 */
public final class FluidPolicy implements SchedulingPolicy<FluidState> {
  private final FluidRule rule;
  private final FluidWidths widths;

  /**
   * @param seconds the seconds per unit with each width that {@code rule} allows
   */
  public FluidPolicy(FluidRule rule, WidthSeconds seconds) {
    this.rule = rule;
    this.widths = new FluidWidths(rule, seconds);
  }

  @Override
  public FluidState initial() {
    return FluidState.INITIAL;
  }

  @Override
  public boolean usesUnitEnds(FluidState state) {
    return !state.candidates().isEmpty();
  }

  @Override
  public boolean usesReports() {
    return false;
  }

  @Override
  public PolicyStep<FluidState> assign(FluidState state, PolicyView view) {
    return new FluidAssignment(rule, widths, state, view).run();
  }
}

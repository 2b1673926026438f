package io.elastune.core.policy;

/**
 * Divides a fixed cluster among the trials of a group in proportion to the training that each has
 * left, so that all end at about the same time (docs/searches.md, "Fluid"; Fluid, MLSys 2021).
 */
public final class FluidPolicy implements SchedulingPolicy<FluidState> {
  /** The name of the open group that all tasks of a search without barriers form. */
  public static final String OPEN_GROUP = "rungs";

  private final FluidRule rule;
  private final FluidWidths widths;
  private final boolean isOpen;

  /**
   * Creates the policy of trial groups that begin with all their trials.
   *
   * @param seconds the seconds per unit with each width that {@code rule} allows
   */
  public FluidPolicy(FluidRule rule, WidthSeconds seconds) {
    this(rule, seconds, false);
  }

  private FluidPolicy(FluidRule rule, WidthSeconds seconds, boolean isOpen) {
    this.rule = rule;
    this.widths = new FluidWidths(rule, seconds);
    this.isOpen = isOpen;
  }

  /**
   * Returns the policy of a search without barriers: the tasks that were issued and have not ended
   * are one open group, to which tasks are added one by one.
   *
   * @param seconds the seconds per unit with each width that {@code rule} allows
   */
  public static FluidPolicy ofOpenGroup(FluidRule rule, WidthSeconds seconds) {
    return new FluidPolicy(rule, seconds, true);
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
    return new FluidAssignment(rule, widths, isOpen, state, view).run();
  }

  /** In an open group, the next task of the trial gets a width of its own. */
  @Override
  public FluidState ended(FluidState state, int trial) {
    return isOpen ? state.without(trial) : state;
  }
}

package io.elastune.core.policy;

/**
 * Places several trials on each GPU, trains one of them at a time, and prefers those that converge
 * fastest (docs/searches.md, "Hermes"; Electronics 2021, 10, 350). It predicts no durations.
 */
public final class HermesPolicy implements SchedulingPolicy<HermesState> {
  private final HermesRule rule;

  public HermesPolicy(HermesRule rule) {
    this.rule = rule;
  }

  @Override
  public HermesState initial() {
    return HermesState.INITIAL;
  }

  @Override
  public boolean usesUnitEnds(HermesState state) {
    return state.gpus().values().stream().distinct().count() < state.gpus().size();
  }

  @Override
  public boolean usesReports() {
    return true;
  }

  @Override
  public PolicyStep<HermesState> assign(HermesState state, PolicyView view) {
    return new HermesAssignment(rule, state, view).run();
  }
}

package io.elastune.core.policy;

import java.util.HashSet;
import java.util.Set;

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
    Set<HermesState.Gpu> placed = new HashSet<>();
    for (HermesState.Gpu gpu : state.gpus().values()) {
      if (!placed.add(gpu)) {
        return true;
      }
    }
    return false;
  }

  /** Only the ends of slices matter. */
  @Override
  public int nextUnit(HermesState state, int trial, int unit) {
    int slice = rule.sliceUnits();
    return (unit + slice - 1) / slice * slice;
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

package io.elastune.core.timeline;

import io.elastune.core.search.RungSearch;

/**
 * A search made of rungs, whose plan gives instances and GPUs to the phases open and closing
 * (docs/searches.md, "The plan of an asynchronous search").
 */
public final class PhaseSizes implements ListSizes {
  private final Plan plan;
  private final RungsRun search;
  private final int instances;

  /**
   * The instances that a phase holds at most, and the GPUs of each task that starts in it. If a
   * search opens with more instances, those with the highest numbers start no task, and are
   * released when they are idle.
   */
  public record Phase(int instances, int gpus) {}

  /**
   * The plan of a search.
   *
   * @param gpusPerInstance GPUs of each instance, at most 64
   * @param hold whether no instance is released before the end
   */
  public record Plan(int gpusPerInstance, Phase open, Phase closing, boolean hold) {}

  /**
   * Creates the sizes of a plan.
   *
   * @param instances the instances that are requested, or held, at the start
   */
  public PhaseSizes(Plan plan, RungsRun search, int instances) {
    this.plan = plan;
    this.search = search;
    this.instances = instances;
  }

  @Override
  public int requested() {
    return instances;
  }

  @Override
  public int queue(int place) {
    return 0;
  }

  @Override
  public int gpus(int queue) {
    return (search.isOpen() ? plan.open() : plan.closing()).gpus();
  }

  @Override
  public int used() {
    return search.isOpen() ? plan.open().instances() : Integer.MAX_VALUE;
  }

  @Override
  public int kept() {
    return plan.hold() || search.isFinished() ? Integer.MAX_VALUE : replaced();
  }

  @Override
  public int replaced() {
    if (search.isOpen()) {
      return plan.open().instances();
    }
    int perInstance = plan.gpusPerInstance() / plan.closing().gpus();
    return RungSearch.keptInstances(search.demand(), plan.closing().instances(), perInstance);
  }

  @Override
  public boolean avoidsInstanceOfHang() {
    return true;
  }

  @Override
  public boolean unreadyAreIdle() {
    return search.isOpen() || search.promotable() == 0;
  }
}

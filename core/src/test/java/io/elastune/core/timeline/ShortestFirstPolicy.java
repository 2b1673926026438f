package io.elastune.core.timeline;

import java.util.stream.IntStream;

/**
 * A policy as an example (docs/architecture.md, "Add a search or a policy"): of the waiting tasks,
 * that of the queue with the shortest remaining training starts first, each on one GPU of a fixed
 * cluster.
 */
final class ShortestFirstPolicy implements PolicyRun {
  /** The remaining training of a queue. */
  interface Remaining {
    /** Returns the seconds of training that a queue has left. */
    double seconds(int queue);
  }

  private final SearchRun search;
  private final Remaining remaining;
  private final PoolPlacement placement;
  private final int instances;

  ShortestFirstPolicy(SearchRun search, Remaining remaining, int instances, int gpusPerInstance) {
    this.search = search;
    this.remaining = remaining;
    this.instances = instances;
    placement = new PoolPlacement(gpusPerInstance);
  }

  @Override
  public void begin(ManagedCluster cluster) {
    placement.clear();
    for (int i = 0; i < instances; i++) {
      placement.add();
      cluster.request();
    }
  }

  @Override
  public void decide(ManagedCluster cluster) {
    int instance = placement.find(1, Integer.MAX_VALUE, Task.NONE);
    int queue = shortest();
    while (instance != Task.NONE && queue >= 0) {
      Task task = cluster.issue(queue);
      if (task == null) {
        return;
      }
      int gpu = placement.firstFree(instance, 1);
      placement.take(instance, gpu, 1);
      cluster.start(task, cluster.instance(instance), gpu, 1);
      instance = placement.find(1, Integer.MAX_VALUE, Task.NONE);
      queue = shortest();
    }
  }

  private int shortest() {
    return IntStream.range(0, search.queues())
        .filter(search::mayIssue)
        .boxed()
        .min(
            (a, b) -> {
              int order = Double.compare(remaining.seconds(a), remaining.seconds(b));
              return order != 0 ? order : Integer.compare(a, b);
            })
        .orElse(-1);
  }

  @Override
  public void ready(Instance instance) {
    placement.ready(instance.number());
  }

  @Override
  public void ended(Task task) {
    placement.free(task.instance(), task.firstGpu(), task.gpus());
  }

  @Override
  public void lost(Instance instance, ManagedCluster cluster) {
    placement.release(instance.number());
    placement.add();
    cluster.replace(instance);
  }
}

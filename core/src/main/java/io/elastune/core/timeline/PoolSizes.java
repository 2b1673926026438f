package io.elastune.core.timeline;

import io.elastune.core.search.PoolGroup;
import io.elastune.core.search.PoolRules;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Chains of trial groups that share instances: the chain with the longest remaining path is served
 * first, and as many instances are kept as the chains can use at once from now on
 * (docs/searches.md, "Shared instances").
 */
public final class PoolSizes implements ListSizes {
  private final ChainsRun search;
  private final int gpusPerInstance;
  private int instances;
  private boolean hold;

  // By chain and group: the GPUs of a task, the remaining path, and the most GPUs of later groups.
  private final int[][] gpus;
  private final double[][] pathS;
  private final double[][] laterGpus;

  // By chain and group: the GPUs that one task makes unusable for others.
  private final double[][] perTask;

  /** The chains in the order in which they are served, and since how many ends of groups. */
  private final int[] order;

  private int orderedAt = -1;

  /**
   * Creates the sizes of a plan.
   *
   * @param instances the instances that are requested, or held, at the start
   * @param hold whether no instance is released before the end
   */
  public PoolSizes(
      List<List<PoolGroup>> chains,
      ChainsRun search,
      int instances,
      int gpusPerInstance,
      boolean hold) {
    this.search = search;
    this.gpusPerInstance = gpusPerInstance;
    int count = chains.size();
    gpus = new int[count][];
    pathS = new double[count][];
    laterGpus = new double[count][];
    perTask = new double[count][];
    order = IntStream.range(0, count).toArray();
    for (int chain = 0; chain < count; chain++) {
      int groups = chains.get(chain).size();
      gpus[chain] = new int[groups];
      pathS[chain] = new double[groups];
      laterGpus[chain] = new double[groups];
      perTask[chain] = new double[groups];
    }
    change(chains, instances, hold);
  }

  /**
   * Changes to another plan of as many chains and groups, for the next play.
   *
   * @param requested the instances that are requested, or held, at the start
   * @param holds whether no instance is released before the end
   */
  public void change(List<List<PoolGroup>> chains, int requested, boolean holds) {
    instances = requested;
    hold = holds;
    orderedAt = -1;
    for (int chain = 0; chain < order.length; chain++) {
      change(chain, chains.get(chain));
    }
  }

  private void change(int chain, List<PoolGroup> groups) {
    double afterS = 0;
    double after = 0;
    for (int i = groups.size() - 1; i >= 0; i--) {
      PoolGroup group = groups.get(i);
      gpus[chain][i] = group.gpus();
      afterS += group.taskS();
      pathS[chain][i] = afterS;
      laterGpus[chain][i] = after;
      after = Math.max(after, PoolRules.demandGpus(group, group.trials(), gpusPerInstance));
      perTask[chain][i] = PoolRules.demandGpus(group, 1, gpusPerInstance);
    }
  }

  @Override
  public int requested() {
    return instances;
  }

  @Override
  public int queue(int place) {
    if (orderedAt != search.groupsEnded()) {
      sort();
      orderedAt = search.groupsEnded();
    }
    return order[place];
  }

  private void sort() {
    for (int i = 1; i < order.length; i++) {
      int chain = order[i];
      int place = i;
      while (place > 0 && goesFirst(chain, order[place - 1])) {
        order[place] = order[place - 1];
        place--;
      }
      order[place] = chain;
    }
  }

  private boolean goesFirst(int chain, int other) {
    return PoolRules.goesFirst(remainingS(chain), chain, remainingS(other), other);
  }

  private double remainingS(int chain) {
    int group = search.group(chain);
    return group < pathS[chain].length ? pathS[chain][group] : 0;
  }

  @Override
  public int gpus(int queue) {
    return gpus[queue][search.group(queue)];
  }

  @Override
  public int kept() {
    return hold ? Integer.MAX_VALUE : needed();
  }

  @Override
  public int replaced() {
    return hold ? instances : Math.min(instances, needed());
  }

  private int needed() {
    double demandGpus = 0;
    for (int chain = 0; chain < order.length; chain++) {
      int unfinished = search.unfinished(chain);
      if (unfinished > 0) {
        int group = search.group(chain);
        demandGpus += Math.max(unfinished * perTask[chain][group], laterGpus[chain][group]);
      }
    }
    return PoolRules.keptInstances(demandGpus, gpusPerInstance);
  }

  @Override
  public boolean unreadyAreIdle() {
    return true;
  }
}

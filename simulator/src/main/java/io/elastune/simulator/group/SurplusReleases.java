package io.elastune.simulator.group;

import io.elastune.core.allocation.IdleInstance;
import io.elastune.simulator.instance.CompiledGroup;
import java.util.Arrays;

/**
 * Decides at the end of a group which instances are released. The next group keeps the instances
 * that it needs; surplus instances are released at their idle times. With {@code hold}, nothing is
 * released before the end of the chain's last group, and surplus instances remain paid and unused.
 */
final class SurplusReleases {
  private final boolean hold;
  private final int[] candidates;
  private final KeySorter sorter;
  private final KeySorter.TieRule order;
  // By lease: 1 if the next group keeps it, otherwise 0. Numbers avoid unpredictable branches.
  private int[] keeps;
  private Cluster cluster;

  /**
   * Creates the rules for clusters of up to {@code most} leases; {@code any} is one of the
   * clusters.
   */
  SurplusReleases(boolean hold, int most, Cluster any) {
    this.hold = hold;
    this.cluster = any;
    candidates = new int[most];
    keeps = new int[most];
    Arrays.fill(keeps, 1);
    sorter = new KeySorter(most);
    order = this::before;
  }

  private boolean before(int a, int b) {
    double idleA = cluster.idleS[a];
    double idleB = cluster.idleS[b];
    return IdleInstance.before(
        idleA, cluster.isReady(a, idleA), a, idleB, cluster.isReady(b, idleB), b);
  }

  /** Ends {@code compiledGroup}, which ran from {@code startS} to {@code endS}. */
  void endGroup(CompiledGroup compiledGroup, Cluster ending, double startS, double endS) {
    cluster = ending;
    int leaving = IdleInstance.surplus(cluster.held, compiledGroup.kept());
    if (leaving > 0) {
      if (hold && compiledGroup.last()) {
        releaseAll(compiledGroup, startS, endS);
        return;
      }
      chooseSurplus(compiledGroup, leaving, endS);
      releaseSurplus(compiledGroup, leaving, startS);
    }
    cluster.attributeCost(compiledGroup.group(), startS, endS);
  }

  /**
   * Releases all instances that are left in the last group of a chain that begins, because the
   * search ends at {@code atS}, until when their cost has been attributed.
   */
  void endSearch(CompiledGroup compiledGroup, Cluster ending, double atS) {
    cluster = ending;
    releaseAll(compiledGroup, atS, atS);
  }

  private void releaseAll(CompiledGroup compiledGroup, double startS, double endS) {
    for (int i = 0; i < cluster.held; i++) {
      cluster.release(cluster.active[i], compiledGroup.group(), startS, endS);
    }
    for (int i = 0; i < cluster.parkedCount; i++) {
      cluster.release(cluster.parked[i], compiledGroup.group(), startS, endS);
    }
    cluster.held = 0;
    cluster.parkedCount = 0;
  }

  /**
   * Puts the {@code leaving} instances to release at the start of {@link #candidates}. Spare
   * instances are released later than they become idle: their idle times are adapted.
   */
  private void chooseSurplus(CompiledGroup compiledGroup, int leaving, double endS) {
    System.arraycopy(cluster.active, 0, candidates, 0, cluster.held);
    if (compiledGroup.spare() > 0 && !hold) {
      sorter.sort(candidates, cluster.held, cluster.idleS, order);
      chooseAroundSpares(compiledGroup.spare(), leaving, endS);
    } else if (leaving < cluster.held) {
      sorter.select(candidates, cluster.held, leaving, cluster.idleS, order);
    }
  }

  /**
   * Chooses from the candidates in their order: as soon as more than {@code spare} are idle, one of
   * these is released, and at the end of the group as many as are left.
   */
  private void chooseAroundSpares(int spare, int leaving, double endS) {
    for (int released = 0; released < leaving; released++) {
      int idle = Math.min(released + spare + 1, cluster.held);
      boolean early = released + spare < cluster.held;
      int last = candidates[idle - 1];
      double atS = early ? cluster.idleS[last] : endS;
      int first = released;
      for (int i = released + 1; i < idle; i++) {
        first = isReleasedFirst(candidates[i], candidates[first], atS) ? i : first;
      }
      int number = candidates[first];
      System.arraycopy(candidates, released, candidates, released + 1, first - released);
      candidates[released] = number;
      cluster.idleS[number] = atS;
      cluster.releasedWith[number] = early ? last : Cluster.GROUP_END;
    }
  }

  private boolean isReleasedFirst(int a, int b, double atS) {
    return IdleInstance.before(atS, cluster.isReady(a, atS), a, atS, cluster.isReady(b, atS), b);
  }

  private void releaseSurplus(CompiledGroup compiledGroup, int leaving, double startS) {
    if (keeps.length < cluster.requested()) {
      keeps = new int[2 * cluster.requested()];
      Arrays.fill(keeps, 1);
    }
    for (int i = 0; i < leaving; i++) {
      int number = candidates[i];
      keeps[number] = 0;
      if (hold) {
        cluster.park(number);
      } else {
        cluster.release(number, compiledGroup.group(), startS, cluster.idleS[number]);
      }
    }
    if (cluster.isOrdered()) {
      keep(cluster.byReady);
    }
    cluster.held = keep(cluster.active);
    for (int i = 0; i < leaving; i++) {
      keeps[candidates[i]] = 1;
    }
  }

  /** Compacts the numbers of the kept instances in their order; returns how many there are. */
  private int keep(int[] numbers) {
    int left = 0;
    for (int i = 0; i < cluster.held; i++) {
      int number = numbers[i];
      numbers[left] = number;
      left += keeps[number];
    }
    return left;
  }
}

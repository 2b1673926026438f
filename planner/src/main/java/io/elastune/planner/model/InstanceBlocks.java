package io.elastune.planner.model;

import io.elastune.core.allocation.IdleInstance;
import java.util.Arrays;

/**
 * The instances of a group, in pieces of equal instances with adjacent numbers. Reused for speed;
 * not thread-safe.
 */
public final class InstanceBlocks {
  private int pieces;
  private int[] count = new int[8];
  private double[] runningS = new double[8];
  private double[] readyS = new double[8];
  private double[] usedS = new double[8];
  private double[] idleS = new double[8];
  private double[] deviationS = new double[8];
  private int[] order = new int[8];
  private boolean ordered;
  private final DoubleFunctionCache lowestMean =
      new DoubleFunctionCache(StandardNormal::lowestMean);

  void clear() {
    pieces = 0;
    ordered = false;
  }

  /** Adds instances with higher numbers than those before. */
  void add(
      int instances,
      double runningAtS,
      double readyAtS,
      double usedForS,
      double idleAtS,
      double idleDeviationS) {
    if (pieces == count.length) {
      grow();
    }
    count[pieces] = instances;
    runningS[pieces] = runningAtS;
    readyS[pieces] = readyAtS;
    usedS[pieces] = usedForS;
    idleS[pieces] = idleAtS;
    deviationS[pieces] = idleDeviationS;
    pieces++;
  }

  private void grow() {
    int length = 2 * count.length;
    count = Arrays.copyOf(count, length);
    runningS = Arrays.copyOf(runningS, length);
    readyS = Arrays.copyOf(readyS, length);
    usedS = Arrays.copyOf(usedS, length);
    idleS = Arrays.copyOf(idleS, length);
    deviationS = Arrays.copyOf(deviationS, length);
    order = new int[length];
  }

  public int size() {
    return pieces;
  }

  public int countOf(int piece) {
    return count[piece];
  }

  public double runningS(int piece) {
    return runningS[piece];
  }

  public double readyS(int piece) {
    return readyS[piece];
  }

  public double usedS(int piece) {
    return usedS[piece];
  }

  public double idleS(int piece) {
    return idleS[piece];
  }

  /** Standard deviation of the times at which the instances of a piece become idle. */
  double deviationS(int piece) {
    return deviationS[piece];
  }

  /**
   * Mean time at which the first of equal instances become idle: before the mean of all, where
   * durations vary.
   */
  double idleS(int piece, int first) {
    return deviationS[piece] == 0 || first == count[piece]
        ? idleS[piece]
        : idleS[piece] + deviationS[piece] * lowestMean.of((double) first / count[piece]);
  }

  /** The piece that is released at {@code position}, from its highest instance down. */
  public int releasedAt(int position) {
    if (!ordered) {
      orderReleases();
      ordered = true;
    }
    return order[position];
  }

  private void orderReleases() {
    // From the highest number down, which is mostly the order already.
    for (int n = 0; n < pieces; n++) {
      int piece = pieces - 1 - n;
      int at = n;
      while (at > 0 && releasedBefore(piece, order[at - 1])) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = piece;
    }
  }

  private boolean releasedBefore(int a, int b) {
    return IdleInstance.before(
        idleS[a], readyS[a] <= idleS[a], a, idleS[b], readyS[b] <= idleS[b], b);
  }

  /** Time at which the last of the remaining instances is ready if {@code surplus} are released. */
  public double lastKeptReadyS(int surplus) {
    double lastS = Double.NEGATIVE_INFINITY;
    int leaving = surplus;
    for (int i = 0; i < pieces; i++) {
      int piece = releasedAt(i);
      if (leaving < count[piece]) {
        lastS = Math.max(lastS, readyS[piece]);
      }
      leaving = Math.max(0, leaving - count[piece]);
    }
    return lastS;
  }
}

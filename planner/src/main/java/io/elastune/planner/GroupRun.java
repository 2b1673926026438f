package io.elastune.planner;

import io.elastune.core.allocation.IdleInstance;
import java.util.Arrays;

/**
 * One group of a chain on given instances, by the rules of the simulator with every draw at its
 * mean (model.md, "Time" and "Money"). Instances are numbered as requested and all boot equally
 * long, so the order of their numbers is also that in which they are ready and join teams: they are
 * kept in blocks of equal ones, and no work grows with the number of instances or trials.
 *
 * <p>Reused for speed: {@link #run} overwrites what the call before it left. Not thread-safe.
 */
final class GroupRun {
  /** Moments at which instances that boot unequally long become ready. */
  private static final int STEPS = 12;

  private final ChainModel model;
  private final Schedule schedule = new Schedule();
  private Held held = Held.NOTHING;
  private Rental rental;
  private double trialS;
  private double costUsd;
  private int pieces;
  private int[] count = new int[8];
  private double[] runningS = new double[8];
  private double[] readyS = new double[8];
  private double[] usedS = new double[8];
  private double[] idleS = new double[8];
  private double[] deviationS = new double[8];
  private int[] order = new int[8];
  private int[] kept = new int[8];
  private int firstFresh;
  private boolean ordered;

  GroupRun(ChainModel model) {
    this.model = model;
    this.rental = model.menu().rentals().get(0);
  }

  /**
   * Runs {@code group} from {@code before}; of the size's rental as many instances are requested as
   * are missing.
   */
  void run(Held before, int group, Size size, int instances) {
    held = before;
    rental = size.rental();
    ordered = false;
    int have = before.count();
    int fresh = instances - have;
    costUsd = before.costUsd() + fresh * rental.offer().dataInUsd();
    trialS = model.trialS(group, size);
    formUnits(size.team(), have, instances);
    schedule.run(
        before.timeS(), model.trials(group), trialS, model.deviation(group, size), size.perTeam());
    cut(size.team(), fresh);
  }

  private void formUnits(int team, int have, int instances) {
    schedule.clear();
    int from = 0;
    for (int block = 0; block < held.blocks(); block++) {
      int to = from + held.counts()[block];
      form(team, from, to, held.readyS()[block]);
      from = to;
    }
    if (instances > have) {
      form(team, from, instances, held.timeS() + rental.readyAfterS());
    }
  }

  /** The teams whose last member is one of some instances: those that are ready with these. */
  private void form(int team, int from, int to, double readyAtS) {
    int units = to / team - from / team;
    if (units == 0) {
      return;
    }
    if (readyAtS <= held.timeS()) {
      schedule.add(units, held.timeS(), 0);
    } else if (model.readyVariance(rental) == 0) {
      schedule.add(units, readyAtS, 0);
    } else {
      double deviation = Math.sqrt(model.readyVariance(rental) * Normal.maximumVariance(team));
      double meanS = readyAtS + Math.sqrt(model.readyVariance(rental)) * Normal.maximum(team);
      if (units > 1 && 2 * deviation * Normal.maximum(units) > trialS) {
        formOneByOne(units, meanS, deviation);
      } else {
        schedule.add(units, meanS, deviation * deviation);
      }
    }
  }

  /** The first ready may be done with a trial before the last is ready: each in its turn. */
  private void formOneByOne(int units, double meanS, double deviation) {
    int steps = Math.min(units, STEPS);
    double variance = deviation * deviation * Normal.maximumVariance(units);
    int from = 0;
    for (int step = 1; step <= steps; step++) {
      int to = units * step / steps;
      double score = Normal.quantile((step - 0.375) / (steps + 0.25));
      schedule.add(to - from, Math.max(held.timeS(), meanS + deviation * score), variance);
      from = to;
    }
  }

  /** Cuts blocks into pieces whose instances did the same in this group. */
  private void cut(int team, int fresh) {
    pieces = 0;
    int part = -1;
    int left = 0;
    int blocks = held.blocks() + (fresh > 0 ? 1 : 0);
    for (int block = 0; block < blocks; block++) {
      int rest = block < held.blocks() ? held.counts()[block] : fresh;
      firstFresh = block < held.blocks() ? Integer.MAX_VALUE : pieces;
      while (rest > 0) {
        if (left == 0) {
          part++;
          left = part < schedule.parts() ? schedule.unitsOf(part) * team : Integer.MAX_VALUE;
        }
        int size = Math.min(rest, left);
        add(block, size, part);
        rest -= size;
        left -= size;
      }
    }
  }

  private void add(int block, int size, int part) {
    if (pieces == count.length) {
      grow();
    }
    boolean isFresh = block == held.blocks();
    boolean isUsed = part < schedule.parts() && schedule.fillsOf(part) > 0;
    count[pieces] = size;
    runningS[pieces] = isFresh ? held.timeS() + rental.runningAfterS() : held.runningS()[block];
    readyS[pieces] = isFresh ? held.timeS() + rental.readyAfterS() : held.readyS()[block];
    usedS[pieces] =
        (isFresh ? 0 : held.usedS()[block]) + (isUsed ? schedule.fillsOf(part) * trialS : 0);
    idleS[pieces] = isUsed ? schedule.idleS(part) : schedule.lastStartS();
    deviationS[pieces] = isUsed ? schedule.deviationS(part) : 0;
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
    kept = new int[length];
  }

  /** When the group ends, in the mean. */
  double endS() {
    return schedule.end().meanS();
  }

  /** How far the barrier at the group's end varies, in seconds squared. */
  double endS2() {
    return held.varianceS2() + schedule.end().varianceS2();
  }

  /** Pieces: instances, side by side by number, that cannot be told apart. */
  int pieces() {
    return pieces;
  }

  /** The piece that is let go as number {@code position}, from its highest instance down. */
  int released(int position) {
    orderReleases();
    return order[position];
  }

  int countOf(int piece) {
    return count[piece];
  }

  /** Whether the piece's instances were requested for this group. */
  boolean isFresh(int piece) {
    return piece >= firstFresh;
  }

  double runningS(int piece) {
    return runningS[piece];
  }

  double readyS(int piece) {
    return readyS[piece];
  }

  double usedS(int piece) {
    return usedS[piece];
  }

  double idleS(int piece) {
    return idleS[piece];
  }

  /** What is held when {@code surplus} instances are let go, each when it is idle. */
  Held release(int surplus) {
    double spentUsd = costUsd;
    System.arraycopy(count, 0, kept, 0, pieces);
    orderReleases();
    int leaving = surplus;
    for (int i = 0; leaving > 0; i++) {
      int piece = order[i];
      int gone = Math.min(leaving, count[piece]);
      spentUsd += gone * leaseUsd(piece, idleS[piece] + earlyS(piece, gone));
      kept[piece] -= gone;
      leaving -= gone;
    }
    return left(spentUsd);
  }

  /** What has been spent by the end if {@code surplus} are let go, the others by the second. */
  double spentUsd(int surplus) {
    double spentUsd = costUsd;
    orderReleases();
    int leaving = surplus;
    for (int i = 0; i < pieces; i++) {
      int piece = order[i];
      int gone = Math.min(leaving, count[piece]);
      if (gone > 0) {
        spentUsd += gone * leaseUsd(piece, idleS[piece] + earlyS(piece, gone));
        leaving -= gone;
      }
      if (gone < count[piece]) {
        double heldS = endS() - runningS[piece];
        spentUsd += (count[piece] - gone) * rental.accruedUsd(heldS, usedS[piece]);
      }
    }
    return spentUsd;
  }

  /** When the last is ready of those that are kept if {@code surplus} are let go. */
  double lastKeptReadyS(int surplus) {
    orderReleases();
    double lastS = Double.NEGATIVE_INFINITY;
    int leaving = surplus;
    for (int i = 0; i < pieces; i++) {
      if (leaving < count[order[i]]) {
        lastS = Math.max(lastS, readyS[order[i]]);
      }
      leaving = Math.max(0, leaving - count[order[i]]);
    }
    return lastS;
  }

  /** The first of equal instances to be idle are so before the mean of all, where draws vary. */
  private double earlyS(int piece, int gone) {
    return deviationS[piece] == 0 || gone == count[piece]
        ? 0
        : deviationS[piece] * Normal.lowestMean((double) gone / count[piece]);
  }

  private Held left(double spentUsd) {
    int blocks = 0;
    int last = -1;
    for (int piece = 0; piece < pieces; piece++) {
      if (kept[piece] > 0) {
        blocks += last >= 0 && alike(last, piece) ? 0 : 1;
        last = piece;
      }
    }
    if (blocks == 0) {
      return Held.none(endS(), endS2(), spentUsd);
    }
    int[] counts = new int[blocks];
    double[] running = new double[blocks];
    double[] ready = new double[blocks];
    double[] used = new double[blocks];
    int block = -1;
    last = -1;
    for (int piece = 0; piece < pieces; piece++) {
      if (kept[piece] > 0) {
        if (last < 0 || !alike(last, piece)) {
          block++;
          running[block] = runningS[piece];
          ready[block] = readyS[piece];
          used[block] = rental.billedByUse() ? usedS[piece] : 0;
        }
        counts[block] += kept[piece];
        last = piece;
      }
    }
    return new Held(endS(), endS2(), spentUsd, rental.index(), counts, running, ready, used);
  }

  /** Whether instances of two pieces are the same for all that comes after. */
  private boolean alike(int a, int b) {
    return runningS[a] == runningS[b]
        && readyS[a] == readyS[b]
        && (usedS[a] == usedS[b] || !rental.billedByUse());
  }

  /** What a cluster that held everything to the end has cost. */
  double heldToTheEndUsd() {
    double spentUsd = costUsd;
    for (int piece = 0; piece < pieces; piece++) {
      spentUsd += count[piece] * leaseUsd(piece, endS());
    }
    return spentUsd;
  }

  private double leaseUsd(int piece, double releasedS) {
    return rental.leaseUsd(runningS[piece], releasedS, usedS[piece]);
  }

  private void orderReleases() {
    if (ordered) {
      return;
    }
    ordered = true;
    // From the highest number down: mostly the order already.
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
}

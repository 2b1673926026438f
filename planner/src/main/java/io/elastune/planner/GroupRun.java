package io.elastune.planner;

/**
 * Runs one group of a chain on given instances by the rules of the simulator, with mean values
 * (docs/model.md, "Time" and "Money"). Instances are numbered as requested and all boot equally
 * long, so the order of their numbers is also that in which they become ready and join teams. Equal
 * instances form blocks, so the run time does not depend on the number of instances or trials.
 *
 * <p>Reused for speed: {@link #run} overwrites the result of the call before. Not thread-safe.
 */
final class GroupRun {
  private final ChainModel model;
  private final Schedule schedule = new Schedule();
  private Held held = Held.NOTHING;
  private Rental rental;
  private double trialS;
  private int instances;
  private boolean varies;
  private double usedS2PerS;
  private double costUsd;
  private final Pieces pieces = new Pieces();
  private int[] kept = new int[8];
  // In the order of release: dollars spent once the pieces before a piece are released, and dollars
  // so far of this piece and those after it.
  private double[] releasedUsd = new double[9];
  private double[] remainingUsd = new double[9];
  private boolean summedUp;
  private int firstFresh;

  GroupRun(ChainModel model) {
    this.model = model;
    this.rental = model.menu().rentals().get(0);
  }

  /**
   * Runs {@code group} from the state {@code before}; requests the instances of the rental that are
   * missing.
   */
  void run(Held before, int group, Size size, int count) {
    held = before;
    summedUp = false;
    instances = count;
    rental = size.rental();
    int have = before.count();
    int fresh = instances - have;
    costUsd = before.costUsd() + fresh * rental.offer().dataInUsd();
    trialS = model.trialS(group, size);
    varies = model.varies(rental);
    usedS2PerS = model.deviation(group, size).varianceS2() / trialS;
    formUnits(size.team(), have);
    schedule.run(
        before.timeS(), model.trials(group), trialS, model.deviation(group, size), size.perTeam());
    cut(size.team(), fresh);
  }

  private void formUnits(int team, int have) {
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

  /** Adds the teams whose last member is among some instances: they become ready with these. */
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

  /**
   * Where the first instance may end a trial before the last is ready: adds them one after the
   * other.
   */
  private void formOneByOne(int units, double meanS, double deviation) {
    int steps = Math.min(units, model.parameters().meanValues().readySteps());
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
    pieces.clear();
    int part = -1;
    int left = 0;
    int blocks = held.blocks() + (fresh > 0 ? 1 : 0);
    for (int block = 0; block < blocks; block++) {
      int rest = block < held.blocks() ? held.counts()[block] : fresh;
      firstFresh = block < held.blocks() ? Integer.MAX_VALUE : pieces.size();
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
    boolean isFresh = block == held.blocks();
    boolean isUsed = part < schedule.parts() && schedule.fillsOf(part) > 0;
    pieces.add(
        size,
        isFresh ? held.timeS() + rental.runningAfterS() : held.runningS()[block],
        isFresh ? held.timeS() + rental.readyAfterS() : held.readyS()[block],
        (isFresh ? 0 : held.usedS()[block]) + (isUsed ? schedule.fillsOf(part) * trialS : 0),
        isUsed ? schedule.idleS(part) : schedule.lastStartS(),
        isUsed ? schedule.deviationS(part) : 0);
  }

  /** Mean end of the group, in seconds. */
  double endS() {
    return schedule.end().meanS();
  }

  /** Variance of the barrier at the end of the group, in seconds squared. */
  double endS2() {
    return held.varianceS2() + schedule.end().varianceS2();
  }

  /** The instances of the group, in pieces of equal ones. */
  Pieces pieces() {
    return pieces;
  }

  /** Whether a piece's instances were requested for this group. */
  boolean isFresh(int piece) {
    return piece >= firstFresh;
  }

  /**
   * Returns what is held once {@code surplus} instances are released, each when it becomes idle.
   */
  Held release(int surplus) {
    double spentUsd = costUsd;
    if (kept.length < pieces.size()) {
      kept = new int[2 * pieces.size()];
    }
    int leaving = surplus;
    boolean some = isPart(surplus);
    for (int i = 0; i < pieces.size(); i++) {
      int piece = some ? pieces.released(i) : i;
      int gone = Math.min(leaving, pieces.countOf(piece));
      kept[piece] = pieces.countOf(piece) - gone;
      if (gone > 0) {
        spentUsd += gone * leaseUsd(piece, pieces.idleS(piece, gone));
        leaving -= gone;
      }
    }
    return left(spentUsd);
  }

  /** Whether some instances are released and others not: only then the order matters. */
  private boolean isPart(int surplus) {
    return surplus > 0 && surplus < instances;
  }

  /**
   * Dollars spent by the end if {@code surplus} instances are released; the others are billed by
   * the exact second.
   */
  double spentUsd(int surplus) {
    if (!summedUp) {
      sumUp();
    }
    int leaving = surplus;
    int position = 0;
    while (position < pieces.size() && leaving >= pieces.countOf(pieces.released(position))) {
      leaving -= pieces.countOf(pieces.released(position++));
    }
    if (leaving == 0) {
      return releasedUsd[position] + remainingUsd[position];
    }
    int piece = pieces.released(position);
    return releasedUsd[position]
        + leaving * leaseUsd(piece, pieces.idleS(piece, leaving))
        + (pieces.countOf(piece) - leaving) * accruedUsd(piece)
        + remainingUsd[position + 1];
  }

  /** Sums up by piece once, because searches query many numbers of instances to release. */
  private void sumUp() {
    int size = pieces.size();
    if (releasedUsd.length <= size) {
      releasedUsd = new double[2 * size + 1];
      remainingUsd = new double[2 * size + 1];
    }
    releasedUsd[0] = costUsd;
    remainingUsd[size] = 0;
    for (int position = 0; position < size; position++) {
      int piece = pieces.released(position);
      double leaseUsd = leaseUsd(piece, pieces.idleS(piece));
      releasedUsd[position + 1] = releasedUsd[position] + pieces.countOf(piece) * leaseUsd;
    }
    for (int position = size - 1; position >= 0; position--) {
      int piece = pieces.released(position);
      remainingUsd[position] =
          remainingUsd[position + 1] + pieces.countOf(piece) * accruedUsd(piece);
    }
    summedUp = true;
  }

  private double accruedUsd(int piece) {
    return rental.accruedUsd(endS() - pieces.runningS(piece), pieces.usedS(piece));
  }

  private Held left(double spentUsd) {
    int blocks = 0;
    int last = -1;
    for (int piece = 0; piece < pieces.size(); piece++) {
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
    for (int piece = 0; piece < pieces.size(); piece++) {
      if (kept[piece] > 0) {
        if (last < 0 || !alike(last, piece)) {
          block++;
          running[block] = pieces.runningS(piece);
          ready[block] = pieces.readyS(piece);
          used[block] = rental.billedByUse() ? pieces.usedS(piece) : 0;
        }
        counts[block] += kept[piece];
        last = piece;
      }
    }
    return new Held(endS(), endS2(), spentUsd, rental.index(), counts, running, ready, used);
  }

  /** Whether the instances of two pieces are equal for all later groups. */
  private boolean alike(int a, int b) {
    return pieces.runningS(a) == pieces.runningS(b)
        && pieces.readyS(a) == pieces.readyS(b)
        && (pieces.usedS(a) == pieces.usedS(b) || !rental.billedByUse());
  }

  /** Dollars of a cluster that holds all instances to the end. */
  double heldToTheEndUsd() {
    double spentUsd = costUsd;
    for (int piece = 0; piece < pieces.size(); piece++) {
      spentUsd += pieces.countOf(piece) * leaseUsd(piece, endS());
    }
    return spentUsd;
  }

  private double leaseUsd(int piece, double releasedS) {
    return rental.leaseUsd(
        pieces.runningS(piece),
        releasedS,
        pieces.usedS(piece),
        varies ? Math.sqrt(billedS2(piece)) : 0);
  }

  /**
   * Variance of the seconds that a lease is billed for. The variance of the barrier accumulates
   * over the whole time before it; a lease exists for a part of that time only.
   */
  private double billedS2(int piece) {
    if (rental.billedByUse()) {
      return pieces.usedS(piece) * usedS2PerS;
    }
    double ownS2 = pieces.deviationS(piece) * pieces.deviationS(piece);
    double beforeS = held.timeS() - pieces.runningS(piece);
    return beforeS <= 0 ? ownS2 : ownS2 + held.varianceS2() * Math.min(1, beforeS / held.timeS());
  }
}

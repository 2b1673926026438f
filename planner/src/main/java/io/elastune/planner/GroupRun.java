package io.elastune.planner;

/**
 * One group of a chain on given instances, by the rules of the simulator with every draw at its
 * mean (model.md, "Time" and "Money"). Instances are numbered as requested and all boot equally
 * long, so the order of their numbers is also that in which they are ready and join teams: they are
 * kept in blocks of equal ones, and no work grows with the number of instances or trials.
 *
 * <p>Reused for speed: {@link #run} overwrites what the call before it left. Not thread-safe.
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
  // In the order of release: what has been spent when those before a piece are let go, and what it
  // and those after it have cost so far.
  private double[] goneUsd = new double[9];
  private double[] stayingUsd = new double[9];
  private boolean summedUp;
  private int firstFresh;

  GroupRun(ChainModel model) {
    this.model = model;
    this.rental = model.menu().rentals().get(0);
  }

  /**
   * Runs {@code group} from {@code before}; of the size's rental as many instances are requested as
   * are missing.
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

  /** When the group ends, in the mean. */
  double endS() {
    return schedule.end().meanS();
  }

  /** How far the barrier at the group's end varies, in seconds squared. */
  double endS2() {
    return held.varianceS2() + schedule.end().varianceS2();
  }

  /** The group's instances, in pieces that cannot be told apart. */
  Pieces pieces() {
    return pieces;
  }

  /** Whether a piece's instances were requested for this group. */
  boolean isFresh(int piece) {
    return piece >= firstFresh;
  }

  /** What is held when {@code surplus} instances are let go, each when it is idle. */
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

  /** Whether some are let go and some are not: only then it matters which come first. */
  private boolean isPart(int surplus) {
    return surplus > 0 && surplus < instances;
  }

  /** What has been spent by the end if {@code surplus} are let go, the others by the second. */
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
      return goneUsd[position] + stayingUsd[position];
    }
    int piece = pieces.released(position);
    return goneUsd[position]
        + leaving * leaseUsd(piece, pieces.idleS(piece, leaving))
        + (pieces.countOf(piece) - leaving) * accruedUsd(piece)
        + stayingUsd[position + 1];
  }

  /** Searches ask for many numbers of instances to let go: piece by piece once for all. */
  private void sumUp() {
    int size = pieces.size();
    if (goneUsd.length <= size) {
      goneUsd = new double[2 * size + 1];
      stayingUsd = new double[2 * size + 1];
    }
    goneUsd[0] = costUsd;
    stayingUsd[size] = 0;
    for (int position = 0; position < size; position++) {
      int piece = pieces.released(position);
      double leaseUsd = leaseUsd(piece, pieces.idleS(piece));
      goneUsd[position + 1] = goneUsd[position] + pieces.countOf(piece) * leaseUsd;
    }
    for (int position = size - 1; position >= 0; position--) {
      int piece = pieces.released(position);
      stayingUsd[position] = stayingUsd[position + 1] + pieces.countOf(piece) * accruedUsd(piece);
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

  /** Whether instances of two pieces are the same for all that comes after. */
  private boolean alike(int a, int b) {
    return pieces.runningS(a) == pieces.runningS(b)
        && pieces.readyS(a) == pieces.readyS(b)
        && (pieces.usedS(a) == pieces.usedS(b) || !rental.billedByUse());
  }

  /** What a cluster that held everything to the end has cost. */
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
   * How far the seconds vary that a lease is billed for. What the barrier varies by has come about
   * in all the time until it; the lease was there for a part of that only.
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

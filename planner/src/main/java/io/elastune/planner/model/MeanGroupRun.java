package io.elastune.planner.model;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs one group of a chain on given instances by the rules of the simulator, with mean values
 * (docs/model.md, "Time" and "Money"). Instances are numbered as requested and all boot equally
 * long, so the order of their numbers is also that in which they become ready and join teams. Equal
 * instances form blocks, so the run time does not depend on the number of instances or trials.
 *
 * <p>Reused for speed: {@link #run} overwrites the result of the call before. Not thread-safe.
 */
public final class MeanGroupRun {
  private static final int NONE = -1;

  private final MeanValueModel model;
  private final BatchListScheduler batchListScheduler = new BatchListScheduler();
  private final FaultDelay faultDelay = new FaultDelay();
  private HeldInstances heldInstances = HeldInstances.NOTHING;
  private OfferChoice offerChoice;
  private double trialS;
  private DurationSpread spread = DurationSpread.NONE;
  private int instances;
  private int trials;
  private @Nullable TrialShape waitingSize;
  private boolean neverStarts;
  private boolean varies;
  private double usedS2PerS;
  private double costUsd;
  private final InstanceBlocks instanceBlocks = new InstanceBlocks();
  private int[] kept = new int[8];
  // In the order of release: dollars spent once the pieces before a piece are released, and dollars
  // so far of this piece and those after it.
  private double[] releasedUsd = new double[9];
  private double[] remainingUsd = new double[9];
  private boolean summedUp;
  private int firstFresh;
  // What was run last, and what was released then.
  private int lastGroup = NONE;
  private int lastSize = NONE;
  private int lastSurplus = NONE;
  private HeldInstances lastLeft = HeldInstances.NOTHING;

  public MeanGroupRun(MeanValueModel model) {
    this.model = model;
    this.offerChoice = model.choiceSet().offerChoices().get(0);
  }

  /** Bounds all times from below: a trial that continues needs no start-up wherever it runs. */
  public MeanGroupRun withoutLaterStartups() {
    neverStarts = true;
    return this;
  }

  /**
   * Runs {@code group} from the state {@code before}; requests the instances of the offer that are
   * missing. Does nothing if this is what was run last.
   */
  // The same state is the same object; comparing its contents would take longer than most runs.
  @SuppressWarnings("ReferenceEquality")
  public void run(HeldInstances before, int group, TrialShape trialShape, int count) {
    if (before == heldInstances
        && group == lastGroup
        && trialShape.index() == lastSize
        && count == instances) {
      return;
    }
    lastGroup = group;
    lastSize = trialShape.index();
    lastSurplus = NONE;
    heldInstances = before;
    summedUp = false;
    instances = count;
    offerChoice = trialShape.offerChoice();
    int have = before.count();
    int fresh = instances - have;
    costUsd = before.costUsd() + fresh * offerChoice.offer().dataInUsd();
    double slowdown = model.slowdown(group, trialShape, count);
    trialS = model.trialS(group, trialShape) * slowdown;
    trials = model.trials(group);
    waitingSize = null;
    if (model.choiceSet().keepAlive()) {
      waitingSize = trialShape.mayWait() ? trialShape : null;
      double startupS = model.waitingStartupS(group, trialShape) * slowdown;
      int slots = have * trialShape.perTeam();
      trialS -= startupS * (neverStarts ? 1 : before.savedShare(trialShape, trials, slots));
    }
    spread = model.deviation(group, trialShape).times(slowdown);
    varies = model.varies(offerChoice);
    usedS2PerS = spread.varianceS2() / trialS;
    formUnits(trialShape.team(), have);
    batchListScheduler.run(
        before.timeS(), model.trials(group), trialS, spread, trialShape.perTeam());
    addFaults(group, trialShape, fresh);
    cut(trialShape.team(), fresh);
  }

  /** Adds the delay by faults, and the cost of replacements and repeated work. */
  private void addFaults(int group, TrialShape trialShape, int fresh) {
    GroupFaults faults = model.faults(group, trialShape);
    int trials = model.trials(group);
    if (faults.isNone()) {
      faultDelay.clear();
      return;
    }
    int used = Math.min(instances, trialShape.instancesFor(trials));
    int slots = Math.min(trials, used / trialShape.team() * trialShape.perTeam());
    double durationS = batchListScheduler.end().meanS() - heldInstances.timeS();
    faultDelay.run(
        faults,
        new FaultDelay.Course(
            durationS,
            trials <= slots ? durationS : Math.min(durationS, trialS),
            spread.maximumS(0, 1, slots),
            used,
            instances > used ? 0 : Math.max(0, fresh),
            slots,
            trials,
            trialShape.team()));
    costUsd +=
        faultDelay.losses()
            * (faults.wastedS() * offerChoice.usdPerS() + offerChoice.offer().dataInUsd());
  }

  private void formUnits(int team, int have) {
    batchListScheduler.clear();
    int from = 0;
    for (int block = 0; block < heldInstances.blocks(); block++) {
      int to = from + heldInstances.counts()[block];
      form(team, from, to, heldInstances.readyS()[block]);
      from = to;
    }
    if (instances > have) {
      form(team, from, instances, heldInstances.timeS() + offerChoice.readyAfterS());
    }
  }

  /** Adds the teams whose last member is among some instances: they become ready with these. */
  private void form(int team, int from, int to, double readyAtS) {
    int units = to / team - from / team;
    if (units == 0) {
      return;
    }
    if (readyAtS <= heldInstances.timeS()) {
      batchListScheduler.add(units, heldInstances.timeS(), 0);
    } else if (model.readyVariance(offerChoice) == 0) {
      batchListScheduler.add(units, readyAtS, 0);
    } else {
      double deviation =
          Math.sqrt(model.readyVariance(offerChoice) * StandardNormal.maximumVariance(team));
      double meanS =
          readyAtS + Math.sqrt(model.readyVariance(offerChoice)) * StandardNormal.maximum(team);
      if (units > 1 && 2 * deviation * StandardNormal.maximum(units) > trialS) {
        formOneByOne(units, meanS, deviation);
      } else {
        batchListScheduler.add(units, meanS, deviation * deviation);
      }
    }
  }

  /**
   * Where the first instance may end a trial before the last is ready: adds them one after the
   * other.
   */
  private void formOneByOne(int units, double meanS, double deviation) {
    int steps = Math.min(units, model.parameters().meanValues().readySteps());
    double variance = deviation * deviation * StandardNormal.maximumVariance(units);
    int from = 0;
    for (int step = 1; step <= steps; step++) {
      int to = units * step / steps;
      double score = StandardNormal.quantile((step - 0.375) / (steps + 0.25));
      batchListScheduler.add(
          to - from, Math.max(heldInstances.timeS(), meanS + deviation * score), variance);
      from = to;
    }
  }

  /** Cuts blocks into pieces whose instances did the same in this group. */
  private void cut(int team, int fresh) {
    instanceBlocks.clear();
    int part = -1;
    int left = 0;
    int blocks = heldInstances.blocks() + (fresh > 0 ? 1 : 0);
    for (int block = 0; block < blocks; block++) {
      int rest = block < heldInstances.blocks() ? heldInstances.counts()[block] : fresh;
      firstFresh = block < heldInstances.blocks() ? Integer.MAX_VALUE : instanceBlocks.size();
      while (rest > 0) {
        if (left == 0) {
          part++;
          left =
              part < batchListScheduler.parts()
                  ? batchListScheduler.unitsOf(part) * team
                  : Integer.MAX_VALUE;
        }
        int size = Math.min(rest, left);
        add(block, size, part);
        rest -= size;
        left -= size;
      }
    }
  }

  private void add(int block, int size, int part) {
    boolean isFresh = block == heldInstances.blocks();
    boolean isUsed = part < batchListScheduler.parts() && batchListScheduler.fillsOf(part) > 0;
    instanceBlocks.add(
        size,
        isFresh
            ? heldInstances.timeS() + offerChoice.runningAfterS()
            : heldInstances.runningS()[block],
        isFresh ? heldInstances.timeS() + offerChoice.readyAfterS() : heldInstances.readyS()[block],
        (isFresh ? 0 : heldInstances.usedS()[block])
            + (isUsed ? batchListScheduler.fillsOf(part) * trialS : 0),
        isUsed ? batchListScheduler.idleS(part) : batchListScheduler.lastStartS(),
        isUsed ? batchListScheduler.deviationS(part) : 0);
  }

  /** Mean end of the group, in seconds. */
  public double endS() {
    return batchListScheduler.end().meanS() + faultDelay.meanS();
  }

  /** Variance of the barrier at the end of the group, in seconds squared. */
  public double endS2() {
    return heldInstances.varianceS2()
        + batchListScheduler.end().varianceS2()
        + faultDelay.varianceS2();
  }

  /** The instances of the group, in pieces of equal ones. */
  public InstanceBlocks pieces() {
    return instanceBlocks;
  }

  /** Whether a piece's instances were requested for this group. */
  public boolean isFresh(int piece) {
    return piece >= firstFresh;
  }

  /**
   * Returns what is held once {@code surplus} instances are released, each when it becomes idle.
   * For the same number as in the last call, it is the same object.
   */
  public HeldInstances release(int surplus) {
    if (surplus != lastSurplus) {
      lastSurplus = surplus;
      lastLeft = leftAfter(surplus);
    }
    return lastLeft;
  }

  private HeldInstances leftAfter(int surplus) {
    double spentUsd = costUsd;
    if (kept.length < instanceBlocks.size()) {
      kept = new int[2 * instanceBlocks.size()];
    }
    int leaving = surplus;
    boolean some = isPart(surplus);
    for (int i = 0; i < instanceBlocks.size(); i++) {
      int piece = some ? instanceBlocks.releasedAt(i) : i;
      int gone = Math.min(leaving, instanceBlocks.countOf(piece));
      kept[piece] = instanceBlocks.countOf(piece) - gone;
      if (gone > 0) {
        spentUsd += gone * leaseUsd(piece, instanceBlocks.idleS(piece, gone));
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
  public double spentUsd(int surplus) {
    if (!summedUp) {
      sumUp();
    }
    int leaving = surplus;
    int position = 0;
    while (position < instanceBlocks.size()
        && leaving >= instanceBlocks.countOf(instanceBlocks.releasedAt(position))) {
      leaving -= instanceBlocks.countOf(instanceBlocks.releasedAt(position++));
    }
    if (leaving == 0) {
      return releasedUsd[position] + remainingUsd[position];
    }
    int piece = instanceBlocks.releasedAt(position);
    return releasedUsd[position]
        + leaving * leaseUsd(piece, instanceBlocks.idleS(piece, leaving))
        + (instanceBlocks.countOf(piece) - leaving) * accruedUsd(piece)
        + remainingUsd[position + 1];
  }

  /** Sums up by piece once, because searches query many numbers of instances to release. */
  private void sumUp() {
    int size = instanceBlocks.size();
    if (releasedUsd.length <= size) {
      releasedUsd = new double[2 * size + 1];
      remainingUsd = new double[2 * size + 1];
    }
    releasedUsd[0] = costUsd;
    remainingUsd[size] = 0;
    for (int position = 0; position < size; position++) {
      int piece = instanceBlocks.releasedAt(position);
      double leaseUsd = leaseUsd(piece, instanceBlocks.idleS(piece));
      releasedUsd[position + 1] = releasedUsd[position] + instanceBlocks.countOf(piece) * leaseUsd;
    }
    for (int position = size - 1; position >= 0; position--) {
      int piece = instanceBlocks.releasedAt(position);
      remainingUsd[position] =
          remainingUsd[position + 1] + instanceBlocks.countOf(piece) * accruedUsd(piece);
    }
    summedUp = true;
  }

  private double accruedUsd(int piece) {
    return offerChoice.accruedUsd(
        endS() - instanceBlocks.runningS(piece), instanceBlocks.usedS(piece));
  }

  private HeldInstances left(double spentUsd) {
    int blocks = 0;
    int last = -1;
    for (int piece = 0; piece < instanceBlocks.size(); piece++) {
      if (kept[piece] > 0) {
        blocks += last >= 0 && alike(last, piece) ? 0 : 1;
        last = piece;
      }
    }
    if (blocks == 0) {
      return HeldInstances.none(endS(), endS2(), spentUsd);
    }
    int[] counts = new int[blocks];
    double[] running = new double[blocks];
    double[] ready = new double[blocks];
    double[] used = new double[blocks];
    int block = -1;
    last = -1;
    for (int piece = 0; piece < instanceBlocks.size(); piece++) {
      if (kept[piece] > 0) {
        if (last < 0 || !alike(last, piece)) {
          block++;
          running[block] = instanceBlocks.runningS(piece);
          ready[block] = instanceBlocks.readyS(piece);
          used[block] = offerChoice.billedByUse() ? instanceBlocks.usedS(piece) : 0;
        }
        counts[block] += kept[piece];
        last = piece;
      }
    }
    TrialShape size = waitingSize;
    return size == null
        ? new HeldInstances(
            endS(), endS2(), spentUsd, offerChoice.index(), counts, running, ready, used)
        : new HeldInstances(
            endS(),
            endS2(),
            spentUsd,
            offerChoice.index(),
            counts,
            running,
            ready,
            used,
            size.index(),
            waitingShare(size, IntStream.of(counts).sum()));
  }

  /**
   * The part of the trials whose programs wait on the instances that are kept. On each slot, that
   * of its last trial waits; the instances that are released ran as many trials as others.
   */
  private double waitingShare(TrialShape size, int keptInstances) {
    int used = Math.min(instances, size.instancesFor(trials));
    double lastOnSlot = Math.min(1, (double) used / size.team() * size.perTeam() / trials);
    return model.choiceSet().waitingShare()
        * lastOnSlot
        * Math.min(1, (double) keptInstances / used);
  }

  /** Whether the instances of two pieces are equal for all later groups. */
  private boolean alike(int a, int b) {
    return instanceBlocks.runningS(a) == instanceBlocks.runningS(b)
        && instanceBlocks.readyS(a) == instanceBlocks.readyS(b)
        && (instanceBlocks.usedS(a) == instanceBlocks.usedS(b) || !offerChoice.billedByUse());
  }

  /** Dollars of a cluster that holds all instances to the end. */
  public double heldToTheEndUsd() {
    double spentUsd = costUsd;
    for (int piece = 0; piece < instanceBlocks.size(); piece++) {
      spentUsd += instanceBlocks.countOf(piece) * leaseUsd(piece, endS());
    }
    return spentUsd;
  }

  private double leaseUsd(int piece, double releasedS) {
    return offerChoice.leaseUsd(
        instanceBlocks.runningS(piece),
        releasedS,
        instanceBlocks.usedS(piece),
        varies ? Math.sqrt(billedS2(piece)) : 0);
  }

  /**
   * Variance of the seconds that a lease is billed for. The variance of the barrier accumulates
   * over the whole time before it; a lease exists for a part of that time only.
   */
  private double billedS2(int piece) {
    if (offerChoice.billedByUse()) {
      return instanceBlocks.usedS(piece) * usedS2PerS;
    }
    double ownS2 = instanceBlocks.deviationS(piece) * instanceBlocks.deviationS(piece);
    double beforeS = heldInstances.timeS() - instanceBlocks.runningS(piece);
    return beforeS <= 0
        ? ownS2
        : ownS2 + heldInstances.varianceS2() * Math.min(1, beforeS / heldInstances.timeS());
  }
}

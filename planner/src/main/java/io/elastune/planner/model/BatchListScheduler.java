package io.elastune.planner.model;

import java.util.Arrays;

/**
 * List scheduling of the trials of one group (docs/model.md, "Time") on units (instances, or teams
 * of instances) that become free in batches. With mean values all trials last equally long, so
 * batches become free in the order in which they were filled: a queue suffices, and whole rounds of
 * the queue are one step.
 *
 * <p>With spread the times at which slots become free are treated as normal variables, and the end
 * as the largest of them (Clark's formula for several batches). If the last wave is not full, its
 * trials go to the slots that are free first, wherever these are.
 *
 * <p>It is not the list scheduler of the simulator, which schedules single trials with sampled
 * durations (docs/decisions/0015). Reused for speed; not thread-safe.
 */
final class BatchListScheduler {
  private int batches;
  private int[] units = new int[8];
  private int[] fills = new int[8];
  private double[] nextS = new double[8];
  private double[] freeS2 = new double[8];
  private int[] queue = new int[8];

  private int parts;
  // One more: a batch whose last wave is not full makes two parts.
  private int[] partUnits = new int[9];
  private int[] partFills = new int[9];
  private double[] partIdleS = new double[9];
  private double[] partDeviationS = new double[9];

  private double trialS;
  private DurationSpread durationSpread = DurationSpread.NONE;
  private int perUnit;
  private double lastStartS;
  private final NormalMaximum normalMaximum = new NormalMaximum();
  private final DoubleFunctionCache quantile = new DoubleFunctionCache(StandardNormal::quantile);
  private final DoubleFunctionCache lowestMean =
      new DoubleFunctionCache(StandardNormal::lowestMean);

  void clear() {
    batches = 0;
  }

  /** Adds units that become free at once, after all that were added before. */
  void add(int count, double freeAtS, double variance) {
    if (batches > 0 && nextS[batches - 1] == freeAtS && freeS2[batches - 1] == variance) {
      units[batches - 1] += count;
      return;
    }
    if (batches == units.length) {
      grow();
    }
    units[batches] = count;
    nextS[batches] = freeAtS;
    freeS2[batches] = variance;
    fills[batches] = 0;
    batches++;
  }

  private void grow() {
    int length = 2 * units.length;
    units = Arrays.copyOf(units, length);
    fills = Arrays.copyOf(fills, length);
    nextS = Arrays.copyOf(nextS, length);
    freeS2 = Arrays.copyOf(freeS2, length);
    queue = new int[length];
    partUnits = new int[length + 1];
    partFills = new int[length + 1];
    partIdleS = new double[length + 1];
    partDeviationS = new double[length + 1];
  }

  /**
   * Runs {@code count} trials from {@code startS} on.
   *
   * @param unitTrials trials that a unit runs at once
   */
  void run(double startS, int count, double trialSeconds, DurationSpread spread, int unitTrials) {
    trialS = trialSeconds;
    durationSpread = spread;
    perUnit = unitTrials;
    lastStartS = startS;
    int waiting = count;
    int unfilled = 0;
    int head = 0;
    int queued = 0;
    int last = 0;
    double lastFilledS = startS;
    while (waiting > 0) {
      int batch;
      if (unfilled < batches && (queued == 0 || nextS[unfilled] < nextS[queue[head]])) {
        batch = unfilled++;
      } else {
        if (unfilled == batches) {
          waiting = skipRounds(waiting);
        }
        batch = queue[head];
        head = head + 1 == batches ? 0 : head + 1;
        queued--;
      }
      last = batch;
      int slots = units[batch] * perUnit;
      if (waiting < slots) {
        break;
      }
      lastFilledS = nextS[batch];
      nextS[batch] += trialS;
      fills[batch]++;
      waiting -= slots;
      int tail = head + queued;
      queue[tail >= batches ? tail - batches : tail] = batch;
      queued++;
    }
    if (waiting == 0) {
      lastStartS = lastFilledS + spreadOf(last, fills[last] - 1);
    }
    part(waiting > 0 ? last : -1, waiting);
  }

  /** Once all batches are in the queue: fills them as often as trials are left for whole rounds. */
  private int skipRounds(int waiting) {
    int round = 0;
    for (int batch = 0; batch < batches; batch++) {
      round += units[batch] * perUnit;
    }
    int rounds = (waiting - 1) / round;
    for (int batch = 0; rounds > 0 && batch < batches; batch++) {
      nextS[batch] += rounds * trialS;
      fills[batch] += rounds;
    }
    return waiting - rounds * round;
  }

  /** Seconds by which the last slot of a batch is later than their mean. */
  private double spreadOf(int batch, int fill) {
    return fill == 0
        ? durationSpread.maximumS(apartS2(batch, 0), 0, units[batch])
        : durationSpread.latestS(apartS2(batch, fill), fill, units[batch], units[batch] * perUnit);
  }

  /**
   * Variance of the times at which units of a batch become free; the slots of one unit do so at
   * once.
   */
  private double apartS2(int batch, int fill) {
    return units[batch] == 1 ? 0 : unitS2(batch, fill);
  }

  /** Variance of the only unit of a batch, with all its slots together. */
  private double togetherS2(int batch, int fill) {
    return units[batch] == 1 ? unitS2(batch, fill) : 0;
  }

  private double unitS2(int batch, int fill) {
    return freeS2[batch] + fill * fill * durationSpread.unitS2();
  }

  /** Builds the parts: one for each batch, two for the one whose last wave is not full. */
  private void part(int partial, int waiting) {
    parts = 0;
    normalMaximum.clear();
    if (partial >= 0) {
      lastStartS = lastStart(partial, waiting);
    }
    for (int batch = 0; batch < batches; batch++) {
      if (batch == partial) {
        partiallyFilled(batch, waiting);
      } else {
        whole(batch, units[batch], units[batch] * perUnit);
      }
    }
  }

  private void whole(int batch, int count, int slots) {
    if (fills[batch] == 0) {
      addPart(count, 0, lastStartS, 0);
      return;
    }
    if (freeS2[batch] == 0 && durationSpread.isNone()) {
      normalMaximum.add(nextS[batch], 0);
      addPart(count, fills[batch], nextS[batch], 0);
      return;
    }
    double apartS2 = apartS2(batch, fills[batch]);
    double variance = durationSpread.variance(apartS2, fills[batch]);
    normalMaximum.add(
        nextS[batch] + durationSpread.latestS(apartS2, fills[batch], count, slots),
        variance * StandardNormal.maximumVariance(slots) + togetherS2(batch, fills[batch]));
    double ownS2 =
        durationSpread.variance(0, fills[batch]) * StandardNormal.maximumVariance(perUnit);
    double idleS = nextS[batch] + durationSpread.maximumS(0, fills[batch], perUnit);
    addPart(count, fills[batch], idleS, Math.sqrt(unitS2(batch, fills[batch]) + ownS2));
  }

  private double lastStart(int batch, int waiting) {
    double variance = durationSpread.variance(apartS2(batch, fills[batch]), fills[batch]);
    if (variance == 0) {
      return nextS[batch];
    }
    return nextS[batch] + Math.sqrt(variance) * quantile.of(share(batch, waiting));
  }

  /** The filled share of the slots of a batch, or of its units if they become free as a whole. */
  private double share(int batch, int waiting) {
    if (fills[batch] == 0) {
      int filled = (waiting + perUnit - 1) / perUnit;
      return Math.min((double) filled / units[batch], 1 - 0.5 / (units[batch] + 1));
    }
    return (double) waiting / (units[batch] * perUnit);
  }

  private void partiallyFilled(int batch, int waiting) {
    double before = durationSpread.variance(apartS2(batch, fills[batch]), fills[batch]);
    double share = share(batch, waiting);
    int filled = (waiting + perUnit - 1) / perUnit;
    if (before > 0 && fills[batch] > 0 && perUnit > 1) {
      // Slots become free in random order: the probability that a unit has none among the first.
      double untouched = Math.pow(1 - share, perUnit);
      filled = Math.max(filled, (int) Math.round(units[batch] * (1 - untouched)));
    }
    double earlyS = 0;
    double variance = before;
    if (before > 0 && share < 1) {
      double early = lowestMean.of(share);
      earlyS = Math.sqrt(before) * early;
      variance = before * Math.max(0, 1 + quantile.of(share) * early - early * early);
    }
    variance += durationSpread.variance(0, 1);
    double togetherS2 = togetherS2(batch, fills[batch] + 1);
    double endS = nextS[batch] + trialS + earlyS;
    double skew = durationSpread.skew(apartS2(batch, fills[batch]), fills[batch] + 1);
    double idleS = endS;
    if (variance + togetherS2 > 0) {
      normalMaximum.add(
          endS + DurationSpread.maximumS(variance, skew, waiting),
          variance * StandardNormal.maximumVariance(waiting) + togetherS2);
      idleS = endS + DurationSpread.maximumS(variance, skew, Math.max(1, waiting / filled));
    } else {
      normalMaximum.add(endS, 0);
    }
    addPart(filled, fills[batch] + 1, idleS, Math.sqrt(variance + togetherS2));
    if (filled < units[batch]) {
      whole(batch, units[batch] - filled, units[batch] * perUnit - waiting);
    }
  }

  private void addPart(int count, int fill, double idleS, double deviationS) {
    partUnits[parts] = count;
    partFills[parts] = fill;
    partIdleS[parts] = Math.max(idleS, lastStartS);
    partDeviationS[parts] = deviationS;
    parts++;
  }

  /** Number of parts: units in their order that ran the same trials. */
  int parts() {
    return parts;
  }

  int unitsOf(int part) {
    return partUnits[part];
  }

  /** Trials that each slot of the part ran one after the other. */
  int fillsOf(int part) {
    return partFills[part];
  }

  /** Time from which a unit of the part can have no further trial (docs/model.md, "Money"). */
  double idleS(int part) {
    return partIdleS[part];
  }

  /** Standard deviation of the times at which the units of the part become idle. */
  double deviationS(int part) {
    return partDeviationS[part];
  }

  /** Start of the last-started trial. */
  double lastStartS() {
    return lastStartS;
  }

  /** End of the last trial. */
  NormalMaximum end() {
    return normalMaximum;
  }
}

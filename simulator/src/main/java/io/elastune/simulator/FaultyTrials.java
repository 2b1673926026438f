package io.elastune.simulator;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** The trials of one group in one sample with faults: their draws and what they have trained. */
final class FaultyTrials {
  private final CompiledGroup group;
  private final double[] xs;
  private final double[] startups;
  private final int[] trained;
  private final int[] torn;
  private final FaultySlot[] slots;
  private final DrawReader x;
  private final DrawReader startup;
  private final DrawReader tornCount;
  private final TrialClocks clocks;

  /** Creates the trials without draws; {@link #read} must follow. */
  FaultyTrials(CompiledGroup group, GroupRun.GroupDraws draws, DrawReader tornCount) {
    this.group = group;
    this.x = draws.xs();
    this.startup = draws.startups();
    this.tornCount = tornCount;
    clocks =
        new TrialClocks(
            group.hazards(), draws.faults(), IntUnaryOperator.identity(), group.faultStreams());
    int count = group.trials();
    xs = new double[count];
    startups = new double[count];
    trained = new int[count];
    torn = new int[count];
    slots = new FaultySlot[count];
  }

  /** Reads the draws of a sample, in which no trial has started yet. */
  void read(int sample) {
    Arrays.fill(trained, 0);
    clocks.read(sample);
    int xAt = x.offset(sample);
    int startupAt = startup.offset(sample);
    int tornAt = tornCount.offset(sample);
    for (int trial = 0; trial < xs.length; trial++) {
      double times = tornCount.values()[tornAt + trial];
      // The draws include what the trial repeats; here, each attempt is simulated by itself.
      xs[trial] = x.values()[xAt + trial] / (1 + group.tornFraction() * times);
      startups[trial] = startup.values()[startupAt + trial] / (1 + times);
      torn[trial] = (int) times;
    }
  }

  /** Returns the attempt of {@code trial} that starts now. */
  FaultyAttempt attempt(int trial, FaultySlot slot, double nowS) {
    slots[trial] = slot;
    double trainingS = group.workS() * slot.slowness * xs[trial];
    double unitS = trainingS / group.units();
    int units = group.units() - trained[trial];
    double lastsS = startups[trial] + (trained[trial] == 0 ? trainingS : units * unitS);
    FaultyAttempt.Course course =
        new FaultyAttempt.Course(
            startups[trial],
            unitS,
            units,
            lastsS,
            group.checkpoints(),
            group.target(trial) - trained[trial]);
    return new FaultyAttempt(trial, slot, nowS, course, clocks.leftS(trial));
  }

  /** Returns the instances on which the last attempts of some trials ran, by number. */
  List<int[]> lastInstances(int[] some) {
    return IntStream.of(some).mapToObj(trial -> slots[trial].numbers()).toList();
  }

  /** Records that a trial has no further crash or hang. */
  void stopClock(int trial) {
    clocks.stop(trial);
  }

  /** Begins the clock of a trial again after a fault; returns whether this was a crash. */
  boolean crashes(int trial) {
    return clocks.crashes(trial);
  }

  /** Records that an attempt was trained until now, without a crash or a hang. */
  void passed(FaultyAttempt attempt, double nowS) {
    if (!attempt.hangs) {
      clocks.passed(attempt.trial, nowS - attempt.startS);
    }
  }

  /** Records that an attempt ended by a fault after {@code kept} units with a checkpoint. */
  void interrupt(int trial, int kept) {
    trained[trial] = group.resumes() ? trained[trial] + kept : 0;
  }

  /**
   * Records that an attempt trained all units. Returns whether its last checkpoint is torn, so that
   * the trial repeats the units since the checkpoint before.
   */
  boolean isTorn(int trial) {
    if (torn[trial] == 0) {
      return false;
    }
    torn[trial]--;
    trained[trial] =
        group.resumes() ? group.units() - group.checkpoints().lastUnits(group.units()) : 0;
    return true;
  }
}

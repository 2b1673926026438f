package io.elastune.simulator.group;

import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.fault.TrialClocks;
import io.elastune.simulator.instance.CompiledGroup;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** The trials of one group in one sample with faults: their draws and what they have trained. */
final class FaultyTrials {
  private final CompiledGroup group;
  private final DrawReader x;
  private final DrawReader startup;
  private final DrawReader tornCount;
  private final TrialClocks clocks;
  private final boolean mayBeTorn;
  private final double faultsPerS;

  // The draws of the sample.
  private double[] xs = {};
  private double[] startups = {};
  private double[] tornCounts = {};
  private int xAt;
  private int startupAt;
  private int tornAt;
  private double[] firstFaults = {};
  private int firstFaultAt;

  // By trial: the units of which it has a checkpoint, and how often its last one is still torn.
  private final int[] trained;
  private final int[] torn;

  /** Creates the trials without draws; {@link #read} must follow. */
  FaultyTrials(CompiledGroup group, GroupRun.GroupDraws draws, DrawReader tornCount) {
    this.group = group;
    this.x = draws.xs();
    this.startup = draws.startups();
    this.tornCount = tornCount;
    clocks =
        new TrialClocks(
            group.hazards(), draws.faults(), IntUnaryOperator.identity(), group.faultStreams());
    mayBeTorn = group.tornCounts().varies();
    faultsPerS = group.hazards().attemptPerS();
    trained = new int[group.trials()];
    torn = new int[group.trials()];
  }

  /** Reads the draws of a sample, in which no trial has started yet. */
  void read(int sample) {
    Arrays.fill(trained, 0);
    clocks.read(sample);
    firstFaults = clocks.firsts();
    firstFaultAt = clocks.offset();
    xAt = x.offset(sample);
    xs = x.values();
    startupAt = startup.offset(sample);
    startups = startup.values();
    if (mayBeTorn) {
      tornAt = tornCount.offset(sample);
      tornCounts = tornCount.values();
      for (int trial = 0; trial < torn.length; trial++) {
        torn[trial] = (int) tornCounts[tornAt + trial];
      }
    }
  }

  // The draws include what the trial repeats; here, each attempt is simulated by itself.

  private double startupS(int trial) {
    double times = mayBeTorn ? tornCounts[tornAt + trial] : 0;
    double drawnS = startups[startupAt + trial];
    return times == 0 ? drawnS : drawnS / (1 + times);
  }

  private double trainingS(int trial, double meanS) {
    double times = mayBeTorn ? tornCounts[tornAt + trial] : 0;
    double factor = xs[xAt + trial];
    return meanS * (times == 0 ? factor : factor / (1 + group.tornFraction() * times));
  }

  /**
   * Returns the seconds of the next attempt of a trial without a fault.
   *
   * @param meanS seconds in which a trial of average speed trains all units
   */
  double lastsS(int trial, double meanS) {
    double allS = trainingS(trial, meanS);
    int before = trained[trial];
    int units = group.units();
    return startupS(trial) + (before == 0 ? allS : (units - before) * (allS / units));
  }

  /**
   * Returns the same of the first attempt of a trial, if it is sure to train all units without a
   * fault; otherwise a negative number. Most attempts are such.
   */
  double wholeS(int trial, double meanS) {
    double seconds = startups[startupAt + trial] + meanS * xs[xAt + trial];
    boolean isTorn = mayBeTorn && torn[trial] > 0;
    boolean mayFail =
        firstFaults.length > 0 && seconds * faultsPerS > firstFaults[firstFaultAt + trial];
    return isTorn || mayFail ? -1 : seconds;
  }

  /** Returns the course of the next attempt of a trial; parameters as in {@link #lastsS}. */
  AttemptCourse course(int trial, double meanS) {
    return new AttemptCourse(
        startupS(trial),
        trainingS(trial, meanS) / group.units(),
        group.units() - trained[trial],
        lastsS(trial, meanS),
        group.checkpoints(),
        group.target(trial) - trained[trial]);
  }

  /**
   * Returns the seconds of the next attempt of a trial until it reports the metric that ends the
   * search; infinite if it does not. Parameters as in {@link #lastsS}.
   */
  double targetS(int trial, double meanS) {
    return course(trial, meanS).targetS();
  }

  /** Returns whether a trial may crash or hang in an attempt of so many seconds; fast. */
  boolean mayFail(int trial, double lastsS) {
    return clocks.mayFail(trial, lastsS);
  }

  /** Returns the seconds of its next attempts after which a trial crashes or hangs. */
  double faultS(int trial) {
    return clocks.leftS(trial);
  }

  /** Records that a trial has no further crash or hang. */
  void stopClock(int trial) {
    clocks.stop(trial);
  }

  /** Begins the clock of a trial again after a fault; returns whether this was a crash. */
  boolean crashes(int trial) {
    return clocks.crashes(trial);
  }

  /** Records that an attempt of a trial ended after some seconds without a crash or a hang. */
  void passed(int trial, double seconds) {
    clocks.passed(trial, seconds);
  }

  /** Records that an attempt ended by a fault after {@code kept} units with a checkpoint. */
  void interrupt(int trial, int kept) {
    trained[trial] = group.resumes() ? trained[trial] + kept : 0;
  }

  /** Returns whether the last checkpoint of a trial is torn when it has trained all units. */
  boolean isTorn(int trial) {
    return torn[trial] > 0;
  }

  /** Records that this was so: the trial repeats the units since the checkpoint before. */
  void repeat(int trial) {
    torn[trial]--;
    trained[trial] = group.checkpoints().intact(group.units(), group.resumes());
  }
}

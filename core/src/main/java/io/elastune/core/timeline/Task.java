package io.elastune.core.timeline;

import io.elastune.core.policy.Width;
import io.elastune.core.search.MomentHeap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The training of one trial over some units: issued by a search, started by a policy, with the
 * times of its present or last attempt. Times are in seconds from the start of the timeline. An
 * object may stand for many tasks, one after the other.
 */
public final class Task {
  private static final double NEVER = Double.POSITIVE_INFINITY;

  /** No instance. */
  public static final int NONE = -1;

  /** No further instances. */
  static final int[] NO_OTHERS = {};

  // What is trained.
  final int queue;
  int trial;
  int group;
  int from;
  int to;

  /** The units of which there is a checkpoint. */
  int done;

  /** The seconds for which they were trained. */
  double trainedS;

  /** The seconds of its earlier attempts since its clock of faults began. */
  double passedS;

  /** How often it has repeated units after a torn checkpoint. */
  int repeated;

  /** The number of the instance on which its last attempt hung. */
  int avoided = NONE;

  // Where its trial ran before, if the timeline knows places.

  /** Whether its trial is trained no further after it. */
  boolean isLast;

  /** The task of its trial before; the same one if it stands for all of them; null if unknown. */
  @Nullable Task earlier;

  /** Its attempts so far. */
  int attempts;

  /** Identifies its last attempt among all that have used GPUs. */
  long stamp;

  /** Whether its program waits since its last attempt, and since when. */
  boolean waits;

  double waitsSinceS;

  // The attempt.
  boolean isRunning;

  /** Whether its next event has yet to be added to those of the timeline. */
  boolean isPending;

  int order;
  int instance = NONE;
  int firstGpu;
  int gpus;
  int trialsPerGpu = 1;

  /** The numbers of the further instances of a task that uses several. */
  int[] others = NO_OTHERS;

  double startS;
  double startupS;
  double unitS;
  double endS;
  double targetS;
  double faultS;
  boolean hangs;

  /** The nanosecond of its next event, as it was added to the events. */
  long nextNs;

  /** Since when it does what ends then. */
  long nextSinceNs;

  int laterUnits;

  /** Whether it was asked to end, and writes a checkpoint. */
  boolean isEnding;

  /** When it completes the unit that is watched. */
  double watchedS;

  /** This unit, counted from 1 in the attempt. */
  int watchedUnit;

  // Since when it does what ends with it, or with this unit.
  long endSinceNs;
  long watchedSinceNs;

  private int trainedBefore;
  private double lastsS;
  private double reportsAfterS;
  private double hangUnitS;
  private double begunS;

  // Its neighbors among the tasks of its instance.
  @Nullable Task before;
  @Nullable Task after;

  /** Creates the task of a trial that comes from a queue. */
  Task(int queue, int trial) {
    this.queue = queue;
    this.trial = trial;
  }

  /** Lets it stand for the training of some units, none of which has been trained. */
  void train(int ofGroup, int fromUnit, int toUnit) {
    group = ofGroup;
    from = fromUnit;
    to = toUnit;
    done = 0;
    trainedS = 0;
    passedS = 0;
    repeated = 0;
    avoided = NONE;
    attempts = 0;
  }

  /** Returns the queue from which it was issued. */
  public int queue() {
    return queue;
  }

  /** Returns the index of its group or rung. */
  public int group() {
    return group;
  }

  /** Returns its trial: an index in the group, or its number in a search made of rungs. */
  public int trial() {
    return trial;
  }

  /** Returns the task of its trial in the group before; empty if it is new or unknown. */
  public Optional<Task> earlier() {
    return Optional.ofNullable(earlier).filter(before -> before != this);
  }

  /** Returns the units that its trial had trained before it. */
  public int from() {
    return from;
  }

  /** Returns the units that its trial will have trained after it. */
  public int to() {
    return to;
  }

  /** Returns the units that it trains. */
  public int units() {
    return to - from;
  }

  /** Returns the units of it of which its trial has a checkpoint. */
  public int done() {
    return done;
  }

  /** Returns the GPUs that it uses. */
  public int gpus() {
    return gpus;
  }

  /** Returns the trials that share each of them. */
  public int trialsPerGpu() {
    return trialsPerGpu;
  }

  /** Returns its GPUs as a width. */
  public Width width() {
    return new Width(gpus, trialsPerGpu);
  }

  /** Returns the GPUs that it uses on each instance, as a fraction if trials share one. */
  double usedGpus() {
    return others.length == 0 ? (double) gpus / trialsPerGpu : (double) gpus / (1 + others.length);
  }

  /** Returns the lowest GPU that it uses. */
  public int firstGpu() {
    return firstGpu;
  }

  /** Returns the number of the instance on which its present or last attempt runs. */
  public int instance() {
    return instance;
  }

  /** Returns the numbers of all instances on which it runs. */
  public List<Integer> instances() {
    return IntStream.concat(IntStream.of(instance), IntStream.of(others)).boxed().toList();
  }

  /** Returns where its last attempt ran, some seconds after its end. */
  public TrialPlace place(double seconds) {
    return new TrialPlace(instances(), firstGpu, gpus, trialsPerGpu, OptionalDouble.of(seconds));
  }

  /** Returns when that attempt started. */
  public double startS() {
    return startS;
  }

  /** Returns the seconds from its start until its first unit starts. */
  public double startupS() {
    return startupS;
  }

  /**
   * Sets the times of an attempt.
   *
   * @param untilTrainedS seconds until its first unit starts
   * @param perUnitS seconds per unit
   * @param untilEndS seconds until its end
   */
  public void lasts(double untilTrainedS, double perUnitS, double untilEndS) {
    startupS = untilTrainedS;
    unitS = perUnitS;
    lastsS = untilEndS;
    hangUnitS = perUnitS;
    begunS = 0;
    reportsAfterS = NEVER;
    laterUnits = 0;
  }

  /**
   * Sets the times of an attempt that trains what is left in units of equal length.
   *
   * @param untilTrainedS seconds until its first unit starts
   * @param perUnitS seconds per unit
   */
  public void trains(double untilTrainedS, double perUnitS) {
    lasts(untilTrainedS, perUnitS, untilTrainedS + left() * perUnitS);
  }

  /**
   * Lets an attempt whose times are set end the search with the report of a unit, if it trains it.
   *
   * @param unit counted from 1, with those of earlier attempts
   */
  public void reportsTargetAt(int unit) {
    int own = unit - done;
    if (own > 0 && own <= left()) {
      reportsTargetAfter(startupS + own * unitS);
    }
  }

  /** Sets the seconds from the start of the attempt to the report that ends the search. */
  public void reportsTargetAfter(double seconds) {
    reportsAfterS = seconds;
  }

  /**
   * Sets the seconds for which the start-up or the unit has lasted that the attempt begins with.
   */
  public void hasBegunFor(double seconds) {
    begunS = seconds;
  }

  /** Lets an attempt whose times are set do something else before its first unit. */
  public void trainsAfter(double moreSeconds) {
    startupS += moreSeconds;
    lastsS += moreSeconds;
  }

  /**
   * Lets it stand for the rest of a task of which some units were trained before.
   *
   * @param before these units
   * @param seconds for which they were trained
   */
  public void continuesAfter(int before, double seconds) {
    done = before;
    trainedS = seconds;
  }

  /** Sets the seconds per unit by which it is taken to hang. */
  public void hangsAtUnitsOf(double perUnitS) {
    hangUnitS = perUnitS;
  }

  /** Sets the units that the program trains after the task without another start. */
  public void trainsLater(int more) {
    laterUnits = more;
  }

  /** Returns the seconds that the attempt lasts without a fault. */
  double lastsS() {
    return lastsS;
  }

  void begin(double nowS) {
    startS = nowS - begunS;
    endS = startS + lastsS;
    targetS = startS + reportsAfterS;
    faultS = NEVER;
    watchedS = NEVER;
    endSinceNs = MomentHeap.ALWAYS;
    hangs = false;
    isEnding = false;
  }

  /** Lets the attempt end with its last unit, which matters as such. */
  void endsWithUnit() {
    endS = unitEndS(left());
    endSinceNs = sinceNs(left());
  }

  /** Returns the units that were left before the attempt. */
  int left() {
    return units() - done;
  }

  /** Returns when the attempt completes a unit, counted from 1. */
  double unitEndS(int unit) {
    return startS + startupS + unit * unitS;
  }

  /** Returns since when it does what ends with this unit. */
  long sinceNs(int unit) {
    return MomentHeap.ns(unit <= 1 ? startS : unitEndS(unit - 1));
  }

  /** Returns when its attempt ends, crashes or hangs, or a unit ends that is watched. */
  double nextS() {
    double earlier = watchedS < endS ? watchedS : endS; // Math.min takes longer
    return faultS < earlier ? faultS : earlier;
  }

  /** Returns since when it does what ends then. */
  private long sinceNs() {
    return watchedS < faultS && watchedS < endS ? watchedSinceNs : endSinceNs;
  }

  /** Notes its next event, which is added to the events. */
  void expect() {
    nextNs = MomentHeap.ns(nextS());
    nextSinceNs = sinceNs();
  }

  /** Returns the units that the attempt has completed; the last one ends with it. */
  private int completed(double nowS) {
    double trained = Math.floor((nowS - startS - startupS) / unitS);
    return (int) Math.max(0, Math.min(trained, units() - done - 1.0));
  }

  /** Returns the same, but none after it hangs or was asked to end. */
  int trained(double nowS) {
    return hangs || isEnding ? trainedBefore : completed(nowS);
  }

  /**
   * Returns the same by the moments of the ends of units: those at the same nanosecond have their
   * place among other events.
   */
  int trained(double nowS, long nowNs, long nowSinceNs, int nowOrder) {
    if (hangs || isEnding) {
      return trainedBefore;
    }
    // One unit more than is completed does no harm, and Math.rint takes longer.
    int unit = (int) Math.min((nowS - startS - startupS) / unitS + 0.5, left());
    while (unit > 0 && isAfter(unit, nowNs, nowSinceNs, nowOrder)) {
      unit--;
    }
    return Math.max(0, unit);
  }

  private boolean isAfter(int unit, long nowNs, long nowSinceNs, int nowOrder) {
    long ns = MomentHeap.ns(unitEndS(unit));
    if (ns != nowNs) {
      return ns > nowNs;
    }
    long since = sinceNs(unit);
    return since != nowSinceNs ? since > nowSinceNs : order > nowOrder;
  }

  /** Keeps units of the attempt, of which there is a checkpoint. */
  void keep(int kept) {
    trainedS += kept * unitS;
    done += kept;
  }

  /** Forgets all units. */
  void restart() {
    trainedS = 0;
    done = 0;
  }

  /**
   * Lets it write a checkpoint and end.
   *
   * @param completed the units that the attempt has completed
   */
  void stop(int completed, double nowS, double checkpointS) {
    isEnding = true;
    trainedBefore = completed;
    lastsS = nowS - startS + checkpointS;
    endS = nowS + checkpointS;
    endSinceNs = MomentHeap.ns(nowS);
    targetS = NEVER;
    watchedS = NEVER;
  }

  /**
   * Returns the seconds that the attempt still needs, by those per unit by which it is taken to
   * hang.
   *
   * @param trained the units that it has completed
   */
  double neededS(int trained) {
    return (units() - done + laterUnits - trained) * hangUnitS + (trained > 0 ? 0 : startupS);
  }

  /**
   * Lets it hang from now on, until it is stopped.
   *
   * @param trained the units that it has completed
   * @param silenceS seconds without a report after which it is
   * @param stopS seconds that the stop takes
   */
  void hang(int trained, double nowS, double silenceS, double stopS) {
    double lastS = trained > 0 ? startS + startupS + trained * unitS : startS;
    hangs = true;
    trainedBefore = trained;
    faultS = NEVER;
    targetS = NEVER;
    watchedS = NEVER;
    endS = Math.max(nowS, lastS + silenceS) + stopS;
  }
}

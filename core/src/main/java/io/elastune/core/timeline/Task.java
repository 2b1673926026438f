package io.elastune.core.timeline;

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

  /** A hung attempt is stopped after this multiple of the time that it still needs. */
  private static final double HANG_FACTOR = 3;

  /** … but not before this many seconds without a report. */
  private static final double LEAST_HANG_S = 20;

  // What is trained.
  final int queue;
  final int trial;
  int group;
  int from;
  int to;

  /** The units of which there is a checkpoint. */
  int done;

  /** How often it has repeated units after a torn checkpoint. */
  int repeated;

  /** The number of the instance on which its last attempt hung. */
  int avoided = NONE;

  // The attempt.
  boolean isRunning;
  int order;
  int instance = NONE;
  int firstGpu;
  int gpus;
  double startS;
  double startupS;
  double unitS;
  double endS;
  double targetS;
  double faultS;
  boolean hangs;

  /** The nanosecond of its next event, as it was added to the events. */
  long nextNs;

  int laterUnits;
  private int trainedBeforeHang;
  private double lastsS;
  private double reportsAfterS;

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
    repeated = 0;
    avoided = NONE;
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

  /** Returns the lowest GPU that it uses. */
  public int firstGpu() {
    return firstGpu;
  }

  /** Returns the number of the instance on which its present or last attempt runs. */
  public int instance() {
    return instance;
  }

  /** Returns when that attempt started. */
  public double startS() {
    return startS;
  }

  /** Returns the number of its first attempt in the order of all starts. */
  public int order() {
    return order;
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
    reportsAfterS = NEVER;
    laterUnits = 0;
  }

  /** Sets the seconds from the start of the attempt to the report that ends the search. */
  public void reportsTargetAfter(double seconds) {
    reportsAfterS = seconds;
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
    startS = nowS;
    endS = nowS + lastsS;
    targetS = nowS + reportsAfterS;
    faultS = NEVER;
    hangs = false;
  }

  /** Returns when its attempt ends, crashes or hangs. */
  double nextS() {
    return Math.min(faultS, endS);
  }

  /** Returns the units that the attempt has completed; the last one ends with it. */
  private int completed(double nowS) {
    double trained = Math.floor((nowS - startS - startupS) / unitS);
    return (int) Math.max(0, Math.min(trained, units() - done - 1.0));
  }

  /** Returns the same, but none after it hangs. */
  int trained(double nowS) {
    return hangs ? trainedBeforeHang : completed(nowS);
  }

  /**
   * Returns the seconds without a report after which an attempt is taken to hang.
   *
   * @param neededS seconds that it still needs
   */
  public static double hangS(double neededS) {
    return Math.max(LEAST_HANG_S, HANG_FACTOR * neededS);
  }

  /**
   * Lets it hang from now on, until it is stopped.
   *
   * @param stopS seconds that the stop takes
   */
  void hang(double nowS, double stopS) {
    int trained = completed(nowS);
    double lastS = trained > 0 ? startS + startupS + trained * unitS : startS;
    double neededS = (units() - done + laterUnits - trained) * unitS + (trained > 0 ? 0 : startupS);
    hangs = true;
    trainedBeforeHang = trained;
    faultS = NEVER;
    targetS = NEVER;
    endS = Math.max(nowS, lastS + hangS(neededS)) + stopS;
  }
}

package io.elastune.executor.world;

import io.elastune.core.Check;

/**
 * What goes wrong in a simulated world. Rates are probabilities per request, event, call, attempt
 * or checkpoint; a mean time of 0 means never.
 *
 * @param refused a request for an instance is refused for want of capacity
 * @param partial of the instances requested at one moment, only some are to be had
 * @param slowBoot an instance boots many times slower
 * @param vanishMeanS mean seconds until an instance breaks
 * @param preemptMeanS mean seconds until many instances are taken back at once
 * @param noticeS seconds of notice that the cloud gives of that; 0 for none
 * @param contactLost an instance that breaks is in truth only unreachable, and billed on
 * @param events what happens to the cloud's events on their way
 * @param calls what happens to our calls to the cloud
 * @param trials how trials behave
 * @param tornCheckpoint a checkpoint is not whole
 * @param lostCheckpoint the newest checkpoint is gone when it is wanted
 * @param fullDisk an instance's disk fills up: nothing can be saved on it any more
 * @param killMeanSteps mean number of steps after which the controller is killed, before, amid or
 *     after what it does
 * @param downMeanS mean seconds until it is started again
 * @param clockJumpS how far its clock may be off by then, forward or back
 */
public record Faults(
    double refused,
    double partial,
    double slowBoot,
    double vanishMeanS,
    double preemptMeanS,
    double noticeS,
    double contactLost,
    Events events,
    Calls calls,
    Trials trials,
    double tornCheckpoint,
    double lostCheckpoint,
    double fullDisk,
    double killMeanSteps,
    double downMeanS,
    double clockJumpS) {
  /**
   * Of the cloud's events, and as far as its contract allows of the engine's.
   *
   * @param late told later than it happened, so that others overtake it
   * @param lateMeanS by how much on average
   * @param doubled told twice
   * @param lost never told
   */
  public record Events(double late, double lateMeanS, double doubled, double lost) {
    static final Events IN_ORDER = new Events(0, 0, 0, 0);

    public Events {
      Check.fraction("late", late);
      Check.notNegative("lateMeanS", lateMeanS);
      Check.fraction("doubled", doubled);
      Check.fraction("lost", lost);
    }
  }

  /**
   * Of our calls to the cloud.
   *
   * @param throttled carried out only after a while
   * @param throttledMeanS after how long on average
   * @param timedOutBefore never carried out, and nobody is told
   * @param timedOutAfter carried out, but the answer is lost
   */
  public record Calls(
      double throttled, double throttledMeanS, double timedOutBefore, double timedOutAfter) {
    static final Calls PROMPT = new Calls(0, 0, 0, 0);

    public Calls {
      Check.fraction("throttled", throttled);
      Check.notNegative("throttledMeanS", throttledMeanS);
      Check.fraction("timedOutBefore", timedOutBefore);
      Check.fraction("timedOutAfter", timedOutAfter);
    }
  }

  /**
   * Of attempts, and of trials that can never work.
   *
   * @param dies exits with an error
   * @param hangs stands still and is deaf to a stop
   * @param fallsSilent trains on without reporting
   * @param reportsRubbish reports units twice, in the wrong order, without the metric
   * @param overruns goes on beyond its last unit
   * @param poison a trial whose configuration makes every attempt die
   */
  public record Trials(
      double dies,
      double hangs,
      double fallsSilent,
      double reportsRubbish,
      double overruns,
      double poison) {
    static final Trials WELL = new Trials(0, 0, 0, 0, 0, 0);

    public Trials {
      double sum = dies + hangs + fallsSilent + reportsRubbish + overruns;
      Check.fraction("trials' faults together", sum);
      Check.fraction("poison", poison);
    }
  }

  /** Nothing goes wrong. */
  public static final Faults NONE =
      new Faults(0, 0, 0, 0, 0, 0, 0, Events.IN_ORDER, Calls.PROMPT, Trials.WELL, 0, 0, 0, 0, 0, 0);

  /** A bad week on a real cloud: most runs meet something, few meet much. */
  public static final Faults NORMAL =
      new Faults(
          0.01,
          0.02,
          0.02,
          40 * 3600,
          80 * 3600,
          120,
          0.2,
          new Events(0.02, 20, 0.01, 0.005),
          new Calls(0.02, 5, 0.005, 0.005),
          new Trials(0.01, 0.002, 0.002, 0.005, 0.002, 0.005),
          0.002,
          0.001,
          0.001,
          2000,
          60,
          30);

  /** Far worse than any cloud: every run meets several faults, and some meet all. */
  public static final Faults HEAVY =
      new Faults(
          0.03,
          0.05,
          0.1,
          6 * 3600,
          12 * 3600,
          30,
          0.3,
          new Events(0.15, 60, 0.1, 0.05),
          new Calls(0.1, 20, 0.05, 0.05),
          new Trials(0.04, 0.02, 0.01, 0.03, 0.01, 0.03),
          0.02,
          0.01,
          0.01,
          200,
          120,
          120);

  public Faults {
    Check.fraction("refused", refused);
    Check.fraction("partial", partial);
    Check.fraction("slowBoot", slowBoot);
    Check.notNegative("vanishMeanS", vanishMeanS);
    Check.notNegative("preemptMeanS", preemptMeanS);
    Check.notNegative("noticeS", noticeS);
    Check.fraction("contactLost", contactLost);
    Check.fraction("tornCheckpoint", tornCheckpoint);
    Check.fraction("lostCheckpoint", lostCheckpoint);
    Check.fraction("fullDisk", fullDisk);
    Check.notNegative("killMeanSteps", killMeanSteps);
    Check.notNegative("downMeanS", downMeanS);
    Check.notNegative("clockJumpS", clockJumpS);
  }
}

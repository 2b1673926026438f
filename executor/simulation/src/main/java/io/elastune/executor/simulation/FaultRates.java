package io.elastune.executor.simulation;

import io.elastune.core.Preconditions;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The fault rates of a simulated environment. Rates are probabilities per request, event, call,
 * attempt or checkpoint; a mean time of 0 means never.
 *
 * @param refused a request for an instance is refused for lack of capacity
 * @param partial only some of the instances requested at the same time are available
 * @param slowBoot an instance boots several times slower
 * @param badNode a node cannot become ready, because one of the steps that prepare it fails
 * @param vanishMeanS mean seconds until an instance fails
 * @param preemptMeanS mean seconds between preemptions of many instances at once
 * @param noticeS seconds between the preemption notice and the preemption; 0 for no notice
 * @param contactLost a failed instance still exists, unreachable and billed
 * @param events faults in the delivery of events
 * @param calls faults of calls to the cloud
 * @param trials faults of the trials
 * @param tornCheckpoint a checkpoint is torn
 * @param lostCheckpoint a checkpoint is lost when an attempt reads it
 * @param fullDisk the disk of an instance fills up, so no checkpoint can be saved
 * @param killMeanSteps mean number of steps after which the controller is killed, before, during or
 *     after the execution of commands
 * @param downMeanS mean seconds until the controller is restarted
 * @param clockJumpS maximum clock error after the restart, in seconds, in either direction
 */
@RecordBuilder
public record FaultRates(
    double refused,
    double partial,
    double slowBoot,
    double badNode,
    double vanishMeanS,
    double preemptMeanS,
    double noticeS,
    double contactLost,
    EventFaults events,
    CallFaults calls,
    TrialFaults trials,
    double tornCheckpoint,
    double lostCheckpoint,
    double fullDisk,
    double killMeanSteps,
    double downMeanS,
    double clockJumpS) {
  /**
   * Faults in the delivery of the cloud's events and, as far as the contract allows, of the
   * engine's.
   *
   * @param late delivered late, so later events can overtake it
   * @param lateMeanS mean delay in seconds
   * @param duplicated delivered twice
   * @param lost never delivered
   */
  public record EventFaults(double late, double lateMeanS, double duplicated, double lost) {
    static final EventFaults IN_ORDER = new EventFaults(0, 0, 0, 0);

    public EventFaults {
      Preconditions.fraction("late", late);
      Preconditions.notNegative("lateMeanS", lateMeanS);
      Preconditions.fraction("doubled", duplicated);
      Preconditions.fraction("lost", lost);
    }
  }

  /**
   * Faults of calls to the cloud.
   *
   * @param throttled executed with a delay
   * @param throttledMeanS mean delay in seconds
   * @param timedOutBefore never executed, without an error
   * @param timedOutAfter executed, but the response is lost
   */
  public record CallFaults(
      double throttled, double throttledMeanS, double timedOutBefore, double timedOutAfter) {
    static final CallFaults PROMPT = new CallFaults(0, 0, 0, 0);

    public CallFaults {
      Preconditions.fraction("throttled", throttled);
      Preconditions.notNegative("throttledMeanS", throttledMeanS);
      Preconditions.fraction("timedOutBefore", timedOutBefore);
      Preconditions.fraction("timedOutAfter", timedOutAfter);
    }
  }

  /**
   * Faults of attempts and of trials.
   *
   * @param crashes the attempt exits with an error
   * @param hangs the attempt hangs and ignores stop requests
   * @param stopsReporting the attempt continues without reporting
   * @param sendsInvalidReports the attempt sends invalid, out-of-order and duplicate reports
   * @param overruns the attempt continues beyond its last unit
   * @param poison every attempt of the trial crashes
   * @param earlyEnds the trial ends early; allowed by the trial protocol, and not a fault
   */
  public record TrialFaults(
      double crashes,
      double hangs,
      double stopsReporting,
      double sendsInvalidReports,
      double overruns,
      double poison,
      double earlyEnds) {
    static final TrialFaults NONE = new TrialFaults(0, 0, 0, 0, 0, 0);

    /** Creates faults of trials that do not end early. */
    public TrialFaults(
        double crashes,
        double hangs,
        double stopsReporting,
        double sendsInvalidReports,
        double overruns,
        double poison) {
      this(crashes, hangs, stopsReporting, sendsInvalidReports, overruns, poison, 0);
    }

    public TrialFaults {
      double sum = crashes + hangs + stopsReporting + sendsInvalidReports + overruns;
      Preconditions.fraction("trials' faults together", sum);
      Preconditions.fraction("poison", poison);
      Preconditions.fraction("earlyEnds", earlyEnds);
    }
  }

  /** No faults. */
  public static final FaultRates NONE =
      FaultRatesBuilder.builder()
          .events(EventFaults.IN_ORDER)
          .calls(CallFaults.PROMPT)
          .trials(TrialFaults.NONE)
          .build();

  /** A bad week on a real cloud: most runs have some fault, few have many. */
  public static final FaultRates NORMAL =
      FaultRatesBuilder.builder()
          .refused(0.01)
          .partial(0.02)
          .slowBoot(0.02)
          .badNode(0.01)
          .vanishMeanS(40 * 3600)
          .preemptMeanS(80 * 3600)
          .noticeS(120)
          .contactLost(0.2)
          .events(new EventFaults(0.02, 20, 0.01, 0.005))
          .calls(new CallFaults(0.02, 5, 0.005, 0.005))
          .trials(new TrialFaults(0.01, 0.002, 0.002, 0.005, 0.002, 0.005))
          .tornCheckpoint(0.002)
          .lostCheckpoint(0.001)
          .fullDisk(0.001)
          .killMeanSteps(2000)
          .downMeanS(60)
          .clockJumpS(30)
          .build();

  /** Far worse than any real cloud: every run has several faults, and some have all. */
  public static final FaultRates HEAVY =
      FaultRatesBuilder.builder()
          .refused(0.03)
          .partial(0.05)
          .slowBoot(0.1)
          .badNode(0.05)
          .vanishMeanS(6 * 3600)
          .preemptMeanS(12 * 3600)
          .noticeS(30)
          .contactLost(0.3)
          .events(new EventFaults(0.15, 60, 0.1, 0.05))
          .calls(new CallFaults(0.1, 20, 0.05, 0.05))
          .trials(new TrialFaults(0.04, 0.02, 0.01, 0.03, 0.01, 0.03))
          .tornCheckpoint(0.02)
          .lostCheckpoint(0.01)
          .fullDisk(0.01)
          .killMeanSteps(200)
          .downMeanS(120)
          .clockJumpS(120)
          .build();

  public FaultRates {
    Preconditions.fraction("refused", refused);
    Preconditions.fraction("partial", partial);
    Preconditions.fraction("slowBoot", slowBoot);
    Preconditions.fraction("badNode", badNode);
    Preconditions.notNegative("vanishMeanS", vanishMeanS);
    Preconditions.notNegative("preemptMeanS", preemptMeanS);
    Preconditions.notNegative("noticeS", noticeS);
    Preconditions.fraction("contactLost", contactLost);
    Preconditions.fraction("tornCheckpoint", tornCheckpoint);
    Preconditions.fraction("lostCheckpoint", lostCheckpoint);
    Preconditions.fraction("fullDisk", fullDisk);
    Preconditions.notNegative("killMeanSteps", killMeanSteps);
    Preconditions.notNegative("downMeanS", downMeanS);
    Preconditions.notNegative("clockJumpS", clockJumpS);
  }
}

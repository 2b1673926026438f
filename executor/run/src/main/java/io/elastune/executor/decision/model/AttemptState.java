package io.elastune.executor.decision.model;

import io.elastune.core.policy.Width;
import io.elastune.core.time.Seconds;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One running attempt.
 *
 * @param from the checkpoint that it resumed from
 * @param to units to be reached
 * @param places one per worker
 * @param lastUnit the last reported unit, or {@code from}
 * @param lastSign its start, its last report, or the request to end it, by the controller's clock
 * @param life its signs of life, which include its reports
 * @param reportedAt the time of its last report by the worker's clock; before that, its start
 * @param target the metric reported at {@code to}, or in the report that the trial is done
 * @param done whether the trial reported, at {@code lastUnit}, that it needs no more training
 * @param ending why the controller is ending it, if it is
 * @param links the checkpoints that it shares with other trials
 * @param trialsPerGpu trials that may share each of its GPUs, including this one
 * @param continues whether it has the program of the attempt before, and needs no start-up
 * @param suspendedUntil until when the controller did not run; empty once a later report has come
 */
@RecordBuilder
public record AttemptState(
    String attempt,
    int trial,
    int chain,
    String group,
    int from,
    int to,
    List<GpuSlot> places,
    int lastUnit,
    Instant startedAt,
    Instant lastSign,
    SignsOfLife life,
    Instant reportedAt,
    OptionalDouble target,
    boolean done,
    EndReason ending,
    CheckpointLinks links,
    int trialsPerGpu,
    boolean continues,
    Optional<Instant> suspendedUntil) {
  /** Reports that have waited for the controller are read this many seconds after it continues. */
  private static final double CATCH_UP_S = 5;

  /** Why the controller is ending an attempt, or why its state is uncertain. */
  public enum EndReason {
    NOT,
    /** It continued after it had reported its target. */
    OVERRUN,
    /** It has shown no sign of life, or has not reported, for too long. */
    HUNG,
    /** One of its instances is gone, or it has sent nothing since it was adopted. */
    LOST,
    /** It continues on other instances under another plan. */
    MOVED,
    /** It continues with another number of GPUs. */
    RESIZED,
    /** Another trial uses its GPUs; it may continue later. */
    PREEMPTED,
    /** The search needs its result no longer. */
    DISCARDED,
    /** The run is stopping. */
    STOPPING,
    /** Its controller has stopped, and the new one has not queried the engine yet. */
    INHERITED,
    /** The engine was queried: it may be running, or may have ended in any way. */
    ADOPTED
  }

  public AttemptState {
    places = List.copyOf(places);
  }

  /**
   * Returns a builder of the state of an attempt that starts at {@code at}, with checkpoints and
   * GPUs of its own.
   */
  public static AttemptStateBuilder starting(int from, Instant at) {
    return AttemptStateBuilder.builder()
        .from(from)
        .lastUnit(from)
        .startedAt(at)
        .lastSign(at)
        .life(SignsOfLife.at(at))
        .reportedAt(at)
        .ending(EndReason.NOT)
        .links(CheckpointLinks.NONE)
        .trialsPerGpu(1);
  }

  /** The id of a trial's attempt in a group, counting all its attempts. */
  public static String id(int trial, String group, int number) {
    return trial + "-" + group + "-" + number;
  }

  /** The trial's number in an attempt's id. */
  public static int trialOf(String attempt) {
    return Integer.parseInt(attempt.substring(0, attempt.indexOf('-')));
  }

  /** Which of its trial's attempts an id names, from 1. */
  static int numberOf(String attempt) {
    return Integer.parseInt(attempt.substring(attempt.lastIndexOf('-') + 1));
  }

  /** The group's name in an attempt's id. */
  public static String groupOf(String attempt) {
    return attempt.substring(attempt.indexOf('-') + 1, attempt.lastIndexOf('-'));
  }

  /**
   * Returns the state after a report of {@code unit}.
   *
   * @param isDone whether it needs no more training
   * @param received when the controller received it
   * @param at when the worker sent it
   */
  public AttemptState reported(
      int unit, OptionalDouble atTarget, boolean isDone, Instant received, Instant at) {
    return AttemptStateBuilder.builder(this)
        .lastUnit(unit)
        .lastSign(received)
        .life(life.reported(received))
        .reportedAt(at)
        .target(atTarget)
        .done(isDone)
        .suspendedUntil(
            suspendedUntil.filter(until -> Seconds.between(until, received) <= CATCH_UP_S))
        .build();
  }

  /**
   * Returns the state after a time in which the controller did not run: it is left out of all
   * times, and the next report measures nothing.
   */
  public AttemptState suspended(Instant since, Instant until) {
    return AttemptStateBuilder.builder(this)
        .startedAt(withoutOutage(startedAt, since, until))
        .reportedAt(withoutOutage(reportedAt, since, until))
        .lastSign(withoutOutage(lastSign, since, until))
        .life(life.withoutOutage(sign -> withoutOutage(sign, since, until)))
        .suspendedUntil(Optional.of(until))
        .build();
  }

  /** Whether the time since its last report is unknown, since the controller did not run. */
  public boolean wasSuspended() {
    return suspendedUntil.isPresent();
  }

  /** Returns the state after the engine was asked for signs of life at {@code at}. */
  public AttemptState checked(Instant at) {
    return with(life.checked(at));
  }

  /** Returns the state after the engine's answer that the last sign of life was at {@code at}. */
  public AttemptState alive(Instant at) {
    return with(life.answered(at));
  }

  /** Returns the state after the loss of contact to its nodes, last made at {@code since}. */
  public AttemptState unreachable(Instant since) {
    return with(life.unreachable(since), lastSign);
  }

  /**
   * Returns the state after contact was made again at {@code at}: its time without a sign of life
   * does not include the time without contact.
   */
  public AttemptState reachable(Instant at) {
    Instant since = life.unreachableSince().orElse(at);
    return with(
        SignsOfLife.at(withoutOutage(life.last(), since, at)), withoutOutage(lastSign, since, at));
  }

  private static Instant withoutOutage(Instant sign, Instant since, Instant at) {
    Instant begin = sign.isAfter(since) ? sign : since;
    return begin.isBefore(at) ? sign.plus(Duration.between(begin, at)) : sign;
  }

  /** Whether the engine has no contact to its nodes. */
  public boolean isUnreachable() {
    return life.unreachableSince().isPresent();
  }

  private AttemptState with(SignsOfLife other) {
    return with(other, lastSign);
  }

  private AttemptState with(SignsOfLife other, Instant sign) {
    return AttemptStateBuilder.builder(this).lastSign(sign).life(other).build();
  }

  /** Returns the state of an attempt that is being ended or queried since {@code at}. */
  public AttemptState ending(EndReason why, Instant at) {
    return AttemptStateBuilder.builder(this)
        .lastSign(at)
        .life(SignsOfLife.at(at))
        .ending(why)
        .build();
  }

  /** The GPUs that it uses. */
  public Width width() {
    return new Width(places.size(), trialsPerGpu);
  }

  /** Whether it was asked to end and has not ended yet. */
  public boolean isBeingEnded() {
    return ending != EndReason.NOT && ending != EndReason.ADOPTED && ending != EndReason.INHERITED;
  }

  /**
   * Returns the command that starts it.
   *
   * @param checkpointEvery units between two checkpoints, 0 for one after the last unit only; empty
   *     if the trial saves as it likes
   */
  public Command.StartAttempt startCommand(OptionalInt checkpointEvery) {
    return new Command.StartAttempt(
        attempt, trial, group, from, to, places, links, checkpointEvery, trialsPerGpu);
  }

  /** Returns the command that adopts it; it knows the interval of its checkpoints. */
  public Command.AdoptAttempt adoptCommand() {
    return new Command.AdoptAttempt(startCommand(OptionalInt.empty()), lastUnit);
  }

  /** Returns the state of an attempt adopted at {@code at}, from which its silence is measured. */
  public AttemptState adopted(Instant at) {
    return ending(EndReason.ADOPTED, at);
  }

  /**
   * Returns {@code why}, or lost for an adopted attempt: it may have ended together with its
   * earlier controller, which is not a failure of the trial.
   */
  public EndReason reasonOrLost(EndReason why) {
    return ending == EndReason.ADOPTED ? EndReason.LOST : why;
  }

  /** Whether it has reported a unit that it has trained. */
  public boolean hasReported() {
    return lastUnit > from;
  }

  /** Whether its program needs no start-up, or has started. */
  public boolean isPastStartup() {
    return continues || hasReported();
  }

  /** Whether it is meant to continue. */
  public boolean isActive() {
    return ending == EndReason.NOT || ending == EndReason.ADOPTED;
  }

  /** Whether it will need another slot, because its present one is gone or may be. */
  public boolean needsAnotherSlot() {
    return switch (ending) {
      case LOST, INHERITED, MOVED, RESIZED, PREEMPTED -> true;
      case NOT, OVERRUN, HUNG, DISCARDED, STOPPING, ADOPTED -> false;
    };
  }

  /**
   * Whether it has reported its target and {@code checkpoint} is the target's checkpoint. A trial
   * that is done is never resumed, so its report suffices.
   */
  public boolean isComplete(int checkpoint) {
    return done || (target.isPresent() && checkpoint >= to);
  }

  /** Units that it has trained once it is complete. */
  public int endUnit() {
    return done ? lastUnit : to;
  }

  public boolean uses(String lease) {
    for (GpuSlot gpuSlot : places) {
      if (gpuSlot.lease().equals(lease)) {
        return true;
      }
    }
    return false;
  }
}

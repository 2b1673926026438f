package io.elastune.executor.core;

import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One running attempt.
 *
 * @param from the checkpoint that it resumed from
 * @param to units to be reached
 * @param places one per worker
 * @param lastUnit the last unit reported, or {@code from}
 * @param lastSign its start, its last report, or when it was asked to end; as we were told of it
 * @param reportedAt when it made its last report, by its own account; its start before
 * @param target the metric reported at {@code to}
 * @param ending why we are ending it, if we are
 */
public record AttemptState(
    String attempt,
    int trial,
    int chain,
    String group,
    int from,
    int to,
    List<Place> places,
    int lastUnit,
    Instant startedAt,
    Instant lastSign,
    Instant reportedAt,
    OptionalDouble target,
    Ending ending) {
  /** Why an attempt is being ended from our side, or may have been ended behind our back. */
  public enum Ending {
    NOT,
    /** It has reported its target and goes on. */
    OVERRUN,
    /** It has not reported for too long. */
    HUNG,
    /** An instance under it went away, or nothing was heard of it since it was taken up. */
    LOST,
    /** It is to go on elsewhere, by another plan. */
    MOVED,
    /** The run is stopping. */
    STOPPING,
    /** Its controller is gone, and the engine has not been asked yet what has become of it. */
    INHERITED,
    /** The engine has been asked: it may go on, or may have ended in whatever way. */
    ADOPTED
  }

  public AttemptState {
    places = List.copyOf(places);
  }

  /** The id of a trial's attempt in a group, counting all its attempts. */
  static String id(int trial, String group, int number) {
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
   * Has reported {@code unit}.
   *
   * @param heard when we were told
   * @param at when it did
   */
  AttemptState reported(int unit, OptionalDouble atTarget, Instant heard, Instant at) {
    return new AttemptState(
        attempt, trial, chain, group, from, to, places, unit, startedAt, heard, at, atTarget,
        ending);
  }

  /** Is being ended, or asked about, since {@code at}. */
  AttemptState ending(Ending why, Instant at) {
    return new AttemptState(
        attempt,
        trial,
        chain,
        group,
        from,
        to,
        places,
        lastUnit,
        startedAt,
        at,
        reportedAt,
        target,
        why);
  }

  /** Whether it has been asked to end and has not yet. */
  boolean isBeingEnded() {
    return ending != Ending.NOT && ending != Ending.ADOPTED && ending != Ending.INHERITED;
  }

  /** As it was started. */
  Command.StartAttempt start() {
    return new Command.StartAttempt(attempt, trial, group, from, to, places);
  }

  /** Taken up at {@code at}, from when on its silence counts. */
  AttemptState adopted(Instant at) {
    return ending(Ending.ADOPTED, at);
  }

  /**
   * {@code why} it is ended; of one that was taken up nobody knows whether it had not ended before,
   * with its controller, which is no fault of its own.
   */
  Ending orLost(Ending why) {
    return ending == Ending.ADOPTED ? Ending.LOST : why;
  }

  /** Whether it is meant to go on. */
  boolean goesOn() {
    return ending == Ending.NOT || ending == Ending.ADOPTED;
  }

  /** Whether it is going to need another place, for that of now is gone or may be. */
  boolean isUprooted() {
    return ending == Ending.LOST || ending == Ending.INHERITED || ending == Ending.MOVED;
  }

  /** Whether it has reported its target and {@code checkpoint} is the target's. */
  boolean isComplete(int checkpoint) {
    return target.isPresent() && checkpoint >= to;
  }

  boolean uses(String lease) {
    for (Place place : places) {
      if (place.lease().equals(lease)) {
        return true;
      }
    }
    return false;
  }
}

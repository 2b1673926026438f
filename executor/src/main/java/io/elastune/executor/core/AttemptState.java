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
 * @param lastSign its start or last report
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
    OptionalDouble target,
    Ending ending) {
  /** Why an attempt is being ended from our side. */
  public enum Ending {
    NOT,
    /** It has reported its target and goes on. */
    OVERRUN,
    /** It has not reported for too long. */
    HUNG,
    /** An instance under it went away. */
    LOST,
    /** The run is stopping. */
    STOPPING
  }

  public AttemptState {
    places = List.copyOf(places);
  }

  AttemptState reported(int unit, OptionalDouble atTarget, Instant at) {
    return new AttemptState(
        attempt, trial, chain, group, from, to, places, unit, startedAt, at, atTarget, ending);
  }

  AttemptState ending(Ending why) {
    return new AttemptState(
        attempt, trial, chain, group, from, to, places, lastUnit, startedAt, lastSign, target, why);
  }

  boolean uses(String lease) {
    return places.stream().anyMatch(place -> place.lease().equals(lease));
  }
}

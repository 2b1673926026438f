package io.elastune.executor.decision.model;

import io.elastune.core.job.SearchPatience;
import io.elastune.core.time.Seconds;
import java.time.Instant;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * When a search ends because its best metric improves no more.
 *
 * @param trials fully trained trials without an improvement
 * @param seconds seconds without an improvement
 * @param minGain by how much more than this a metric must be better to be an improvement
 */
public record PatienceRule(OptionalInt trials, OptionalDouble seconds, double minGain) {
  /** Returns the rule of a job. */
  public static PatienceRule of(SearchPatience patience) {
    return new PatienceRule(
        patience.trials().map(OptionalInt::of).orElse(OptionalInt.empty()),
        patience
            .time()
            .map(time -> OptionalDouble.of(Seconds.of(time)))
            .orElse(OptionalDouble.empty()),
        patience.minGain().orElse(0.0));
  }

  /** Returns the seconds until the search ends without an improvement; infinite for never. */
  public double leftS(SearchPlateau plateau, Instant now) {
    return plateau.metric().isEmpty() || seconds.isEmpty()
        ? Double.POSITIVE_INFINITY
        : seconds.getAsDouble() - Seconds.between(plateau.since(), now);
  }

  /** Returns whether so many trials were trained without an improvement. */
  public boolean hasEnoughTrials(SearchPlateau plateau) {
    return trials.isPresent() && plateau.trials() >= trials.getAsInt();
  }
}

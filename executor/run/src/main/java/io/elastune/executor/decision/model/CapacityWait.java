package io.elastune.executor.decision.model;

import io.elastune.core.time.Seconds;
import java.time.Instant;
import java.util.Optional;

/**
 * The wait of one chain for capacity: its instances were refused, and it holds too few for a single
 * trial.
 *
 * @param since the first refusal
 * @param retries how often the instances were requested again
 * @param retryAt when they are requested again; empty while such a request is unanswered
 */
public record CapacityWait(Instant since, int retries, Optional<Instant> retryAt) {
  /** Seconds from a refusal to the first retry. Until then, providers do not try a zone again. */
  private static final double FIRST_RETRY_S = 60;

  /** Maximum seconds between two retries. The interval doubles until then. */
  private static final double LONGEST_RETRY_S = 300;

  /** Returns the wait of a chain that was refused at {@code now} for the first time. */
  public static CapacityWait startedAt(Instant now) {
    return new CapacityWait(now, 0, Optional.empty());
  }

  /** Whether the time to wait is over at {@code now}, so that no other retry follows. */
  public boolean isOver(Instant now, double waitS) {
    return Seconds.between(since, now) >= waitS;
  }

  /** Returns the wait after a refusal: the last retry is at the end of the time to wait. */
  public CapacityWait refused(Instant now, double waitS) {
    double interval = Math.min(LONGEST_RETRY_S, FIRST_RETRY_S * Math.scalb(1.0, retries));
    Instant next = Seconds.after(now, interval);
    Instant last = Seconds.after(since, waitS);
    return new CapacityWait(since, retries, Optional.of(next.isAfter(last) ? last : next));
  }

  /** Returns the wait after the instances were requested again. */
  public CapacityWait retried() {
    return new CapacityWait(since, retries + 1, Optional.empty());
  }

  /** Whether the instances must be requested again at {@code now}. */
  public boolean isDue(Instant now) {
    return retryAt.filter(at -> !at.isAfter(now)).isPresent();
  }
}

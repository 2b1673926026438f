package io.elastune.executor.decision.model;

import java.time.Instant;

/**
 * What the controller knows about the activity of an attempt.
 *
 * @param last its last known sign of life, by the controller's clock
 * @param unanswered the checks that the engine has not answered
 * @param checkedAt the last of these checks; without one, the same as {@code last}
 */
public record SignsOfLife(Instant last, int unanswered, Instant checkedAt) {
  /** Returns the state after a sign of life at {@code at}. */
  static SignsOfLife at(Instant at) {
    return new SignsOfLife(at, 0, at);
  }

  /** Returns the state after the engine was asked at {@code at}. */
  SignsOfLife checked(Instant at) {
    return new SignsOfLife(last, unanswered + 1, at);
  }

  /** Returns the state after the answer that the last sign was at {@code at}. */
  SignsOfLife answered(Instant at) {
    return at(at.isAfter(last) ? at : last);
  }
}

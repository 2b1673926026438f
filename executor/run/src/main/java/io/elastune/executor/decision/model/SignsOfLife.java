package io.elastune.executor.decision.model;

import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What the controller knows about the activity of an attempt.
 *
 * @param last its last known sign of life, by the controller's clock
 * @param unanswered the checks that the engine has not answered
 * @param checkedAt the last of these checks; without one, the same as {@code last}
 * @param unreachableSince since when the engine has no contact to its nodes; empty if it has
 */
public record SignsOfLife(
    Instant last, int unanswered, Instant checkedAt, Optional<Instant> unreachableSince) {
  /** Returns the state after a sign of life at {@code at}. */
  static SignsOfLife at(Instant at) {
    return new SignsOfLife(at, 0, at, Optional.empty());
  }

  /** Returns the state after a report that was received at {@code at}. */
  SignsOfLife reported(Instant at) {
    return new SignsOfLife(at, 0, at, unreachableSince);
  }

  /** Returns the state in which all times are changed as {@code moved} does. */
  SignsOfLife withoutOutage(UnaryOperator<Instant> moved) {
    return new SignsOfLife(moved.apply(last), unanswered, moved.apply(checkedAt), unreachableSince);
  }

  /** Returns the state without contact since {@code since}. */
  SignsOfLife unreachable(Instant since) {
    return new SignsOfLife(last, unanswered, checkedAt, Optional.of(since));
  }

  /** Returns the state after the engine was asked at {@code at}. */
  SignsOfLife checked(Instant at) {
    return new SignsOfLife(last, unanswered + 1, at, unreachableSince);
  }

  /** Returns the state after the answer that the last sign was at {@code at}. */
  SignsOfLife answered(Instant at) {
    return reported(at.isAfter(last) ? at : last);
  }
}

package io.elastune.executor.decision.model;

import java.time.Instant;
import java.util.Optional;

/**
 * The shutdown state of a run.
 *
 * @param outcome the outcome so far; completed while nothing is wrong
 * @param reason why; empty while nothing is wrong
 * @param budgetWarned whether the warning level of the budget was reported
 * @param releaseSince when releasing, or after it verifying, started
 * @param listedAt when the cloud was last asked to list instances
 * @param instancesLeft the number of instances in its answer; -1 before that
 */
public record ShutdownState(
    RunOutcome outcome,
    Optional<DecisionReason> reason,
    boolean budgetWarned,
    Optional<Instant> releaseSince,
    Optional<Instant> listedAt,
    int instancesLeft) {
  /** Nothing is wrong. */
  public static final ShutdownState NONE =
      new ShutdownState(
          RunOutcome.COMPLETED, Optional.empty(), false, Optional.empty(), Optional.empty(), -1);

  /** The exit code of the outcome. */
  public int exitCode() {
    return outcome.exitCode();
  }

  /** Whether the run was stopped for this reason, and for no more important one. */
  public boolean isFor(Reason code) {
    return reason.filter(why -> why.code() == code).isPresent();
  }

  /** This ending, or one with {@code other} for no other reason if that overrides its outcome. */
  public ShutdownState combinedWith(RunOutcome other) {
    return combinedWith(other, DecisionReason.of(other));
  }

  /** This ending, or one with {@code other} if that overrides its outcome. */
  public ShutdownState combinedWith(RunOutcome other, DecisionReason why) {
    return other.overrides(outcome)
        ? new ShutdownState(
            other, Optional.of(why), budgetWarned, releaseSince, listedAt, instancesLeft)
        : this;
  }

  /** Returns the state of a resumed run, without the earlier outcome. */
  public ShutdownState resumed() {
    return new ShutdownState(
        RunOutcome.COMPLETED,
        Optional.empty(),
        budgetWarned,
        Optional.empty(),
        Optional.empty(),
        -1);
  }

  public ShutdownState warned() {
    return new ShutdownState(outcome, reason, true, releaseSince, listedAt, instancesLeft);
  }

  public ShutdownState releasing(Instant at) {
    return new ShutdownState(
        outcome, reason, budgetWarned, Optional.of(at), listedAt, instancesLeft);
  }

  public ShutdownState listing(Instant at) {
    return new ShutdownState(
        outcome, reason, budgetWarned, releaseSince, Optional.of(at), instancesLeft);
  }

  public ShutdownState listed(int left) {
    return new ShutdownState(outcome, reason, budgetWarned, releaseSince, listedAt, left);
  }
}

package io.elastune.executor.decision.model;

import io.soabase.recordbuilder.core.RecordBuilder;
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
@RecordBuilder
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
        ? ShutdownStateBuilder.builder(this).outcome(other).reason(Optional.of(why)).build()
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
    return ShutdownStateBuilder.builder(this).budgetWarned(true).build();
  }

  public ShutdownState releasing(Instant at) {
    return ShutdownStateBuilder.builder(this).releaseSince(Optional.of(at)).build();
  }

  public ShutdownState listing(Instant at) {
    return ShutdownStateBuilder.builder(this).listedAt(Optional.of(at)).build();
  }

  public ShutdownState listed(int left) {
    return ShutdownStateBuilder.builder(this).instancesLeft(left).build();
  }
}

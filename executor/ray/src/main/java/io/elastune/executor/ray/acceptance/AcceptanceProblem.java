package io.elastune.executor.ray.acceptance;

/**
 * Why a node is refused.
 *
 * @param check the check that failed
 * @param message what was found instead of what was expected, and the remedy
 * @param repetition whether another check may have another result
 */
public record AcceptanceProblem(NodeCheck check, String message, Repetition repetition) {
  /** Whether a check is repeated. */
  enum Repetition {
    /** Another check would hang as well, or find the same record. */
    NEVER,
    /** A second check confirms the refusal. */
    ONCE,
    /** The problem passes, such as when a driver has been installed. */
    WHILE_WAITING
  }
}

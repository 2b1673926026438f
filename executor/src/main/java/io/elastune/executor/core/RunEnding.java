package io.elastune.executor.core;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How a run is going to end.
 *
 * @param exitCode the code so far; 0 while all is well
 * @param reason in a sentence; empty while all is well
 * @param budgetWarned whether the warning level has been told
 * @param releaseSince when releasing began, or after it the asking
 * @param listedAt when the cloud was last asked what is left
 * @param instancesLeft what it answered; -1 before
 */
public record RunEnding(
    int exitCode,
    String reason,
    boolean budgetWarned,
    Optional<Instant> releaseSince,
    Optional<Instant> listedAt,
    int instancesLeft) {
  /** Nothing is wrong. */
  public static final RunEnding GOOD =
      new RunEnding(0, "", false, Optional.empty(), Optional.empty(), -1);

  /** Codes that win over others, strongest first (cli.md, "Exit codes"). */
  private static final List<Integer> STRENGTH = List.of(20, 11, 16, 13);

  /** This ending, or {@code code} if that wins over it. */
  RunEnding because(int code, String why) {
    if (exitCode != 0 && strength(code) >= strength(exitCode)) {
      return this;
    }
    return new RunEnding(code, why, budgetWarned, releaseSince, listedAt, instancesLeft);
  }

  private static int strength(int code) {
    int index = STRENGTH.indexOf(code);
    return index < 0 ? 2 : index;
  }

  /** All is well again: an earlier ending is taken back. */
  RunEnding resumed() {
    return new RunEnding(0, "", budgetWarned, Optional.empty(), Optional.empty(), -1);
  }

  RunEnding warned() {
    return new RunEnding(exitCode, reason, true, releaseSince, listedAt, instancesLeft);
  }

  RunEnding releasing(Instant at) {
    return new RunEnding(exitCode, reason, budgetWarned, Optional.of(at), listedAt, instancesLeft);
  }

  RunEnding listing(Instant at) {
    return new RunEnding(
        exitCode, reason, budgetWarned, releaseSince, Optional.of(at), instancesLeft);
  }

  RunEnding listed(int left) {
    return new RunEnding(exitCode, reason, budgetWarned, releaseSince, listedAt, left);
  }
}

package io.elastune.cli.failure;

import io.elastune.executor.decision.model.RunOutcome;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An exit code of Elastune: that of a {@link RunOutcome}, or one of those below, with which no run
 * ends. They are a public contract and never change.
 *
 * @param code the exit code of the process
 * @param meaning a short description for users
 */
public record ExitCode(int code, String meaning) {
  public static final ExitCode DONE = of(RunOutcome.COMPLETED);
  public static final ExitCode INTERNAL_ERROR =
      new ExitCode(1, "internal error (a bug), or a guarantee violated in a rehearsal");
  public static final ExitCode USAGE = new ExitCode(2, "invalid command line or job file");
  public static final ExitCode NOT_CONFIRMED =
      new ExitCode(
          3,
          "not confirmed by the user (also: no terminal and no -y), or another run of the job is in"
              + " progress");
  public static final ExitCode INFEASIBLE =
      new ExitCode(10, "no plan meets the deadline and the budget");
  public static final ExitCode PLAN_STALE = new ExitCode(12, "saved plan is stale");

  /** Returns all exit codes in ascending order. */
  public static List<ExitCode> all() {
    return Stream.concat(
            Stream.of(INTERNAL_ERROR, USAGE, NOT_CONFIRMED, INFEASIBLE, PLAN_STALE),
            Arrays.stream(RunOutcome.values()).map(ExitCode::of))
        .sorted(Comparator.comparingInt(ExitCode::code))
        .toList();
  }

  /** Returns the exit code of a command that executed a run. */
  public static ExitCode of(RunOutcome outcome) {
    return new ExitCode(outcome.exitCode(), outcome.meaning());
  }

  /** Returns the exit code with that number; empty if there is none. */
  public static Optional<ExitCode> find(int number) {
    return all().stream().filter(exit -> exit.code == number).findFirst();
  }
}

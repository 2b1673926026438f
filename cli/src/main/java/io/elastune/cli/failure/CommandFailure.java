package io.elastune.cli.failure;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown to end a command with an exit code and its problems. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ExitCode exit;
  private final transient List<ErrorDetail> errorDetails;

  public CommandFailure(ExitCode exit, List<ErrorDetail> errorDetails) {
    super(errorDetails.stream().map(ErrorDetail::toString).collect(Collectors.joining("\n")));
    this.exit = exit;
    this.errorDetails = List.copyOf(errorDetails);
  }

  /**
   * Returns a failure with a single problem; see {@link ErrorDetail#of(String, String, String)}.
   */
  public static CommandFailure of(ExitCode exit, String field, String message, String hint) {
    return new CommandFailure(exit, List.of(ErrorDetail.of(field, message, hint)));
  }

  /** Returns a failure for a problem in the user's input, with exit code 2. */
  public static CommandFailure invalid(String option, String message, String hint) {
    return of(ExitCode.USAGE, option, message, hint);
  }

  /** Returns a failure for a single problem in the user's input. */
  public static CommandFailure usage(ErrorDetail errorDetail) {
    return new CommandFailure(ExitCode.USAGE, List.of(errorDetail));
  }

  /** Returns a failure for a field of a file, or for an option if {@code file} is empty. */
  public static CommandFailure usage(String file, String field, String message) {
    return usage(ErrorDetail.inFile(file, 0, field, message, ""));
  }

  public ExitCode exit() {
    return exit;
  }

  public List<ErrorDetail> problems() {
    return errorDetails;
  }
}

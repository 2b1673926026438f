package io.elastune.cli.failure;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.NoHomeException;
import io.elastune.core.config.FileProblem;
import io.elastune.core.config.FileProblemsException;
import io.elastune.core.files.DiskSpace;
import io.elastune.executor.code.CodeException;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.journal.JournalException;
import io.elastune.provisioner.CloudException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ParameterException;

/** Maps exceptions to exit codes and problems. No other class does. */
public final class ExceptionMapper {
  private static final CloudFailureMapper CLOUD_FAILURES = new CloudFailureMapper();

  private final CliEnvironment cliEnvironment;
  private final List<String> arguments;

  /**
   * Creates a mapper for one command.
   *
   * @param arguments the command line, for crash logs
   */
  public ExceptionMapper(CliEnvironment cliEnvironment, List<String> arguments) {
    this.cliEnvironment = cliEnvironment;
    this.arguments = List.copyOf(arguments);
  }

  /**
   * Returns the exit code and problems of {@code thrown}. An internal error is written to a file.
   */
  public Failure map(Throwable thrown) {
    if (thrown instanceof CommandFailure failure) {
      return new Failure(failure.exit(), failure.problems());
    }
    if (thrown instanceof ParameterException usage) {
      return new Failure(ExitCode.USAGE, UsageErrors.of(usage));
    }
    if (thrown instanceof FileProblemsException files) {
      List<FileProblem> problems = CloudsFileProblems.complete(files.problems(), cliEnvironment);
      return new Failure(ExitCode.USAGE, problems.stream().map(ErrorDetail::of).toList());
    }
    if (thrown instanceof CodeException code) {
      String message = String.valueOf(code.getMessage());
      return new Failure(
          ExitCode.USAGE, List.of(ErrorDetail.of("trial.workdir", message, code.hint())));
    }
    if (thrown instanceof CloudException cloud) {
      return cloud.failure().match(CLOUD_FAILURES);
    }
    if (thrown instanceof JournalException journal && journal.isCorrupt()) {
      return new Failure(ExitCode.USAGE, List.of(damaged(journal)));
    }
    if (thrown instanceof JournalException) {
      return new Failure(ExitCode.of(RunOutcome.CLEANUP_UNCONFIRMED), List.of(journal(thrown)));
    }
    Throwable cause = thrown.getCause();
    if (thrown instanceof UncheckedIOException && cause != null) {
      return map(cause);
    }
    if (thrown instanceof FileSystemException file) {
      return new Failure(ExitCode.USAGE, List.of(FileSystemErrors.problem(file)));
    }
    if (thrown instanceof IOException failed
        && DiskSpace.isFull(String.valueOf(failed.getMessage()))) {
      return new Failure(ExitCode.USAGE, List.of(FileSystemErrors.fullDisk(failed)));
    }
    if (thrown instanceof NoHomeException home) {
      String message = String.valueOf(home.getMessage());
      return new Failure(
          ExitCode.USAGE,
          List.of(ErrorDetail.of("", message, "set HOME, or ELASTUNE_HOME to a folder for runs")));
    }
    if (thrown instanceof InvalidPathException path) {
      return new Failure(ExitCode.USAGE, List.of(FileSystemErrors.problem(path)));
    }
    return bug(thrown);
  }

  private static ErrorDetail damaged(JournalException journal) {
    return ErrorDetail.of(
        "",
        String.valueOf(journal.getMessage()),
        "the file is damaged; 'elastune orphans' lists instances that may still be billed");
  }

  /** For a full or missing disk. A run must not continue without its journal. */
  private ErrorDetail journal(Throwable thrown) {
    Path home = cliEnvironment.home();
    boolean full = DiskSpace.isFull(String.valueOf(thrown.getMessage())) || DiskSpace.isFull(home);
    return ErrorDetail.of(
        "",
        thrown.getMessage()
            + ": a run cannot continue without its journal, so it was aborted; instances on this"
            + " machine shut down within seconds, others when their dead-man timer expires",
        full
            ? "free disk space in " + home + ", then run 'elastune status'"
            : "run 'elastune status'");
  }

  private Failure bug(Throwable thrown) {
    if (wantsTrace()) {
      thrown.printStackTrace(cliEnvironment.err());
    }
    String what = "internal error (a bug in Elastune): " + thrown;
    String next =
        new CrashLog(cliEnvironment, arguments)
            .write(thrown)
            .map(file -> "report it with the file " + file)
            .orElse("report it with the output of the same command with -v");
    return new Failure(ExitCode.INTERNAL_ERROR, List.of(ErrorDetail.of("", what, next)));
  }

  private boolean wantsTrace() {
    return arguments.contains("-v")
        || arguments.contains("--verbose")
        || cliEnvironment.variable("ELASTUNE_DEBUG").isPresent();
  }
}

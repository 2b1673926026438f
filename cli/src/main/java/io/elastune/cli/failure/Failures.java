package io.elastune.cli.failure;

import io.elastune.cli.world.World;
import io.elastune.core.config.FileProblemsException;
import io.elastune.executor.journal.JournalException;
import io.elastune.provisioner.CloudException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.List;
import picocli.CommandLine.ParameterException;

/** Maps exceptions to exit codes and problems. No other class does. */
public final class Failures {
  private static final CloudFailures CLOUD_FAILURES = new CloudFailures();

  private final World world;
  private final List<String> arguments;

  /**
   * Creates a mapper for one command.
   *
   * @param arguments the command line, for crash logs
   */
  public Failures(World world, List<String> arguments) {
    this.world = world;
    this.arguments = List.copyOf(arguments);
  }

  /**
   * Returns the exit code and problems of {@code thrown}. An internal error is written to a file.
   */
  public Failure of(Throwable thrown) {
    if (thrown instanceof CommandFailure failure) {
      return new Failure(failure.exit(), failure.problems());
    }
    if (thrown instanceof ParameterException usage) {
      return new Failure(ExitCode.USAGE, UsageProblems.of(usage));
    }
    if (thrown instanceof FileProblemsException files) {
      return new Failure(ExitCode.USAGE, files.problems().stream().map(Problem::of).toList());
    }
    if (thrown instanceof CloudException cloud) {
      return cloud.failure().match(CLOUD_FAILURES);
    }
    if (thrown instanceof JournalException journal && journal.isCorrupt()) {
      return new Failure(ExitCode.USAGE, List.of(damaged(journal)));
    }
    if (thrown instanceof JournalException) {
      return new Failure(ExitCode.CLEANUP_UNCONFIRMED, List.of(journal(thrown)));
    }
    Throwable cause = thrown.getCause();
    if (thrown instanceof UncheckedIOException && cause != null) {
      return of(cause);
    }
    if (thrown instanceof FileSystemException file) {
      return new Failure(ExitCode.USAGE, List.of(FileFaults.problem(file)));
    }
    return bug(thrown);
  }

  private static Problem damaged(JournalException journal) {
    return Problem.of(
        "",
        String.valueOf(journal.getMessage()),
        "the file is damaged; 'elastune orphans' lists the instances that the run may still rent");
  }

  /** For a full or missing disk. A run must not continue without its journal. */
  private Problem journal(Throwable thrown) {
    return Problem.of(
        "",
        thrown.getMessage()
            + ": a run cannot continue without its journal, so it was aborted; instances on this"
            + " machine shut down within seconds, others when their dead-man timer expires",
        "free disk space in " + world.home() + ", then run 'elastune status'");
  }

  private Failure bug(Throwable thrown) {
    if (wantsTrace()) {
      thrown.printStackTrace(world.err());
    }
    String what = "internal error (a bug in Elastune): " + thrown;
    String next =
        new CrashLog(world, arguments)
            .write(thrown)
            .map(file -> "report it with the file " + file)
            .orElse("report it with the output of the same command with -v");
    return new Failure(ExitCode.BUG, List.of(Problem.of("", what, next)));
  }

  private boolean wantsTrace() {
    return arguments.contains("-v")
        || arguments.contains("--verbose")
        || world.variable("ELASTUNE_DEBUG").isPresent();
  }
}

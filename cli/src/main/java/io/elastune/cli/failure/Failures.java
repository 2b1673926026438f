package io.elastune.cli.failure;

import io.elastune.cli.world.World;
import io.elastune.core.files.FileProblemsException;
import io.elastune.executor.journal.JournalException;
import io.elastune.provisioner.CloudException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.List;
import picocli.CommandLine.ParameterException;

/** The one place that maps exceptions to exit codes and problems. */
public final class Failures {
  private static final CloudFailures CLOUD_FAILURES = new CloudFailures();

  private final World world;
  private final List<String> arguments;

  /**
   * Maps the exceptions of one command.
   *
   * @param arguments what was called, for the report of a bug
   */
  public Failures(World world, List<String> arguments) {
    this.world = world;
    this.arguments = List.copyOf(arguments);
  }

  /** Exit code and problems of {@code thrown}; a bug is written to a file of its own. */
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
    if (thrown instanceof JournalException journal && journal.isDamage()) {
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
        "its file is damaged; 'elastune orphans' shows what the run may still rent");
  }

  /** A full or vanished disk: without its journal a run must not go on. */
  private Problem journal(Throwable thrown) {
    return Problem.of(
        "",
        thrown.getMessage()
            + ": the run cannot go on without its journal, and was given up; instances on this"
            + " machine end by themselves within seconds, others by their dead-man timer",
        "make room in " + world.home() + ", then see 'elastune status'");
  }

  private Failure bug(Throwable thrown) {
    if (wantsTrace()) {
      thrown.printStackTrace(world.err());
    }
    String what = "this is a bug in Elastune, not a mistake of yours: " + thrown;
    String next =
        new CrashLog(world, arguments)
            .write(thrown)
            .map(file -> "please report it with the file " + file)
            .orElse("please report it with what the same command prints with -v");
    return new Failure(ExitCode.BUG, List.of(Problem.of("", what, next)));
  }

  private boolean wantsTrace() {
    return arguments.contains("-v")
        || arguments.contains("--verbose")
        || world.variable("ELASTUNE_DEBUG").isPresent();
  }
}

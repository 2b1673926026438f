package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.core.config.FileProblemsException;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.executor.journal.RunMeta;
import io.elastune.inputs.JobLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the job file of a run is now. If its folder has moved, it is the current folder, provided
 * that a job file of the same name and job is there.
 */
final class JobPlace {
  private final CliEnvironment cliEnvironment;
  private final RunMeta meta;
  private final Job job;

  /** {@code job}: the job of the run. */
  JobPlace(CliEnvironment cliEnvironment, RunMeta meta, Job job) {
    this.cliEnvironment = cliEnvironment;
    this.meta = meta;
    this.job = job;
  }

  /** Returns the text of a job file; empty if it cannot be read. */
  static Optional<String> textOf(Path file) {
    try {
      return Optional.of(Files.readString(file));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the folder that paths in the job file are relative to, which may not exist. */
  Path folder() {
    Path recorded = Path.of(meta.jobFolder());
    return !Files.isDirectory(recorded) && isOfSameJob(file(cliEnvironment.folder()))
        ? cliEnvironment.folder()
        : recorded;
  }

  private Path file(Path folder) {
    return folder.resolve(Path.of(meta.jobFile()).getFileName());
  }

  /** Returns the path of the job file for messages. */
  String displayFile() {
    return cliEnvironment.displayPath(file(folder()));
  }

  private boolean isOfSameJob(Path file) {
    return textOf(file)
        .flatMap(
            text ->
                JobFile.parse(meta.jobFile(), text, Overrides.NONE)
                    .match(Optional::of, problems -> Optional.empty()))
        .filter(found -> found.name().equals(job.name()))
        .isPresent();
  }

  /** Returns the present text of the job file, if it exists. */
  Optional<String> text() {
    return textOf(file(folder()));
  }

  /**
   * Returns how the job file differs from the one that the run has used so far; not at all without
   * a job file, and for a run of an earlier version.
   *
   * @param limits what the resume itself changes
   */
  JobChanges changes(String run, Overrides limits) {
    JobChanges none = JobChanges.none(run, displayFile());
    Optional<String> now = text();
    Optional<String> before = meta.jobText();
    if (now.isEmpty() || before.isEmpty() || now.equals(before)) {
      return none;
    }
    String file = file(folder()).toString();
    JobLoader loader = new JobLoader(cliEnvironment);
    Job earlier;
    try {
      earlier = loader.parse(file, before.get());
    } catch (FileProblemsException e) {
      return none; // another version has written it
    }
    try {
      return none.withFields(
          JobFile.differences(earlier, loader.load(file, Overrides.NONE).value()).stream()
              .filter(it -> limits.deadline().isEmpty() || !it.field().equals("deadline"))
              .filter(it -> limits.budget().isEmpty() || !it.field().startsWith("budget"))
              .toList());
    } catch (FileProblemsException e) {
      return none.withProblems(String.valueOf(e.getMessage()));
    }
  }
}

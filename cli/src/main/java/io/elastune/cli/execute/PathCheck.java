package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.failure.FileSystemErrors;
import io.elastune.core.job.Job;
import io.elastune.executor.journal.HomeProbe;
import io.elastune.inputs.JobProblems;
import io.elastune.inputs.LoadedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Checks that the folders of a run can be used, before anything is started or charged. Their names
 * may have any characters but line breaks and other control characters, which shells and log files
 * do not carry; and with an image no commas, which separate the arguments of Docker.
 */
final class PathCheck {
  private final CliEnvironment cliEnvironment;
  private final LoadedFile<Job> file;

  PathCheck(CliEnvironment cliEnvironment, LoadedFile<Job> file) {
    this.cliEnvironment = cliEnvironment;
    this.file = file;
  }

  /**
   * Checks the home, the folder of the job and the workdir.
   *
   * @throws CommandFailure if one cannot be used
   */
  void check() {
    Path home = cliEnvironment.home();
    Optional<String> problem = unusable(home).or(() -> unwritable(home));
    if (problem.isPresent()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          List.of(
              ErrorDetail.of(
                  "ELASTUNE_HOME",
                  "runs cannot be stored in " + visible(home) + ": " + problem.get(),
                  "set ELASTUNE_HOME to another folder")));
    }
    unusable(file.folder().resolve(file.value().trial().workdir()))
        .ifPresent(
            why -> {
              throw JobProblems.usage(
                  file,
                  "trial.workdir",
                  "cannot be used: "
                      + visible(file.folder().resolve(file.value().trial().workdir()))
                      + ": "
                      + why);
            });
  }

  private static Optional<String> unwritable(Path home) {
    try {
      return HomeProbe.problem(home);
    } catch (IOException e) {
      return Optional.of(FileSystemErrors.reason(e));
    }
  }

  private Optional<String> unusable(Path path) {
    String text = path.toString();
    if (text.chars().anyMatch(Character::isISOControl)) {
      return Optional.of("its path has a line break or another control character");
    }
    return text.indexOf(',') >= 0 && file.value().trial().image().isPresent()
        ? Optional.of("its path has a comma, which trial.image does not allow")
        : Optional.empty();
  }

  private static String visible(Path path) {
    return path.toString().replaceAll("\\p{Cntrl}", "?");
  }
}

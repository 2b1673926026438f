package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.inputs.TextFileReader;

/** Reads the job file of a schedule. */
final class ScheduledJobFile {
  private ScheduledJobFile() {}

  /**
   * Returns the job.
   *
   * @param overrides those of the schedule's options
   * @throws io.elastune.cli.failure.CommandFailure if the file does not exist or is invalid
   */
  static Job read(CliEnvironment cliEnvironment, String file, Overrides overrides) {
    return new TextFileReader(cliEnvironment)
        .read(cliEnvironment.path(file), (name, text) -> JobFile.parse(name, text, overrides))
        .orThrow()
        .value();
  }
}

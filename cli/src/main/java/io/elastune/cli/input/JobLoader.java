package io.elastune.cli.input;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;

/** Loads job files. */
public final class JobLoader {
  private final CliEnvironment cliEnvironment;

  public JobLoader(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
  }

  /** Returns the job in {@code file}, with the overrides of the command line. */
  public LoadedFile<Job> load(String file, Overrides overrides) {
    return new TextFileReader(cliEnvironment)
        .read(cliEnvironment.path(file), (name, text) -> JobFile.parse(name, text, overrides))
        .orThrow();
  }
}

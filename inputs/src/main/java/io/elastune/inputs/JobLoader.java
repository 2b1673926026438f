package io.elastune.inputs;

import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.ParseResult;
import io.elastune.core.config.ReferencedFiles;
import io.elastune.core.job.Job;
import java.nio.file.Path;

/** Loads job files. */
public final class JobLoader {
  private final InputEnvironment environment;

  public JobLoader(InputEnvironment environment) {
    this.environment = environment;
  }

  /** Returns the job in {@code file}, with the overrides of the command line. */
  public LoadedFile<Job> load(String file, Overrides overrides) {
    Path path = environment.path(file);
    return new TextFileReader(environment)
        .read(
            path,
            (name, text) ->
                JobFile.parse(name, text, overrides, named -> read(path.resolveSibling(named))))
        .orThrow();
  }

  /** Returns the job that {@code file} would contain with another text. */
  public Job parse(String file, String text) {
    Path path = environment.path(file);
    return JobFile.parse(
            environment.displayPath(path),
            text,
            Overrides.NONE,
            named -> read(path.resolveSibling(named)))
        .orThrow();
  }

  private ParseResult<ReferencedFiles.TextFile> read(Path path) {
    return new TextFileReader(environment)
        .read(
            path.normalize(),
            (name, text) -> new ParseResult.ValidFile<>(new ReferencedFiles.TextFile(name, text)))
        .match(file -> new ParseResult.ValidFile<>(file.value()), ParseResult.InvalidFile::new);
  }
}

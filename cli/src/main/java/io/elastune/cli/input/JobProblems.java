package io.elastune.cli.input;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.core.config.FileProblem;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.ParseResult;
import io.elastune.core.job.Job;

/** Reports problems that are found after parsing a job, at the line of the job file. */
public final class JobProblems {
  private static final String PATHS = "paths are relative to the folder of the job file";

  private JobProblems() {}

  /** Returns a failure for a field of the job. */
  public static CommandFailure usage(LoadedFile<Job> job, String field, String message) {
    return usage(job, field, message, "");
  }

  /** Returns a failure for a field of the job, with a remedy or a detail. */
  static CommandFailure usage(LoadedFile<Job> job, String field, String message, String hint) {
    return CommandFailure.usage(detail(job, field, message, hint));
  }

  /** Returns a problem of a field of the job, with a remedy or a detail. */
  public static ErrorDetail detail(LoadedFile<Job> job, String field, String message, String hint) {
    return ErrorDetail.inFile(job.name(), JobFile.lineOf(job.text(), field), field, message, hint);
  }

  /**
   * Maps the problems of files that a field of the job names. A problem that concerns a whole file,
   * such as a missing one, is reported at that field.
   */
  static <T> ParseResult<T> named(LoadedFile<Job> job, String field, ParseResult<T> files) {
    return files.match(
        value -> files,
        problems ->
            new ParseResult.InvalidFile<>(
                problems.stream().map(problem -> inJob(job, field, problem)).toList()));
  }

  private static FileProblem inJob(LoadedFile<Job> job, String field, FileProblem problem) {
    if (problem.line() > 0 || !problem.field().isEmpty()) {
      return problem;
    }
    int line = JobFile.lineOf(job.text(), field);
    String message = problem.file() + ": " + problem.message();
    return new FileProblem(job.name(), line, field, message, PATHS);
  }
}

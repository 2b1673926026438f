package io.elastune.inputs;

import io.elastune.core.config.FileProblem;
import io.elastune.core.config.FileProblemsException;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.ParseResult;
import io.elastune.core.job.Job;
import java.util.List;

/** Reports problems that are found after parsing a job, at the line of the job file. */
public final class JobProblems {
  private static final String PATHS = "paths are relative to the folder of the job file";

  private JobProblems() {}

  /** Returns a failure for a field of the job. */
  public static FileProblemsException usage(LoadedFile<Job> job, String field, String message) {
    return usage(job, field, message, "");
  }

  /** Returns a failure for a field of the job, with a remedy or a detail. */
  static FileProblemsException usage(
      LoadedFile<Job> job, String field, String message, String hint) {
    return new FileProblemsException(List.of(detail(job, field, message, hint)));
  }

  /** Returns a problem of a field of the job, with a remedy or a detail. */
  public static FileProblem detail(LoadedFile<Job> job, String field, String message, String hint) {
    return new FileProblem(job.name(), JobFile.lineOf(job.text(), field), field, message, hint);
  }

  /** Returns a failure for an option that has no field in the job file. */
  public static FileProblemsException option(String option, String message, String hint) {
    return new FileProblemsException(List.of(new FileProblem(option, 0, "", message, hint)));
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

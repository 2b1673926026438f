package io.elastune.cli.wiring;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.Problem;
import io.elastune.core.files.FileProblem;
import io.elastune.core.files.JobFile;
import io.elastune.core.files.Parsed;
import io.elastune.core.job.Job;

/** What only shows once a job has been read, told at the line that it comes from. */
final class JobProblems {
  private static final String PATHS = "paths count from the folder of the job file";

  private JobProblems() {}

  /** A field of the job says what cannot be. */
  static CommandFailure usage(Loaded<Job> job, String field, String message) {
    int line = JobFile.lineOf(job.text(), field);
    return CommandFailure.usage(Problem.in(job.name(), line, field, message, ""));
  }

  /**
   * What came of reading files that a field names: where one of them is wrong as a whole, it is
   * that field which is.
   */
  static <T> Parsed<T> named(Loaded<Job> job, String field, Parsed<T> files) {
    return files.match(
        value -> files,
        problems ->
            new Parsed.Invalid<>(
                problems.stream().map(problem -> inJob(job, field, problem)).toList()));
  }

  private static FileProblem inJob(Loaded<Job> job, String field, FileProblem problem) {
    if (problem.line() > 0 || !problem.field().isEmpty()) {
      return problem;
    }
    int line = JobFile.lineOf(job.text(), field);
    String message = problem.file() + ": " + problem.message();
    return new FileProblem(job.name(), line, field, message, PATHS);
  }
}

package io.elastune.plan.api;

import io.elastune.core.config.FileProblem;
import io.elastune.inputs.MissedChoiceException;

/**
 * A problem of the inputs.
 *
 * @param file the file with the problem, or the option of the command line that sets the same value
 * @param line its line in the file, from 1; 0 without one
 * @param field the path of the field, e.g. {@code search.trials}; empty for a file as a whole
 * @param message what is wrong
 * @param hint a near match or a remedy; may be empty
 */
public record InputProblem(String file, int line, String field, String message, String hint) {
  /** Returns {@code FILE:LINE: FIELD: message (hint)} without the absent parts. */
  public String text() {
    return new FileProblem(file, line, field, message, hint).toString();
  }

  static InputProblem of(FileProblem problem) {
    return new InputProblem(
        problem.file(), problem.line(), problem.field(), problem.message(), problem.hint());
  }

  static InputProblem of(MissedChoiceException missed) {
    return new InputProblem(
        "--choice", 0, "", String.valueOf(missed.getMessage()), missed.alternatives().orElse(""));
  }
}

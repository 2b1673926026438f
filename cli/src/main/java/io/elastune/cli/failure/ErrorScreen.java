package io.elastune.cli.failure;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.plan.json.JsonDocuments;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Prints the problems of a failed command: one line each, and a JSON document if requested. */
public final class ErrorScreen {
  private final CliEnvironment cliEnvironment;
  private final boolean json;

  public ErrorScreen(CliEnvironment cliEnvironment, boolean json) {
    this.cliEnvironment = cliEnvironment;
    this.json = json;
  }

  /** Prints every problem. */
  public void show(Failure failure) {
    failure.problems().forEach(cliEnvironment.err()::println);
    if (json) {
      cliEnvironment
          .out()
          .println(
              JsonDocuments.of(ErrorDocument.of(failure))); // on one line: it may follow JSON Lines
    }
  }

  /** The document of a failed command. */
  public record ErrorDocument(@JsonPropertyDescription("What failed.") ErrorProblems error) {
    static ErrorDocument of(Failure failure) {
      return new ErrorDocument(
          new ErrorProblems(
              failure.exit().code(), failure.problems().stream().map(Problem::of).toList()));
    }
  }

  /** The problems of a command. */
  record ErrorProblems(
      @JsonPropertyDescription("The exit code.") int exit,
      @JsonPropertyDescription("The problems.") List<Problem> problems) {}

  /** One problem. */
  record Problem(
      @JsonPropertyDescription("The file, if it is in one.") Optional<String> file,
      @JsonPropertyDescription("The line of the file, if known.") OptionalInt line,
      @JsonPropertyDescription("The field or option, if any.") Optional<String> field,
      @JsonPropertyDescription("What is wrong.") String message,
      @JsonPropertyDescription("The remedy, if there is one.") Optional<String> hint) {
    static Problem of(ErrorDetail detail) {
      return new Problem(
          detail.file(), detail.line(), detail.field(), detail.message(), detail.hint());
    }
  }
}

package io.elastune.cli.failure;

import io.elastune.cli.env.CliEnvironment;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Prints the problems of a failed command: one line each, and a JSON document if requested. */
public final class ErrorScreen {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

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
      cliEnvironment.out().println(document(failure)); // on one line: it may follow JSON Lines
    }
  }

  private static ObjectNode document(Failure failure) {
    ObjectNode document = NODES.objectNode();
    ObjectNode error = document.putObject("error").put("exit", failure.exit().code());
    var problems = error.putArray("problems");
    failure.problems().forEach(errorDetail -> problems.add(document(errorDetail)));
    return document;
  }

  private static ObjectNode document(ErrorDetail errorDetail) {
    ObjectNode node = NODES.objectNode();
    node.put("file", errorDetail.file().orElse(null));
    errorDetail.line().ifPresentOrElse(line -> node.put("line", line), () -> node.putNull("line"));
    node.put("field", errorDetail.field().orElse(null));
    node.put("message", errorDetail.message());
    node.put("hint", errorDetail.hint().orElse(null));
    return node;
  }
}

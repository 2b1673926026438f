package io.elastune.cli.failure;

import io.elastune.cli.world.World;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Prints the problems of a failed command: one line each, and a JSON document if requested. */
public final class ErrorScreen {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final World world;
  private final boolean json;

  public ErrorScreen(World world, boolean json) {
    this.world = world;
    this.json = json;
  }

  /** Prints every problem. */
  public void show(Failure failure) {
    failure.problems().forEach(world.err()::println);
    if (json) {
      world.out().println(document(failure)); // on one line: it may follow JSON Lines
    }
  }

  private static ObjectNode document(Failure failure) {
    ObjectNode document = NODES.objectNode();
    ObjectNode error = document.putObject("error").put("exit", failure.exit().code());
    var problems = error.putArray("problems");
    failure.problems().forEach(problem -> problems.add(document(problem)));
    return document;
  }

  private static ObjectNode document(Problem problem) {
    ObjectNode node = NODES.objectNode();
    node.put("file", problem.file().orElse(null));
    problem.line().ifPresentOrElse(line -> node.put("line", line), () -> node.putNull("line"));
    node.put("field", problem.field().orElse(null));
    node.put("message", problem.message());
    node.put("hint", problem.hint().orElse(null));
    return node;
  }
}

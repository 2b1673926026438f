package io.elastune.cli.world;

import java.io.PrintStream;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * The output of a command. With {@code --json}, the document goes to standard output and the text
 * to standard error. Otherwise, the text goes to standard output.
 */
public final class Output {
  private final World world;
  private final boolean json;

  public Output(World world, boolean json) {
    this.world = world;
    this.json = json;
  }

  /** Whether JSON output is requested. */
  public boolean json() {
    return json;
  }

  /** The stream for text output. */
  public PrintStream people() {
    return json ? world.err() : world.out();
  }

  /** Prints a document of JSON Lines, if JSON output is requested. */
  public void line(Supplier<? extends JsonNode> document) {
    if (json) {
      world.out().println(document.get());
    }
  }

  /** Prints the document, if JSON output is requested. */
  public void document(Supplier<? extends JsonNode> document) {
    if (json) {
      world.out().println(document.get().toPrettyString());
    }
  }
}

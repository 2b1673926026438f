package io.elastune.cli.world;

import java.io.PrintStream;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * Where a command's answer goes: with {@code --json} the document to standard output and the text
 * for people to standard error, else only the text, to standard output.
 */
public final class Output {
  private final World world;
  private final boolean json;

  public Output(World world, boolean json) {
    this.world = world;
    this.json = json;
  }

  /** Whether a program reads the answer. */
  public boolean json() {
    return json;
  }

  /** The stream for people's text. */
  public PrintStream people() {
    return json ? world.err() : world.out();
  }

  /** Prints the document on one line, as one of several, if they are wanted. */
  public void line(Supplier<? extends JsonNode> document) {
    if (json) {
      world.out().println(document.get());
    }
  }

  /** Prints the document, if one is wanted. */
  public void document(Supplier<? extends JsonNode> document) {
    if (json) {
      world.out().println(document.get().toPrettyString());
    }
  }
}

package io.elastune.cli.env;

import java.io.PrintStream;
import java.util.function.Supplier;

/**
 * The output of a command. With {@code --json}, the document goes to standard output and the text
 * to standard error. Otherwise, the text goes to standard output.
 */
public final class Output {
  private final CliEnvironment cliEnvironment;
  private final boolean json;

  public Output(CliEnvironment cliEnvironment, boolean json) {
    this.cliEnvironment = cliEnvironment;
    this.json = json;
  }

  /** Whether JSON output is requested. */
  public boolean json() {
    return json;
  }

  /** The stream for text output. */
  public PrintStream text() {
    return json ? cliEnvironment.err() : cliEnvironment.out();
  }

  /** Prints a document of JSON Lines, if JSON output is requested: a record. */
  public void jsonLine(Supplier<?> document) {
    if (json) {
      cliEnvironment.out().println(JsonDocuments.tree(document.get()));
    }
  }

  /** Prints the document, if JSON output is requested: a record, or a list of records. */
  public void jsonDocument(Supplier<?> document) {
    if (json) {
      cliEnvironment.out().println(JsonDocuments.tree(document.get()).toPrettyString());
    }
  }
}

package io.elastune.cli.env;

import io.elastune.plan.json.JsonDocuments;
import java.io.PrintStream;
import java.util.function.Supplier;

/**
 * The output of a command. With {@code --json}, the document goes to standard output and the text
 * to standard error. Otherwise, the text goes to standard output.
 */
public final class Output {
  private final CliEnvironment cliEnvironment;
  private final boolean json;
  private final boolean verbose;

  /** Creates an output without the details of {@code -v}. */
  public Output(CliEnvironment cliEnvironment, boolean json) {
    this(cliEnvironment, json, false);
  }

  public Output(CliEnvironment cliEnvironment, boolean json, boolean verbose) {
    this.cliEnvironment = cliEnvironment;
    this.json = json;
    this.verbose = verbose;
  }

  /** Whether details are requested that only some users need. */
  public boolean verbose() {
    return verbose;
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
      cliEnvironment.out().println(JsonDocuments.text(document.get()));
    }
  }
}

package io.elastune.cli.html;

import io.elastune.cli.env.AtomicFileWriter;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import java.util.function.Function;

/**
 * A requested file with HTML.
 *
 * @param name the file, as the user gave it
 * @param fragment whether it is a part for other pages, without the frame of a page
 */
public record HtmlFile(String name, boolean fragment) {
  /**
   * Writes the file, and prints its name.
   *
   * @param html returns the page, or with {@code true} the fragment
   */
  public void save(CliEnvironment cliEnvironment, Output output, Function<Boolean, String> html) {
    AtomicFileWriter.write(cliEnvironment.path(name), html.apply(fragment));
    output.text().println("Page saved to " + cliEnvironment.displayFile(name) + ".");
  }
}

package io.elastune.cli.command;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.html.HtmlFile;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option {@code --fragment} of the commands that save HTML. */
final class FragmentOption {
  @Option(
      names = "--fragment",
      order = 40,
      description =
          "With --html: save only summary and charts, as an element for other pages such as a"
              + " notebook.")
  private boolean fragment;

  /** Returns the requested file; empty if none is requested. */
  Optional<HtmlFile> of(Optional<String> html) {
    if (fragment && html.isEmpty()) {
      throw CommandFailure.invalid("--fragment", "requires --html", "add --html FILE");
    }
    return html.map(name -> new HtmlFile(name, fragment));
  }
}

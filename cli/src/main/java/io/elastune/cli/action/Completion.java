package io.elastune.cli.action;

import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.world.Output;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine;
import tools.jackson.databind.node.JsonNodeFactory;

/** Generates shell completion scripts from the command definitions. */
public final class Completion {
  private final Output output;

  public Completion(Output output) {
    this.output = output;
  }

  /** A supported shell. */
  public enum Shell {
    BASH,
    ZSH,
    FISH;

    /** The name on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Prints the script for {@code shell}. */
  public ExitCode print(Shell shell, CommandLine root) {
    String script =
        shell == Shell.FISH
            ? new FishCompletion(root).script()
            : AutoComplete.bash(root.getCommandName(), root);
    output.document(
        () ->
            JsonNodeFactory.instance
                .objectNode()
                .put("shell", shell.toString())
                .put("script", script));
    output.people().print(script);
    return ExitCode.DONE;
  }
}

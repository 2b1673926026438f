package io.elastune.cli.service;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.ExitCode;
import io.elastune.core.field.Word;
import picocli.AutoComplete;
import picocli.CommandLine;

/** Generates shell completion scripts from the command definitions. */
public final class CompletionScripts {
  private final Output output;

  public CompletionScripts(Output output) {
    this.output = output;
  }

  /** A supported shell. */
  public enum Shell implements Word {
    BASH,
    ZSH,
    FISH
  }

  /** Prints the script for {@code shell}. */
  public ExitCode print(Shell shell, CommandLine root) {
    String script =
        shell == Shell.FISH
            ? new FishCompletion(root).script()
            : AutoComplete.bash(root.getCommandName(), root);
    output.jsonDocument(() -> new ScriptDocument(shell.word(), script));
    output.text().print(script);
    return ExitCode.DONE;
  }

  /** The document of {@code completion --json}. */
  public record ScriptDocument(
      @JsonPropertyDescription("The shell.") String shell,
      @JsonPropertyDescription("The script.") String script) {}
}

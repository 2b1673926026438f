package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionTest {
  @TempDir Path folder;

  @Test
  void bashCompletesCommandsAndOptions() throws Exception {
    String completed =
        shell(
            "bash",
            """
            compopt() { :; }  # works only in interactive completion
            source elastune.bash
            COMP_WORDS=(elastune si) COMP_CWORD=1
            _complete_elastune elastune si elastune
            echo "${COMPREPLY[@]}"
            COMP_WORDS=(elastune plan --plan) COMP_CWORD=2
            _complete_elastune elastune --plan plan
            echo "${COMPREPLY[@]}"
            COMP_WORDS=(elastune plan --planner gr) COMP_CWORD=3
            _complete_elastune elastune gr --planner
            echo "${COMPREPLY[@]}"
            """);
    assertThat(completed.lines().map(String::strip))
        .containsExactly("simulate", "--planner", "greedy");
  }

  @Test
  void zshAcceptsScript() throws Exception {
    assertThat(shell("zsh", "source ./elastune.zsh && echo accepted")).contains("accepted");
  }

  @Test
  void fishCompletesCommandsOptionsAndChoices() throws Exception {
    String completed =
        shell(
            "fish",
            """
            source elastune.fish
            complete --do-complete 'elastune si'
            complete --do-complete 'elastune plan --plann'
            complete --do-complete 'elastune completion z'
            """);
    assertThat(completed).contains("simulate", "--planner", "zsh");
  }

  @Test
  void fishScriptNamesCommandsAndChoices() {
    assertThat(new InProcessCli(folder).run("completion", "fish").out())
        .contains("-a plan -d ", "-l planner -x -a 'greedy exact static'", "-a 'bash zsh fish'");
  }

  private String shell(String shell, String script) throws IOException, InterruptedException {
    assumeTrue(ExternalPrograms.isInstalled(shell), shell + " is not installed");
    InProcessCli.Result result = new InProcessCli(folder).run("completion", shell);
    assertThat(result.exit()).as(result.err()).isZero();
    Files.writeString(folder.resolve("elastune." + shell), result.out());
    return ExternalPrograms.output(folder, Map.of(), shell, "-c", script);
  }
}

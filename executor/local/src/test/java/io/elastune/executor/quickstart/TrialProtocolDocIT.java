package io.elastune.executor.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.executor.quickstart.TrialProcesses.TrialCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the complete trials that docs/trial-protocol.md shows, unchanged. */
class TrialProtocolDocIT {
  @TempDir Path folder;

  @Test
  void shellTrialRunsAsShown() throws Exception {
    assumeTrue(
        RepositoryFiles.canRun("sh", "-c", "echo | sha256sum"),
        "skipped: the shell trial needs sh and sha256sum");
    trainsInTwoAttempts(List.of("sh", shown("sh").toString()), "0.36");
  }

  @Test
  void pythonTrialRunsAsShown() throws Exception {
    assumeTrue(
        RepositoryFiles.canRun("python3", "--version"),
        "skipped: the Python trial needs python3 on the PATH");
    Path helper = RepositoryFiles.root().resolve("python/elastune_trial.py");
    Files.copy(helper, folder.resolve("elastune_trial.py"));
    trainsInTwoAttempts(List.of("python3", shown("python").toString()), "0.36");
  }

  /** Writes the only code block in a language to a file. */
  private Path shown(String language) throws IOException {
    String page = Files.readString(RepositoryFiles.root().resolve("docs/trial-protocol.md"));
    Matcher block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertThat(block.find()).isTrue();
    return Files.writeString(folder.resolve("trial." + language), block.group(1));
  }

  private void trainsInTwoAttempts(List<String> command, String error) throws Exception {
    String config = "{\"lr\": 0.4}";
    try (TrialProcesses first =
        TrialProcesses.start(folder, new TrialCommand(command, config, 0, 1, 1))) {
      assertThat(first.await()).as(first.errors()).containsExactly(0);
    }
    try (TrialProcesses second =
        TrialProcesses.start(folder, new TrialCommand(command, config, 1, 3, 1))) {
      assertThat(second.await()).as(second.errors()).containsExactly(0);
      assertThat(second.reports())
          .hasSize(2)
          .first()
          .asString()
          .isEqualTo("ELASTUNE {\"unit\": 2, \"metrics\": {\"error\": " + error + "}}");
    }
    assertThat(folder.resolve("checkpoints/3/manifest.json"))
        .content()
        .contains("{\"unit\": 3, \"files\": [{\"name\": \"error\", \"size\": ");
  }
}

package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests where runs are stored, and that a run is refused at once if that is impossible. */
class PathCheckTest {
  @TempDir private Path folder;

  private InProcessCli.Result run(Map<String, String> variables) throws IOException {
    for (String name : new String[] {"job.yaml", "offers.yaml", "profile.yaml"}) {
      Path target = folder.resolve(name);
      if (!Files.exists(target)) {
        Files.copy(ExampleFiles.WORKED.resolve(name), target);
      }
    }
    return new InProcessCli(folder, variables).run("run", "job.yaml", "--infra", "simulated", "-y");
  }

  private long runs(Path home) throws IOException {
    try (Stream<Path> runs = Files.list(home.resolve("runs"))) {
      return runs.filter(run -> Files.exists(run.resolve("journal.db"))).count();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a?b", "größe %20 a#b", "a b'c\"d;&$HOME\\", "file:x"})
  void homesHaveAnyCharacter(String name) throws IOException {
    Path home = folder.resolve(name);
    InProcessCli.Result run = run(Map.of("ELASTUNE_HOME", home.toString()));
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(runs(home)).isEqualTo(1);
  }

  @Test
  void theHomeOfTheUserIsThatOfTheShell() throws IOException {
    InProcessCli.Result run = run(Map.of("HOME", folder.resolve("me?").toString()));
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(runs(folder.resolve("me?/.elastune"))).isEqualTo(1);
  }

  @Test
  void aHomeThatCannotBeUsedIsRefusedAtOnce() throws IOException {
    InProcessCli.Result lines = run(Map.of("ELASTUNE_HOME", folder.resolve("a\nb").toString()));
    assertThat(lines.exit()).isEqualTo(2);
    assertThat(lines.err()).contains("ELASTUNE_HOME", "runs cannot be stored in", "line break");

    Files.writeString(folder.resolve("file"), "");
    InProcessCli.Result file = run(Map.of("ELASTUNE_HOME", folder.resolve("file/x").toString()));
    assertThat(file.exit()).isEqualTo(2);
    assertThat(file.err())
        .contains("runs cannot be stored in", "set ELASTUNE_HOME")
        .containsPattern("file/x: (already exists|is not a folder|cannot be read or written: )");
  }
}

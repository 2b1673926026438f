package io.elastune.cli.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.executor.decision.model.RunOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ExitCodeTest {
  private static final Path README = ExampleFiles.REPOSITORY.resolve("README.md");
  private static final String HEADING = "| exit code | meaning |\n|---|---|\n";

  @ParameterizedTest
  @EnumSource(RunOutcome.class)
  void everyOutcomeHasItsExitCode(RunOutcome outcome) {
    assertThat(ExitCode.find(outcome.exitCode())).contains(ExitCode.of(outcome));
  }

  @Test
  void numbersAreUnique() {
    assertThat(ExitCode.all()).extracting(ExitCode::code).doesNotHaveDuplicates();
    assertThat(ExitCode.find(99)).isEmpty();
  }

  /** With {@code -Delastune.docs.write=true}, the table is written. */
  @Test
  void readmeHasTheTable() throws IOException {
    String table =
        ExitCode.all().stream()
            .map(exit -> "| " + exit.code() + " | " + exit.meaning() + " |\n")
            .collect(Collectors.joining("", HEADING, "\n"));
    if (Boolean.getBoolean("elastune.docs.write")) {
      Pattern old = Pattern.compile(Pattern.quote(HEADING) + "(?:\\|.*\n)*\n");
      Files.writeString(
          README,
          old.matcher(Files.readString(README)).replaceFirst(result -> table.replace("$", "\\$")));
    }
    assertThat(Files.readString(README)).contains(table);
  }
}

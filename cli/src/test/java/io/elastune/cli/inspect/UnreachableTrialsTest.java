package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A run without contact to the nodes of its trials, as {@code status} and {@code explain} show it.
 */
class UnreachableTrialsTest {
  private static final String RUN = "small-20261123-aaaa";

  @TempDir Path folder;

  @Test
  void statusShowsUntilWhenNothingIsKnown() {
    InProcessCli cli = new InProcessCli(folder);
    try (ScriptedRun run = new ScriptedRun(folder.resolve("home"), RUN, SmallTestJob.meta())) {
      run.until(8).contact(true).until(9);

      JsonNode shown = cli.run("status", RUN, "--json").json().path("unreachable");
      assertThat(shown.path("decision").asString()).isEqualTo("unreachable");
      assertThat(cli.run("status", RUN).out())
          .containsOnlyOnce(" no contact 2026-")
          .contains("no contact to the nodes of trial ");

      run.contact(false).until(10);
      assertThat(cli.run("status", RUN, "--json").json().has("unreachable")).isFalse();
      assertThat(cli.run("status", RUN).out()).doesNotContain("no contact");
      assertThat(cli.run("explain", RUN).out())
          .containsOnlyOnce("no contact to the nodes of trial ")
          .contains("no trial is without contact any more");
    }
  }
}

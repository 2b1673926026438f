package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A run that waits for capacity, as {@code status} and {@code explain} show it. */
class WaitingForCapacityTest {
  private static final String RUN = "small-20261123-aaaa";

  @TempDir Path folder;

  @Test
  void statusShowsTheWaitUntilAnInstanceRuns() {
    InProcessCli cli = new InProcessCli(folder);
    try (ScriptedRun run =
        new ScriptedRun(
            folder.resolve("home"),
            RUN,
            SmallTestJob.meta(),
            definition -> definition.withWaitForCapacity(Optional.of(Duration.ofMinutes(30))))) {
      run.refusing(4).until(59);

      JsonNode waiting = cli.run("status", RUN, "--json").json().path("waiting_for_capacity");
      assertThat(waiting.path("decision").asString()).isEqualTo("waiting");
      assertThat(waiting.at("/numbers/wait_s").asDouble()).isEqualTo(1800);
      assertThat(waiting.at("/numbers/retry_in_s").asDouble()).isEqualTo(60);
      assertThat(cli.run("status", RUN).out())
          .contains(" waiting    2026-")
          .contains("waits for capacity: next retry in 1m, waited 0s of 30m")
          .contains("sold out");

      run.ticked(60).ticked(180).until(400);
      assertThat(cli.run("status", RUN, "--json").json().has("waiting_for_capacity")).isFalse();
      assertThat(cli.run("status", RUN).out()).doesNotContain("waiting    2026");
      assertThat(cli.run("explain", RUN).out()).contains("has instances after waiting");
    }
  }
}

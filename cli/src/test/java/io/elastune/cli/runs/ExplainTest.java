package io.elastune.cli.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.Cli;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ExplainTest {
  private static final String RUN = "small-20261123-aaaa";

  @TempDir Path folder;

  @Test
  void givesEveryDecisionItsReason() {
    try (ScriptedRun run = new ScriptedRun(folder.resolve("home"), RUN, SmallJob.meta())) {
      run.toTheEnd();
    }
    Cli cli = new Cli(folder);
    assertThat(cli.run("explain", RUN).out().lines().map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            " at decision reason numbers",
            " 0s start group 1 4 trials to unit 1 on 2 x local/duo/on-demand"
                + " instances=2 requested=2 trials=4",
            " 15s release small-20261123-aaaa-1: idle, and not needed by what follows",
            " 15s promote 2 of 3 trials of group 1 go on: [2, 4] alive=3 kept=2",
            " 15s start group 2 2 trials to unit 3 on 1 x local/duo/on-demand"
                + " instances=1 requested=0 trials=2",
            " 35s release small-20261123-aaaa-2: idle, and not needed by what follows");
    JsonNode decisions = cli.run("explain", RUN, "--json").json();
    assertThat(decisions.isArray()).isTrue();
    assertThat(decisions)
        .allSatisfy(
            decision ->
                assertThat(decision.propertyNames())
                    .containsExactly("at_s", "decision", "reason", "numbers"));
    assertThat(decisions.path(2).path("at_s").asDouble()).isEqualTo(15);
    assertThat(decisions.path(2).path("numbers").path("kept").asInt()).isEqualTo(2);
  }

  @Test
  void beforeTheFirstDecisionSaysSo() {
    try (ScriptedRun run = new ScriptedRun(folder.resolve("home"), RUN, SmallJob.meta())) {
      Cli.Result result = new Cli(folder).run("explain");
      assertThat(run.folder().exists()).isTrue();
      assertThat(result.exit()).isZero();
      assertThat(result.out()).isEqualTo(RUN + " has not decided anything yet.\n");
    }
  }
}

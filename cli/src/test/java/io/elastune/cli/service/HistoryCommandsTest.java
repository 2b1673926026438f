package io.elastune.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** Tests that runs are added to the history, and the command {@code profiles check}. */
@Execution(ExecutionMode.CONCURRENT) // mostly waiting
class HistoryCommandsTest {
  @TempDir Path folder;
  private InProcessCli elastune;
  private Path history;

  @BeforeEach
  void copyExample() throws Exception {
    for (String name : List.of("job.yaml", "offers.yaml", "profile.yaml")) {
      Files.copy(ExampleFiles.WORKED.resolve(name), folder.resolve(name));
    }
    elastune = new InProcessCli(folder);
    history = folder.resolve("home/history.db");
  }

  private InProcessCli.Result ok(String... arguments) {
    InProcessCli.Result result = elastune.run(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }

  private InProcessCli.Result simulate() {
    return ok("run", "job.yaml", "--infra", "simulated", "-y");
  }

  private JsonNode simulatedRuns() {
    return ok("profiles", "check", "--simulated", "--json").json();
  }

  @Test
  void planningWithoutRunsCreatesNoHistory() {
    ok("plan", "job.yaml");
    assertThat(ok("profiles", "check").out()).startsWith("0 runs with a prediction and a result");
    assertThat(history).doesNotExist();
  }

  /** The worked example has no spread, so the run takes exactly as long as predicted. */
  @Test
  void comparesPredictionsWithResults() throws Exception {
    simulate();
    JsonNode check = simulatedRuns();

    assertThat(check.path("predictions").asInt()).isEqualTo(1);
    assertThat(check.path("reliability")).hasSize(4);
    assertThat(check.path("reliability").path(0).path("quantity").asString())
        .isEqualTo("completion_s");
    assertThat(check.path("reliability").path(0).path("below").asInt()).isEqualTo(1);
    assertThat(check.path("completion_s").path("median_ratio").asDouble())
        .isCloseTo(1, within(1e-5));
    JsonNode run = check.path("runs").path(0).path("completion_s");
    assertThat(run.path("actual").asDouble()).isCloseTo(run.path("p95").asDouble(), within(1e-3));
    assertThat(check.path("exposures")).isEmpty();

    String svg = folder.resolve("reliability.svg").toString();
    InProcessCli.Result shown = ok("profiles", "check", "--simulated", "--svg", svg);
    assertThat(shown.out()).contains("1 simulated run with", "time p50", "1 of 1", "cost p95");
    assertThat(Files.readString(Path.of(svg))).contains("<circle class=\"time\"", "</svg>");
    assertThat(ok("profiles", "check").out())
        .isEqualTo(
            "0 runs with a prediction and a result; not counted: 1 simulated (add --simulated)\n");
  }

  @Test
  void missingOrDamagedHistoryIsComputedAgain() throws Exception {
    simulate();
    JsonNode first = simulatedRuns();
    Files.delete(history);
    assertThat(simulatedRuns()).isEqualTo(first);

    Files.writeString(history, "damaged ".repeat(2000));
    assertThat(simulate().err()).doesNotContain("history");
    assertThat(simulatedRuns().path("predictions").asInt()).isEqualTo(2);
    assertThat(folder.resolve("home/history.db.damaged")).exists();
  }

  @Test
  void removedRunsRemainInTheHistory() {
    simulate();
    String run = simulatedRuns().path("runs").path(0).path("run").asString();
    ok("runs", "rm", run, "-y");
    assertThat(simulatedRuns().path("predictions").asInt()).isEqualTo(1);
  }

  @Test
  void unusableHistoryDoesNotHarmRun() throws Exception {
    Files.createDirectories(history); // a folder instead of a file
    InProcessCli.Result run = simulate();
    assertThat(run.out() + run.err())
        .contains("the history was not updated (cannot open the history");
    InProcessCli.Result check = elastune.run("profiles", "check");
    assertThat(check.exit()).isEqualTo(2);
    assertThat(check.err()).contains("cannot open the history", "computed again");
  }
}

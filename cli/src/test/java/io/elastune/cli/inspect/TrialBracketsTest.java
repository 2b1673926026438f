package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests how status, report and explain show the brackets of trials. */
@Execution(ExecutionMode.CONCURRENT) // mostly waiting
class TrialBracketsTest {
  @TempDir Path folder;
  private InProcessCli elastune = new InProcessCli(Path.of(""));

  @BeforeEach
  void world() {
    elastune = new InProcessCli(folder);
  }

  /** The worked example of docs/searches.md, "Asynchronous Hyperband": 17 trials in 3 brackets. */
  @Test
  void showsBracketsOfAsynchronousHyperband() throws IOException {
    String run =
        simulate(
            """
              algorithm: asha
              trials: 17
              eta: 3
              asha: {brackets: 3}
              resource: {unit: epoch, min: 1, max: 9}
            """);

    assertThat(elastune.run("status", run).out())
        .contains("\n brackets   0: 9 trials · 1: 5 trials · 2: 3 trials\n");
    assertThat(elastune.run("report", run).out())
        .containsPattern(" best: trial \\d+ in bracket \\d with ")
        .containsPattern("\n brackets  0: 9 trials, best [0-9.]+ · 1: 5 trials, ")
        .containsPattern("\n tasks        9 to epoch 1 · \\d+ to epoch 3 · \\d+ to epoch 9\n");
    assertThat(elastune.run("explain", run).out())
        .containsPattern("trial 3 of bracket 1 with [0-9.]+ is (not )?among the best at unit 3");
    JsonNode status = elastune.run("status", run, "--json").json().path("brackets");
    assertThat(status.path(1).path("bracket").asString()).isEqualTo("1");
    assertThat(status.path(1).path("trials").asInt()).isEqualTo(5);
    JsonNode report = elastune.run("report", run, "--json").json();
    assertThat(report.path("brackets").size()).isEqualTo(3);
    assertThat(trialsOf(report, "1")).containsExactly(3, 5, 9, 11, 15);
    assertThat(trialsOf(report, "2")).containsExactly(7, 13, 17);
    assertThat(report.path("best").path("bracket").isString()).isTrue();
    assertThat(report.path("rungs").path(0).toString())
        .isEqualTo("{\"rung\":\"r0\",\"unit\":1,\"tasks\":9}");
    assertThat(report.path("rungs").path(1).path("tasks").asInt())
        .as("the new trials of bracket 1, and those promoted in bracket 0")
        .isEqualTo(5 + trainedTo(report, "0", 3));
    JsonNode decisions = elastune.run("explain", run, "--json").json();
    assertThat(decisions.toString()).contains("\"bracket\":1.0");
    String page = folder.resolve("report.html").toString();
    elastune.run("report", run, "--html", page);
    assertThat(Files.readString(Path.of(page)))
        .contains("trial 3, bracket 1, group open, epoch 0 to 3, 1 worker: ")
        .contains("<h2>Brackets</h2>")
        .contains(">bracket</th>");
  }

  @Test
  void showsBracketsOfHyperbandOneAfterTheOther() throws IOException {
    String run =
        simulate(
            """
              algorithm: hyperband
              eta: 3
              brackets: sequential
              resource: {unit: epoch, min: 1, max: 9}
            """);

    JsonNode report = elastune.run("report", run, "--json").json();
    assertThat(trialsOf(report, "a")).hasSize(9).startsWith(1);
    assertThat(trialsOf(report, "b")).containsExactly(10, 11, 12, 13, 14);
    assertThat(trialsOf(report, "c")).containsExactly(15, 16, 17);
    assertThat(elastune.run("report", run, "--csv", "-").out()).contains(",drawn,,c,");
    assertThat(elastune.run("status", run).out())
        .contains("\n brackets   a: 9 trials · b: 5 trials · c: 3 trials\n");
  }

  private static int trainedTo(JsonNode report, String bracket, int unit) {
    return (int)
        report.path("trial_results").values().stream()
            .filter(trial -> trial.path("bracket").asString().equals(bracket))
            .filter(trial -> trial.path("units").asInt() >= unit)
            .count();
  }

  private static List<Integer> trialsOf(JsonNode report, String bracket) {
    List<Integer> trials = new ArrayList<>();
    for (JsonNode trial : report.path("trial_results")) {
      if (trial.path("bracket").asString().equals(bracket)) {
        trials.add(trial.path("trial").asInt());
      }
    }
    return trials;
  }

  /** Returns the ID of a simulated run of the worked example with another search. */
  private String simulate(String search) throws IOException {
    for (String name : List.of("offers.yaml", "profile.yaml")) {
      Files.copy(ExampleFiles.WORKED.resolve(name), folder.resolve(name));
    }
    String job =
        Files.readString(ExampleFiles.WORKED.resolve("job.yaml"))
            .lines()
            .filter(line -> !line.matches("  (algorithm|trials|eta|resource):.*"))
            .map(line -> line.equals("search:") ? "search:\n" + search.stripTrailing() : line)
            .map(line -> line.startsWith("deadline:") ? "deadline: 5h" : line)
            .collect(Collectors.joining("\n", "", "\n"));
    Files.writeString(folder.resolve("job.yaml"), job);
    InProcessCli.Result run =
        elastune.run("run", "job.yaml", "--infra", "simulated", "-y", "--json");
    assertThat(run.exit()).as(run.err()).isZero();
    return JsonMapper.shared()
        .readTree(run.out().lines().findFirst().orElseThrow())
        .path("run")
        .asString();
  }
}

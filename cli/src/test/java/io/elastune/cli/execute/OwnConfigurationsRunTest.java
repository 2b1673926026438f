package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

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
import tools.jackson.databind.json.JsonMapper;

/** Tests that the first trials of a run use the configurations of a file, on every screen. */
@Execution(ExecutionMode.CONCURRENT) // mostly waiting
class OwnConfigurationsRunTest {
  private static final String JOB = "job.yaml";

  @TempDir Path folder;
  private InProcessCli elastune;

  @BeforeEach
  void copyJob() throws Exception {
    for (String name : List.of(JOB, "offers.yaml", "profile.yaml")) {
      Files.copy(ExampleFiles.WORKED.resolve(name), folder.resolve(name));
    }
    Path job = folder.resolve(JOB);
    Files.writeString(
        job, Files.readString(job).replace("  space:", "  configs: lists/own.csv\n  space:"));
    Files.createDirectory(folder.resolve("lists"));
    elastune = new InProcessCli(folder);
  }

  private void list(String csv) throws Exception {
    Files.writeString(folder.resolve("lists/own.csv"), csv);
  }

  @Test
  void everyScreenMarksThem() throws Exception {
    list("lr\n0.01\n1e-3\n");

    InProcessCli.Result plan = elastune.run("plan", JOB);
    assertThat(plan.out() + plan.err())
        .contains("configurations tried first: 2 of search.configs; the other 14 are drawn");
    JsonNode counts = elastune.run("plan", JOB, "--json").json().path("configurations");
    assertThat(counts.path("own").asInt()).isEqualTo(2);
    assertThat(counts.path("drawn").asInt()).isEqualTo(14);

    InProcessCli.Result run = elastune.run("run", JOB, "--infra", "simulated", "-y", "--json");
    assertThat(run.exit()).as(run.err()).isZero();
    JsonNode end = last(run);
    String name = end.path("run").asString();
    Files.delete(folder.resolve("lists/own.csv")); // the journal keeps the list

    JsonNode trials = elastune.run("report", name, "--json").json().path("trial_results");
    assertThat(trials.path(0).path("config").path("lr").asDouble()).isEqualTo(0.01);
    assertThat(trials.path(1).path("config").path("lr").asDouble()).isEqualTo(0.001);
    assertThat(trials.path(1).path("origin").asString()).isEqualTo("own");
    assertThat(trials.path(2).path("origin").asString()).isEqualTo("drawn");
    assertThat(end.path("best").path("origin").asString())
        .isEqualTo(end.path("best").path("trial").asInt() <= 2 ? "own" : "drawn");
    assertThat(elastune.run("report", name, "--csv", "-").out().lines().skip(1))
        .filteredOn(row -> row.contains(",own,"))
        .hasSize(2);
  }

  @Test
  void warmStartTriesTheBestOfAnEarlierRun() throws Exception {
    list("lr\n0.01\n");
    InProcessCli.Result first =
        elastune.run("run", JOB, "--infra", "simulated", "--warm-start", "latest", "-y", "--json");
    assertThat(first.exit()).as(first.err()).isZero();
    assertThat(first.err()).contains("warm start: no earlier run of this job has results yet");
    JsonNode before = last(first);
    double best = before.at("/best/config/lr").asDouble();
    String name = before.path("run").asString();

    assertThat(elastune.run("plan", JOB, "--warm-start", name).err())
        .contains(
            "search.warm_start.run: run " + name + " was simulated: its metrics are synthetic");

    list("lr\n0.02\n");
    InProcessCli.Result second =
        elastune.run("run", JOB, "--infra", "simulated", "--warm-start", "latest", "-y", "--json");
    assertThat(second.err())
        .contains("configurations tried first: 1 of search.configs, 3 of run " + name);
    JsonNode trials =
        elastune
            .run("report", last(second).path("run").asString(), "--json")
            .json()
            .path("trial_results");
    assertThat(trials.path(0).path("origin").asString()).isEqualTo("own");
    assertThat(trials.path(1).path("origin").asString()).isEqualTo("warm-start");
    assertThat(trials.path(1).at("/config/lr").asDouble()).isEqualTo(best);
    assertThat(trials.path(3).path("origin").asString()).isEqualTo("warm-start");
    assertThat(trials.path(4).path("origin").asString()).isEqualTo("drawn");

    changeJob("high: 1e-1", "high: " + best / 2);
    changeJob("configs: lists/own.csv", "warm_start: {run: " + name + ", best: 1}");
    assertThat(elastune.run("plan", JOB, "--infra", "simulated").out())
        .contains("warm start without trial ")
        .contains("(lr " + best + " is not allowed by search.space)");
    changeJob("goal: maximize", "goal: minimize");
    assertThat(elastune.run("plan", JOB, "--infra", "simulated").err())
        .contains("search.warm_start.run: run " + name + " compared trials by ");
    assertThat(elastune.run("plan", JOB, "--warm-start", "nothing").err())
        .contains("search.warm_start.run: no run has the name or prefix 'nothing'");
  }

  private void changeJob(String text, String other) throws Exception {
    Path job = folder.resolve(JOB);
    Files.writeString(job, Files.readString(job).replace(text, other));
  }

  private static JsonNode last(InProcessCli.Result run) {
    List<String> lines = run.out().lines().toList();
    return JsonMapper.shared().readTree(lines.get(lines.size() - 1));
  }

  @Test
  void problemsNameTheLineOfTheFile() throws Exception {
    list("lr\n0.01\n-1\n");
    InProcessCli.Result plan = elastune.run("plan", JOB);
    assertThat(plan.exit()).isEqualTo(2);
    assertThat(plan.err()).contains("own.csv:3: search.configs[1].lr: must be a number from");

    Files.delete(folder.resolve("lists/own.csv"));
    assertThat(elastune.run("plan", JOB).err())
        .contains("search.configs: ")
        .contains("own.csv: no such file (paths are relative to the folder of the job file)");
  }
}

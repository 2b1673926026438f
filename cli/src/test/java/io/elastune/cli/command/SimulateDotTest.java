package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.elastune.cli.testing.DotGraph;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code simulate --dot}. */
class SimulateDotTest {
  private static final Path PLAN = ExampleFiles.WORKED.resolve("plan-shrinking.json");

  @TempDir Path folder;

  @Test
  void graphHasAllNodesAndCriticalPath() throws IOException {
    InProcessCli.Result result = simulate("--dot", folder.resolve("dag.dot").toString());

    assertThat(result.out()).contains("Graph saved to ");
    DotGraph graph = DotGraph.parse(Files.readString(folder.resolve("dag.dot")));
    assertThat(graph.boxes())
        .containsExactly(
            "group 1: 16 trials × 1 epoch on 4 × p3.8xlarge, 1 GPU per trial",
            "group 2: 8 trials × 1 epoch on 2 × p3.8xlarge, 1 GPU per trial",
            "group 3: 4 trials × 2 epochs on 2 × p3.8xlarge, 2 GPUs per trial",
            "group 4: 2 trials × 4 epochs on 2 × p3.8xlarge, 4 GPUs per trial");
    assertThat(graph.labels().values())
        .contains("acquire 4 instances\nat 0 s")
        .contains("instance 4 queues\n15 s from 0 s")
        .contains("instance 4 boots\n60 s from 15 s")
        .contains("trial 16 on instance 4\n40 s from 75 s")
        .contains("release instance 4\nat 115 s")
        .contains("trial 2 on instance 2\n45.077 s from 197.086 s")
        .contains("group 4 ends\nat 242.163 s")
        .hasSize(1 + 4 + 4 + 30 + 4 + 4);
    assertThat(
            graph.labels().entrySet().stream()
                .filter(node -> isCritical(graph, node.getKey()))
                .map(node -> node.getValue().lines().findFirst().orElseThrow()))
        .containsExactly(
            "acquire 4 instances",
            "instance 1 queues",
            "instance 1 boots",
            "trial 1 on instance 1",
            "group 1 ends",
            "trial 1 on instance 1",
            "group 2 ends",
            "trial 1 on instance 1",
            "group 3 ends",
            "trial 1 on instance 1",
            "group 4 ends");
    assertThat(graph.edges().stream().filter(edge -> isCritical(graph, edge))).hasSize(10);
  }

  private static boolean isCritical(DotGraph graph, String name) {
    return graph.attributes().getOrDefault(name, "").contains("#c0392b");
  }

  @Test
  void writesGraphAloneToStandardOutput() {
    InProcessCli.Result result = simulate("--dot", "-");

    assertThat(DotGraph.parse(result.out()).labels()).hasSize(47);
    assertThat(result.err()).contains("Prediction of ").contains("where the time goes: ");
    assertThat(simulate("--dot", "-").out()).isEqualTo(result.out());
  }

  @Test
  void rejectsJsonAndGraphOnStandardOutput() throws IOException {
    InProcessCli.Result both = run("--dot", "-", "--json");
    assertThat(both.exit()).isEqualTo(2);
    assertThat(both.json().path("error").path("problems").path(0).path("field").asString())
        .isEqualTo("--dot");

    Path file = folder.resolve("dag.dot");
    assertThat(simulate("--json", "--dot", file.toString()).json().path("estimate")).isNotEmpty();
    assertThat(DotGraph.parse(Files.readString(file)).labels()).hasSize(47);
  }

  @Test
  void doesNotOverwriteInputFile() throws IOException {
    Path plan = Files.copy(PLAN, folder.resolve("plan.json"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), plan);
    for (String file : List.of("job.yaml", plan.toString(), link.toString())) {
      InProcessCli.Result result =
          InProcessCli.at(ExampleFiles.WORKED, folder.resolve("home"))
              .run("simulate", "job.yaml", plan.toString(), "--dot", file);
      assertThat(result.exit()).as(file).isEqualTo(2);
      assertThat(result.err()).contains("--dot: " + file + " is an input file of this command");
    }
    InProcessCli.Result nowhere = run("--dot", folder + "/nowhere/dag.dot");
    assertThat(nowhere.exit()).isEqualTo(2);
    assertThat(nowhere.err()).contains("nowhere/dag.dot: no such file or folder");
    assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void drawsParallelChainsAndEscapesNames() throws IOException {
    List<String> rows = new ArrayList<>();
    for (String group : List.of("a.1", "a.2", "b.1")) {
      rows.add(row(group, "two", 2, 1));
    }
    Path job = job("algorithm: hyperband, eta: 3", "'a \"quoted\" \\N pass'", 3, "two");

    DotGraph graph = DotGraph.parse(dot(job, plan(rows)));

    assertThat(graph.boxes())
        .containsExactly(
            "chain a",
            "group a.1: 3 trials × 1 a \"quoted\" \\N pass on 2 × two, 1 GPU per trial",
            "group a.2: 1 trial × 2 a \"quoted\" \\N pass on 2 × two, 1 GPU per trial",
            "chain b",
            "group b.1: 2 trials × 3 a \"quoted\" \\N pass on 2 × two, 1 GPU per trial");
  }

  @Test
  void drawsThousandsOfTrials() throws IOException {
    List<String> rows = new ArrayList<>();
    for (int group = 1; group <= 13; group++) {
      rows.add(row(String.valueOf(group), "big", 32, 1));
    }
    Path job = job("algorithm: sha, eta: 2, trials: 4096", "epoch", 4096, "big");
    // A spending guard needs many more samples.
    Files.writeString(job, Files.readString(job) + "budget: {usd: 1000000}\n");

    DotGraph graph = DotGraph.parse(dot(job, plan(rows)));

    assertThat(graph.labels().values().stream().filter(label -> label.startsWith("trial ")))
        .hasSize(8191);
  }

  @Test
  void graphvizAcceptsGraph() throws Exception {
    assumeThat(ExternalPrograms.isInstalled("dot")).as("graphviz is not installed").isTrue();
    simulate("--dot", folder.resolve("dag.dot").toString());
    assertThat(
            ExternalPrograms.output(folder, Map.of(), "dot", "-Tsvg", "dag.dot", "-o", "dag.svg"))
        .isEmpty();
    assertThat(Files.readString(folder.resolve("dag.svg"))).contains("instance 4 boots");
  }

  private InProcessCli.Result simulate(String... more) {
    InProcessCli.Result result = run(more);
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }

  private InProcessCli.Result run(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("simulate", "job.yaml", "plan-shrinking.json"));
    arguments.addAll(List.of(more));
    return InProcessCli.at(ExampleFiles.WORKED, folder.resolve("home"))
        .run(arguments.toArray(String[]::new));
  }

  private String dot(Path job, Path plan) {
    InProcessCli.Result result =
        new InProcessCli(folder)
            .run("simulate", job.toString(), plan.toString(), "--samples", "10", "--dot", "-");
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out();
  }

  private static String row(String group, String type, int instances, int gpus) {
    return ("{\"group\": \"%s\", \"offer\": \"simulated/%s/on-demand\","
            + " \"instances\": %d, \"gpus_per_trial\": %d}")
        .formatted(group, type, instances, gpus);
  }

  private Path plan(List<String> rows) throws IOException {
    return Files.writeString(
        folder.resolve("plan.json"), "{\"plan\": [" + String.join(",\n", rows) + "]}");
  }

  /** Writes a job with one offer of this instance type. */
  private Path job(String search, String unit, int most, String type) throws IOException {
    String offers = Files.readString(ExampleFiles.WORKED.resolve("offers.yaml"));
    Files.writeString(
        folder.resolve("offers.yaml"),
        offers.replace("aws/us-east-1", "simulated").replace("p3.8xlarge", type));
    String profile = Files.readString(ExampleFiles.WORKED.resolve("profile.yaml"));
    Files.writeString(
        folder.resolve("profile.yaml"), profile.replace("unit: epoch", "unit: " + unit));
    return Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: drawn
        deadline: 300d
        search:
          {%s, metric: {name: m, goal: maximize}, resource: {unit: %s, min: 1, max: %d},
           space: {x: {type: uniform, low: 0, high: 1}}}
        trial: {run: 'true', gpus: 1..8}
        resources: {infra: [simulated], offers: offers.yaml, max_instances: 64}
        profile: {file: profile.yaml}
        """
            .formatted(search, unit, most));
  }
}

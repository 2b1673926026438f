package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.DotGraph;
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

/** Plans, predicts and runs brackets that share instances (docs/searches.md). */
@Execution(ExecutionMode.CONCURRENT) // mostly waiting
class SharedBracketsTest {
  private static final String JOB = "job.yaml";

  @TempDir Path folder;
  private InProcessCli elastune;

  @BeforeEach
  void copy() throws Exception {
    for (String name : List.of(JOB, "offers.yaml", "profile.yaml")) {
      Files.copy(ExampleFiles.WORKED.resolve(name), folder.resolve(name));
    }
    Path job = folder.resolve(JOB);
    Files.writeString(
        job,
        Files.readString(job)
            .replaceFirst("algorithm: sha", "algorithm: hyperband")
            .replaceFirst("\\n *trials: 16", "")
            .replaceFirst("trials: 16, ", "")
            .replaceFirst("eta: 2", "eta: 3")
            .replaceFirst("max: 8", "max: 9")
            .replaceFirst("deadline: .*", "deadline: 15m"));
    elastune = new InProcessCli(folder);
  }

  @Test
  void executesThePlanAsPredicted() throws Exception {
    JsonNode plan = json("plan", JOB, "--brackets", "shared", "-o", "plan.json", "--json");

    assertThat(plan.path("brackets").asString()).isEqualTo("shared");
    assertThat(plan.path("plan").valueStream().map(row -> row.path("instances").asInt()).distinct())
        .hasSize(1);
    double completionS = plan.path("estimate").path("completion_s").path("mean").asDouble();
    double usd = plan.path("estimate").path("cost_usd").path("mean").asDouble();
    assertThat(usd).isLessThan(2.6);

    JsonNode simulated = json("simulate", JOB, "plan.json", "--json");
    assertThat(simulated.path("estimate").path("cost_usd").path("mean").asDouble())
        .isCloseTo(usd, within(1e-9));

    InProcessCli.Result run =
        elastune.run("run", JOB, "--brackets", "shared", "--infra", "simulated", "-y", "--json");
    assertThat(run.exit()).as(run.err()).isZero();
    List<String> lines = run.out().lines().toList();
    JsonNode end = JsonMapper.shared().readTree(lines.get(lines.size() - 1));
    assertThat(end.path("completion_s").asDouble()).isCloseTo(completionS, within(1e-3));
    assertThat(end.path("cost_usd").asDouble()).isCloseTo(usd, within(5e-5));
    assertThat(end.path("instances_left").asInt()).isZero();
  }

  /** The same on two instances that are held: 417.616 s in docs/searches.md. */
  @Test
  void bracketsShareAFixedCluster() throws Exception {
    JsonNode plan = json("plan", JOB, "--instances", "2", "--json");

    assertThat(plan.path("brackets").asString()).isEqualTo("shared");
    assertThat(plan.path("hold").asBoolean()).isTrue();
    assertThat(plan.path("estimate").path("completion_s").path("mean").asDouble())
        .isCloseTo(417.616, within(0.0005));
    assertThat(elastune.run("plan", JOB, "--instances", "2").out())
        .contains("all brackets share the instances")
        .contains("brackets: sequential ~8m54s for ~$3.53");
    JsonNode run =
        json("rehearse", JOB, "--instances", "2", "--seeds", "1", "--faults", "none", "--json");
    assertThat(run.path("completion_s").path("executed").asDouble())
        .isCloseTo(417.616, within(0.0005));
    assertThat(run.path("cost_usd").path("executed").asDouble())
        .isCloseTo(plan.path("estimate").path("cost_usd").path("mean").asDouble(), within(5e-5));
  }

  @Test
  void showsThatBracketsShareInstances() {
    InProcessCli.Result plan = elastune.run("plan", JOB, "--brackets", "shared");

    assertThat(plan.exit()).as(plan.err()).isZero();
    assertThat(plan.out()).contains("all brackets share the instances");
  }

  @Test
  void choosesTheCheaperUseOfInstances() {
    double shared = mean(json("plan", JOB, "--brackets", "shared", "--json"));
    double separate = mean(json("plan", JOB, "--brackets", "separate", "--json"));
    assertThat(shared).isLessThan(separate);

    JsonNode chosen = json("plan", JOB, "--json");
    assertThat(chosen.path("brackets").asString()).isEqualTo("shared");
    assertThat(mean(chosen)).isCloseTo(shared, within(1e-9));
    assertThat(elastune.run("plan", JOB).out())
        .contains("brackets: shared, because separate instances would cost ~$3.19");
  }

  @Test
  void explainsTheChoice() {
    InProcessCli.Result run = elastune.run("run", JOB, "--infra", "simulated", "-y");
    assertThat(run.exit()).as(run.err()).isZero();

    assertThat(elastune.run("explain").out())
        .contains("brackets: shared, because separate instances would cost ~$3.19");
  }

  private static double mean(JsonNode plan) {
    return plan.path("estimate").path("cost_usd").path("mean").asDouble();
  }

  @Test
  void refusesUnequalInstances() throws Exception {
    json("plan", JOB, "--brackets", "shared", "-o", "plan.json", "--json");
    Path file = folder.resolve("plan.json");
    Files.writeString(
        file,
        Files.readString(file).replaceFirst("\"instances\"\\s*:\\s*\\d+", "\"instances\": 9"));
    InProcessCli.Result simulated = elastune.run("simulate", JOB, "plan.json");

    assertThat(simulated.exit()).isEqualTo(2);
    assertThat(simulated.err()).contains("because the chains share instances");
  }

  @Test
  void showsTheEventsOfSharedInstances() throws Exception {
    json("plan", JOB, "--brackets", "shared", "-o", "plan.json", "--json");
    JsonNode simulated = json("simulate", JOB, "plan.json", "--trace", "--json");

    assertThat(
            simulated
                .path("trace")
                .valueStream()
                .filter(event -> event.path("event").asString().equals("start")))
        .hasSize(22);
  }

  @Test
  void drawsAGraphOfSharedInstances() throws Exception {
    json("plan", JOB, "--brackets", "shared", "-o", "plan.json", "--json");
    InProcessCli.Result simulated = elastune.run("simulate", JOB, "plan.json", "--dot", "-");

    assertThat(simulated.exit()).as(simulated.err()).isZero();
    assertThat(DotGraph.parse(simulated.out()).labels().values())
        .filteredOn(label -> label.startsWith("trial "))
        .hasSize(22);
    assertThat(simulated.err()).contains("where the time goes: training ", "what would help: ");
  }

  private JsonNode json(String... words) {
    InProcessCli.Result result = elastune.run(words);
    assertThat(result.exit()).as(result.err()).isZero();
    return JsonMapper.shared().readTree(result.out());
  }
}

package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Checks the plan of an asynchronous search that steps from one static cluster do not find. */
class AsynchronousPlanTest {
  private static final Path BENCHMARK = ExampleFiles.REPOSITORY.resolve("configs/benchmark");

  /** Job 387 of {@code scripts/plan-costs}. */
  private static final String JOB =
      """
      name: asynchronous
      deadline: 535s
      confidence: 0.9
      search:
        algorithm: asha
        trials: 12
        eta: 3
        resource: {unit: epoch, min: 1, max: 27}
        metric: {name: val_acc, goal: maximize}
        space:
          lr: {type: loguniform, low: 1e-4, high: 1e-1}
      trial:
        workdir: .
        run: echo "this job is for plan, not for run"
        gpus: 1..8
      resources:
        infra: [aws/us-east-1]
        offers: %s
        max_instances: 16
      """;

  @TempDir private Path folder;

  /** From the cheapest and the fastest static cluster alone, the plan costs 1.42 USD. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void cheapPlanIsFoundFromASecondCluster(int seed) throws IOException {
    Path job = folder.resolve("job.yaml");
    Files.writeString(job, JOB.formatted(BENCHMARK.resolve("offers-8.yaml")));
    List<String> arguments = new ArrayList<>(List.of("plan", job.toString(), "--json"));
    for (String gpu : List.of("t4", "a10g", "a100")) {
      arguments.addAll(List.of("--profile", BENCHMARK + "/profile-" + gpu + ".yaml"));
    }
    arguments.addAll(List.of("--seed", Integer.toString(seed)));

    InProcessCli.Result plan = new InProcessCli(folder).run(arguments.toArray(String[]::new));

    assertThat(plan.exit()).as(plan.err()).isZero();
    JsonNode estimate = plan.json().path("estimate");
    assertThat(estimate.at("/cost_usd/mean").asDouble()).isBetween(1.1, 1.2);
    assertThat(estimate.path("on_time").asDouble()).isGreaterThanOrEqualTo(0.9);
  }
}

package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs of policy Hermes with real trials: two trials take turns on each of two instances. */
@Execution(ExecutionMode.CONCURRENT)
@Tag(Tier.NIGHTLY)
class HermesIT {
  @TempDir Path folder;

  @Test
  void runResumedAfterKillEndsLikeAnUndisturbedOne() throws Exception {
    CloudCommand elastune =
        new CloudCommand(folder, folder.resolve("home"), Map.of()).withUsersEngines();
    CommandResult whole = elastune.inProcess("run", write("whole"), "-y", "--json").assertExit(0);
    RunningCommand killed =
        elastune.start("run", write("killed"), "-y").awaitOutput("another one takes its turn");
    killed.process().destroyForcibly().waitFor();
    CommandResult resumed = elastune.inProcess("resume", "killed", "--json").assertExit(0);

    for (CommandResult end : new CommandResult[] {whole, resumed}) {
      assertThat(end.lastLine().path("instances_left").asInt(-1)).isZero();
      assertThat(end.lastLine().at("/trials/completed").asInt()).isEqualTo(4);
      assertThat(end.lastLine().at("/trials/failed").asInt()).isZero();
      String run = end.lastLine().path("run").asString();
      JsonNode report = elastune.inProcess("report", run, "--json").assertExit(0).json();
      assertThat(report.path("preemptions").asInt()).isGreaterThanOrEqualTo(2);
      assertThat(report.path("faults")).isEmpty();
    }
    assertThat(best(resumed)).isEqualTo(best(whole));
  }

  /** Returns the best trial without the path of its checkpoint, which contains the run. */
  private static ObjectNode best(CommandResult end) {
    return ((ObjectNode) end.lastLine().path("best")).without("checkpoint");
  }

  private String write(String name) throws Exception {
    return new TinyJob(name)
        .search("{algorithm: random, trials: 4, ", "max: 4")
        .trial("0.5", "gpus: 1")
        .with(
            "resources",
            "{infra: [local], offers: offers.yaml, instance_types: [solo], instances: 2}")
        .with("deadline", "30m")
        .with("policy", "hermes")
        .write(folder.resolve(name))
        .toString();
  }
}

package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs a job of real processes and checks what later plans of it have learned. */
@Execution(ExecutionMode.CONCURRENT)
@Tag(Tier.NIGHTLY)
class LearningIT {
  private static final String LEARNED = "combines run learned-";

  @TempDir Path folder;

  @Test
  void laterPlansUseTheHistory() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    String job =
        new TinyJob("learned")
            .without("profile")
            .with("deadline", "10m")
            .search("{algorithm: random, trials: 4, ", "max: 6")
            .with(
                "trial",
                "{run: exec sh sparse.sh,"
                    + " envs: {START: \"0.2\", PAUSE: \"0.3\", EVERY: \"1\"}}")
            .write(folder.resolve("jobs"))
            .toString();
    elastune.inProcess("profile", job, "-o", "measured.yaml").assertExit(0);
    assertThat(elastune.inProcess("plan", job, "-o", "plan.json").assertExit(0).out())
        .doesNotContain(LEARNED);

    elastune.inProcess("run", job, "-y").assertExit(0);

    assertThat(notes(elastune, job)).contains(LEARNED, " with 1 run of this program");
    elastune
        .inProcess("run", "plan.json", "-y")
        .assertExit(0); // a saved plan is not stale after a run
    assertThat(notes(elastune, job)).contains(" with 2 runs of this program");
    assertThat(elastune.inProcess("plan", job, "--profile", "measured.yaml").assertExit(0).out())
        .doesNotContain(LEARNED);
    JsonNode check = json(elastune.inProcess("profiles", "check", "--json").assertExit(0).out());
    assertThat(check.path("predictions").asInt()).isEqualTo(2);
    assertThat(check.path("exposures").path(0).path("offer").asString())
        .isEqualTo("local/solo/on-demand");
    assertThat(check.path("exposures").path(0).path("failed_attempts").asInt()).isZero();
  }

  private static String notes(LauncherProcess elastune, String job) throws Exception {
    return elastune.inProcess("plan", job).assertExit(0).out();
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }
}

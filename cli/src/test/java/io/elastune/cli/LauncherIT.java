package io.elastune.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.LauncherBuild;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.core.properties.Tier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests commands as users start them: through the launcher, in a separate process. */
class LauncherIT {
  private static final String CHECKOUT = ExampleFiles.REPOSITORY.resolve("elastune").toString();
  private static final String VERSION =
      "elastune \\d\\S* \\(commit ([0-9a-f]{12}(, dirty)?|unknown), (checkout|release)\\)\n";
  private static final String JOB = ExampleFiles.WORKED.resolve("job.yaml").toString();

  @TempDir Path folder;

  private record Result(int exit, String out, String err) {}

  @Test
  void showsHelpAndVersion() throws Exception {
    assertThat(run(LauncherBuild.launcher(), "--help").out())
        .contains("Commands:", "plan", "simulate");
    assertThat(run(LauncherBuild.launcher(), "--version").out()).matches(VERSION);
    assertThat(run(LauncherBuild.launcher(), "plan", "--help").out()).contains("Example:");
  }

  /** With Maven, and with all archives: .ci/run starts it too. */
  @Test
  @Tag(Tier.NIGHTLY)
  void checkoutBuildsWhatHasChanged() throws Exception {
    assertThat(run(CHECKOUT, "--version").out()).matches(VERSION).contains(", checkout)");
  }

  @Test
  void findsPlanAndWritesOnlyToHome() throws Exception {
    Result result = run(LauncherBuild.launcher(), "plan", JOB, "--json");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(json(result).path("feasible").asBoolean()).isTrue();
    assertThat(result.err()).contains("Plan for worked-example", "2 × p3.8xlarge");
    run(LauncherBuild.launcher(), "offers");
    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> String.valueOf(file.getFileName()))).isSubsetOf("home", "err");
    }
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void reportsInfeasibleDeadline() throws Exception {
    Result result = run(LauncherBuild.launcher(), "plan", JOB, "--deadline", "1m", "--json");
    assertThat(result.exit()).isEqualTo(10);
    assertThat(json(result).path("violated").path(0).asString()).isEqualTo("deadline");
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void simulatesSuppliedPlan() throws Exception {
    String plan = ExampleFiles.WORKED.resolve("plan-static.json").toString();
    Result result = run(LauncherBuild.launcher(), "simulate", JOB, plan, "--json");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(json(result).path("groups").size()).isEqualTo(4);
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void reportsAllProblemsOfJobFile() throws Exception {
    Path job = folder.resolve("job.yaml");
    Files.writeString(
        job,
        """
        name: Five Mistakes
        deadline: soon
        search:
          algorithm: sha
          metric: {name: acc, goal: maximise}
          trials: 4.5
          eta: 2
          resource: {unit: epoch, min: 1, max: 8}
          space: {lr: {type: loguniform, low: 1e-4, high: 1}}
        trial: {run: "true", gpu: 1}
        resources: {infra: [local]}
        """);

    Result result = run(LauncherBuild.launcher(), "plan", job.toString());

    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines())
        .hasSize(5)
        .anyMatch(line -> line.startsWith("job.yaml:1: name: "))
        .anyMatch(line -> line.startsWith("job.yaml:2: deadline: "))
        .anyMatch(line -> line.startsWith("job.yaml:5: search.metric.goal: "))
        .anyMatch(line -> line.startsWith("job.yaml:6: search.trials: "))
        .anyMatch(line -> line.startsWith("job.yaml:10: trial.gpu: "));
  }

  @Test
  void closedPipeIsNoError() throws Exception {
    String script =
        "'" + LauncherBuild.launcher() + "' plan '" + JOB + "' --json --frontier | head -n 1";
    Result result = run("sh", "-c", script);
    assertThat(result.out()).isEqualTo("{\n");
    assertThat(result.err()).doesNotContain("Exception", "bug");
  }

  private Result run(String... command) throws IOException, InterruptedException {
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(new ArrayList<>(List.of(command)))
            .directory(folder.toFile())
            .redirectError(err.toFile());
    builder.environment().put("ELASTUNE_HOME", folder.resolve("home").toString());
    builder.environment().put("JDK_JAVA_OPTIONS", LauncherProcess.FAST_JVM);
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    // The launcher may build first and print messages.
    String errors =
        Files.readString(err)
            .lines()
            .filter(line -> !line.startsWith("elastune: "))
            .filter(line -> !line.startsWith("NOTE: Picked up JDK_JAVA_OPTIONS"))
            .reduce("", (all, line) -> all + line + "\n");
    return new Result(exit, out, errors);
  }

  private static JsonNode json(Result result) {
    return JsonMapper.shared().readTree(result.out());
  }
}

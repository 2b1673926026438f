package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests simulated runs: every screen treats them like other runs, but nothing is rented. */
@Execution(ExecutionMode.CONCURRENT) // mostly waiting
class SimulatedRunTest {
  private static final String JOB = "job.yaml";

  @TempDir Path folder;
  private InProcessCli elastune;

  private void copy(String... lines) throws Exception {
    for (String name : List.of(JOB, "offers.yaml", "profile.yaml")) {
      Files.copy(ExampleFiles.WORKED.resolve(name), folder.resolve(name));
    }
    for (String line : lines) {
      String[] change = line.split(" => ", 2);
      Path job = folder.resolve(JOB);
      Files.writeString(job, Files.readString(job).replace(change[0], change[1]));
    }
    elastune = new InProcessCli(folder);
  }

  private InProcessCli.Result simulate(int exit) {
    InProcessCli.Result result = elastune.run("run", JOB, "--infra", "simulated", "-y", "--json");
    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
    return result;
  }

  private static JsonNode last(InProcessCli.Result run) {
    List<String> lines = run.out().lines().toList();
    return JsonMapper.shared().readTree(lines.get(lines.size() - 1));
  }

  /** 16 trials take turns on 8 GPUs. */
  @Test
  void takesTurnsUnderHermes() throws Exception {
    copy(
        "algorithm: sha => algorithm: random",
        "eta: 2 => seed: 2",
        "  seed: 1 => ",
        "min: 1,  => ",
        "430s => 1h",
        "max_instances: 8 => instances: 2");
    Path job = folder.resolve(JOB);
    Files.writeString(job, Files.readString(job) + "policy: hermes\n");
    JsonNode end = last(simulate(0));

    assertThat(end.path("trials").path("completed").asInt()).isEqualTo(16);
    String run = end.path("run").asString();
    int preemptions = elastune.run("report", run, "--json").json().path("preemptions").asInt();
    assertThat(preemptions).isPositive();
    assertThat(elastune.run("report", run).out())
        .contains(" policy       " + preemptions + " preemptions, 0 resizes");
    assertThat(elastune.run("explain", run).out())
        .contains("waits after unit 2: another one takes its turn");
  }

  /** The optimum of the worked example for this deadline, from docs/model.md. */
  @Test
  void matchesTheModel() throws Exception {
    copy();
    InProcessCli.Result run = simulate(0);
    JsonNode end = last(run);

    assertThat(end.path("event").asString()).isEqualTo("finished");
    assertThat(end.path("completion_s").asDouble()).isCloseTo(339.171, within(1e-3));
    assertThat(end.path("cost_usd").asDouble()).isCloseTo(1.7170, within(5e-5));
    assertThat(end.path("metered_usd").asDouble())
        .isCloseTo(end.path("cost_usd").asDouble(), within(1e-6));
    assertThat(end.path("simulated").asBoolean()).isTrue();
    assertThat(end.path("instances_left").asInt()).isZero();
    assertThat(end.path("trials").path("completed").asInt()).isEqualTo(2);
    assertThat(end.path("trials").path("stopped").asInt()).isEqualTo(14);
    assertThat(run.err())
        .contains("Simulated from offers and profile, 200 times faster than real time")
        .contains("trained or charged")
        .contains("metered by the simulated environment: instances $1.72");
    checkOtherCommands(end.path("run").asString());
  }

  /** A simulated run must not be mistaken for a real one in any output. */
  private void checkMarks(String run) throws Exception {
    assertThat(elastune.run("status", run, "--json").json().path("simulated").asBoolean()).isTrue();
    assertThat(elastune.run("runs", "list").out()).contains(" simulated ");
    assertThat(elastune.run("runs", "list", "--json").json().path(0).path("simulated").asBoolean())
        .isTrue();
    assertThat(elastune.run("report", run, "--csv", "-").out().lines().skip(1))
        .hasSize(16)
        .allMatch(row -> row.startsWith(run + ",true,"));
    assertThat(elastune.run("report", run, "--html", "page.html").exit()).isZero();
    assertThat(Files.readString(folder.resolve("page.html")))
        .contains("Simulated run: nothing was rented", "best val_acc (synthetic)", "lr (log)");
  }

  private void checkOtherCommands(String run) throws Exception {
    assertThat(elastune.run("status", run).out()).contains("finished, exit 0", "(simulated)");
    assertThat(elastune.run("report", run).out())
        .contains("simulated in virtual time", "with synthetic val_acc");
    checkMarks(run);
    JsonNode report = elastune.run("report", run, "--json").json();
    assertThat(report.path("leases").size()).isEqualTo(2);
    assertThat(report.path("groups").path(3).path("actual_s").asDouble())
        .isCloseTo(report.path("groups").path(3).path("predicted_s").asDouble(), within(1e-2));
    assertThat(elastune.run("explain", run).out()).contains("start group 1");
    InProcessCli.Result resumed = elastune.run("resume", run);
    assertThat(resumed.exit()).isEqualTo(2);
    assertThat(resumed.err())
        .contains("is a simulated run and cannot be resumed", "--infra simulated");
  }

  /** An older version, or an administrator, may have created folders that others can read. */
  @Test
  void existingHomeBecomesPrivate() throws Exception {
    copy();
    Path home = Files.createDirectories(folder.resolve("home/runs")).getParent();
    for (Path path : List.of(home, home.resolve("runs"))) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    simulate(0);

    try (Stream<Path> paths = Files.walk(home)) {
      for (Path path : paths.toList()) {
        assertThat(Files.getPosixFilePermissions(path))
            .as(path.toString())
            .isSubsetOf(PosixFilePermissions.fromString("rwx------"));
      }
    }
  }

  /** The same seed gives the same run; only absolute times differ. */
  @Test
  void sameSeedGivesSameRun() throws Exception {
    copy("profile.yaml => " + ExampleFiles.WORKED.resolve("profile-spread.yaml"));
    JsonNode first = last(simulate(0));
    JsonNode second = last(simulate(0));
    assertThat(second.path("completion_s")).isEqualTo(first.path("completion_s"));
    assertThat(second.path("cost_usd")).isEqualTo(first.path("cost_usd"));
    assertThat(second.path("best")).isEqualTo(first.path("best"));
  }

  /** A simulated plan can be saved and run like any other, also with a byte order mark. */
  @Test
  void runsSavedPlan() throws Exception {
    String profile = Files.readString(ExampleFiles.WORKED.resolve("profile-spread.yaml"));
    copy("profile.yaml => " + Files.writeString(folder.resolve("marked.yaml"), "\ufeff" + profile));
    InProcessCli.Result plan = elastune.run("plan", JOB, "--infra", "simulated", "-o", "plan.json");
    assertThat(plan.exit()).as(plan.err()).isZero();
    InProcessCli.Result run = elastune.run("run", "plan.json", "-y", "--json");
    assertThat(run.exit()).as(run.err()).isIn(0, 13);
    assertThat(last(run).path("simulated").asBoolean()).isTrue();
  }

  /** Any plan of a saved frontier can be run by its number, and meets its prediction. */
  @Test
  void runsAnyPlanOfASavedFrontier() throws Exception {
    copy();
    InProcessCli.Result plan =
        elastune.run("plan", JOB, "--infra", "simulated", "--frontier", "-o", "plan.json");
    assertThat(plan.exit()).as(plan.err()).isZero();
    assertThat(plan.out()).contains("'elastune run plan.json --choice N'");
    JsonNode saved = JsonMapper.shared().readTree(Files.readString(folder.resolve("plan.json")));
    JsonNode choice = saved.path("frontier").path(2);

    InProcessCli.Result run = elastune.run("run", "plan.json", "--choice", "3", "-y", "--json");
    assertThat(run.exit()).as(run.err()).isZero();
    JsonNode end = last(run);
    assertThat(end.path("completion_s").asDouble())
        .isCloseTo(choice.path("completion_s").asDouble(), within(1e-3));
    assertThat(end.path("cost_usd").asDouble())
        .isCloseTo(choice.path("cost_usd").asDouble(), within(5e-5));
  }

  /** Without a profile there is no prediction, and virtual time cannot be profiled. */
  @Test
  void rejectsJobWithoutProfile() throws Exception {
    copy("profile: {file: profile.yaml} => # not measured");
    InProcessCli.Result run = simulate(2);
    assertThat(run.err())
        .contains("no profile of this program is available", "profiling is not possible in the");
    assertThat(runs()).isEmpty();
    InProcessCli.Result profile = elastune.run("profile", JOB, "--infra", "simulated");
    assertThat(profile.exit()).isEqualTo(2);
    assertThat(profile.err()).contains("profiling is not possible in the simulated environment");
  }

  /** Stops the run from another terminal: trials write checkpoints, and everything is released. */
  @Test
  void canBeStopped() throws Exception {
    copy("max: 8 => max: 4096", "deadline: 430s => deadline: 20d");
    CompletableFuture<InProcessCli.Result> run = CompletableFuture.supplyAsync(() -> simulate(130));
    while (elastune.run("status").out().lines().noneMatch(line -> line.contains("running"))) {
      if (run.isDone()) {
        throw new AssertionError("the run ended before it was seen: " + run.get());
      }
    }
    String id = runs().get(0).getFileName().toString();
    InProcessCli.Result stop = elastune.run("stop", id);
    assertThat(stop.exit()).as(stop.err()).isZero();
    assertThat(stop.out()).contains("stopped by elastune stop");
    assertThat(last(run.get()).path("instances_left").asInt(-1)).isZero();
    assertThat(elastune.run("status", id).out()).contains("(simulated)").doesNotContain("resume");
  }

  private List<Path> runs() throws Exception {
    Path runs = folder.resolve("home/runs");
    if (!Files.exists(runs)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(runs)) {
      return found.toList();
    }
  }

  /** A simulated run requires confirmation like any other. */
  @Test
  void startsNothingWithoutConfirmation() throws Exception {
    copy();
    assertThat(elastune.run("run", JOB, "--infra", "simulated").exit()).isEqualTo(3);
    assertThat(runs()).isEmpty();
  }
}

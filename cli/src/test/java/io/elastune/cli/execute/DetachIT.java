package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import io.elastune.executor.journal.RunFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** Tests runs in the background, and commands that follow a run of another process. */
@Execution(ExecutionMode.CONCURRENT)
class DetachIT {
  private static final String CONTROL_C = "\003";
  private static final String SECRET = "s3cret-of-the-user";
  private static final Duration DEAD_MAN = Duration.ofSeconds(20);

  @TempDir Path folder;
  private LauncherProcess elastune;

  @BeforeEach
  void wire() {
    elastune = LauncherProcess.in(folder).with("TOKEN", SECRET);
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void confirmedAtTheTerminalItSurvivesItsEnd() throws Exception {
    assumeTrue(ExternalPrograms.isInstalled("python3"), "python3 makes the terminal");
    List<String> answers = List.of("Type 'yes' to confirm: ", "yes\n");
    CommandResult start =
        elastune.runInTerminal(answers, "run", job("long", 20), "--detach").assertExit(0);
    String run = onlyRun();

    assertThat(start.out())
        .contains("continues in the background", "elastune attach " + run, "elastune stop " + run);
    elastune.inProcess("attach", run).assertExit(0);
    Path log = RunFolder.of(elastune.home(), run).controllerLog();
    for (int i = 0; i < 1200 && !Files.readString(log).contains("Report of " + run); i++) {
      Thread.sleep(50); // the run ends before its controller reports it
    }
    assertThat(Files.getPosixFilePermissions(log))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(log).content().contains("Report of " + run).doesNotContain(SECRET);
    Leftovers.assertNone(elastune.home(), run);
  }

  @Test
  void hasItsOwnSessionAndIgnoresHangUpAndTheEndOfItsFollower() throws Exception {
    assumeTrue(ExternalPrograms.isInstalled("python3"), "python3 makes the terminal");
    JsonNode started = detach("long", 2000);
    long pid = started.path("pid").asLong();
    Path proc = Path.of("/proc", Long.toString(pid));
    assumeTrue(Files.exists(proc), "/proc describes processes");

    assertThat(proc.resolve("fd/0").toRealPath()).isEqualTo(Path.of("/dev/null"));
    assertThat(proc.resolve("fd/1").toRealPath().toString()).isEqualTo(log(started));
    assertThat(proc.resolve("fd/2").toRealPath().toString()).isEqualTo(log(started));
    String session = Files.readString(proc.resolve("stat")).replaceAll("(?s).*\\) ", "");
    assertThat(session.split(" ", -1)[3]).isEqualTo(Long.toString(pid));
    assertThat(Files.readString(proc.resolve("cmdline"))).doesNotContain(SECRET);

    ExternalPrograms.signal(pid, "HUP");
    String run = started.path("run").asString();
    assertThat(elastune.state(run)).isEqualTo("running");
    List<String> script = List.of("attached to run", CONTROL_C);
    CommandResult follower = elastune.runInTerminal(script, "attach", run).assertExit(130);
    assertThat(follower.out()).contains("detached by Ctrl-C; run " + run + " continues");
    assertThat(elastune.state(run)).isEqualTo("running");
    CommandResult second =
        elastune.inProcess("run", job("long", 2000), "-y", "--detach").assertExit(3);
    assertThat(second.err()).contains("run " + run + " of job long is in progress");
    elastune.inProcess("stop", run).assertExit(0);
    elastune.inProcess("attach", run).assertExit(130);
    awaitController(started);
    Leftovers.assertNone(elastune.home(), run);
  }

  @Test
  void killedControllerIsVisibleAndTheRunResumes() throws Exception {
    Path resumed = folder.resolve("resumed");
    JsonNode started = detach(waiting(resumed));
    String run = started.path("run").asString();
    RunningCommand follower = elastune.start("attach", run).awaitOutput("attached to run");
    ExternalPrograms.signal(started.path("pid").asLong(), "KILL");

    CommandResult followed = follower.awaitExit();
    assertThat(followed.exit()).as(followed.out()).isIn(1, 20);
    assertThat(followed.out()).contains("The controller has stopped", "elastune resume " + run);
    assertThat(elastune.inProcess("status", run).out()).contains("crashed", log(started));
    Leftovers.assertGoneWithin(run, DEAD_MAN);

    Files.createFile(resumed);
    CommandResult resume = elastune.run("resume", run, "--detach", "--json").assertExit(0);
    assertThat(resume.json().path("event").asString()).isEqualTo("resumed");
    assertThat(resume.json().path("detached").asBoolean()).isTrue();
    CommandResult end = elastune.inProcess("attach", run, "--json").assertExit(0);
    assertThat(end.out()).contains("{\"event\":\"resumed\",\"run\":\"" + run + "\"}");
    assertThat(end.lastLine().path("exit").asInt(-1)).isZero();
    assertThat(elastune.inProcess("explain", run).out()).contains("resume");
    awaitController(resume.json());
    Leftovers.assertNone(elastune.home(), run);
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void twoFollowersSeeWhatTheRunPrints() throws Exception {
    RunningCommand run = elastune.start("run", job("shown", 10), "-y", "--json");
    run.awaitOutput("\"ready\"");
    RunningCommand one = elastune.start("attach", "shown", "--json");
    RunningCommand other = elastune.start("attach", "shown", "--json");

    String printed = run.awaitExit().assertExit(0).out();
    assertThat(one.awaitExit().assertExit(0).out()).isEqualTo(printed);
    assertThat(other.awaitExit().assertExit(0).out()).isEqualTo(printed);
    assertThat(elastune.inProcess("attach", "shown", "--json").assertExit(0).out())
        .isEqualTo(printed);
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void simulatedRunIsNotDetached() throws Exception {
    CommandResult run =
        elastune.inProcess("run", job("virtual", 2), "--infra", "simulated", "-y", "--detach");
    assertThat(run.assertExit(2).err()).contains("--detach: a simulated run ends in seconds");
  }

  private JsonNode detach(String name, int units) throws Exception {
    return detach(job(name, units));
  }

  private JsonNode detach(String job) throws Exception {
    CommandResult start = elastune.run("run", job, "-y", "--detach", "--json").assertExit(0);
    assertThat(start.json().path("event").asString()).isEqualTo("started");
    assertThat(start.json().path("plan")).isNotEmpty();
    return start.json();
  }

  /**
   * Waits until a controller in the background has ended. Its run ends before: until then, the
   * controller writes into the folder of the test.
   */
  private static void awaitController(JsonNode event) {
    ProcessHandle.of(event.path("pid").asLong())
        .ifPresent(controller -> controller.onExit().join());
  }

  /** Returns a job whose trials take until a file exists. */
  private String waiting(Path file) throws Exception {
    String script =
        """
        . ./lib.sh
        while [ ! -e '%s' ]; do sleep 0.1; done
        save "$to"
        report "$to" 0.5
        """
            .formatted(file);
    return new TinyJob("long")
        .search("{algorithm: random, trials: 2, ", "max: 1")
        .script("waiting.sh", script, "")
        .with("deadline", "30m")
        .write(folder.resolve("jobs-waiting"))
        .toString();
  }

  private static String log(JsonNode started) {
    return started.path("log").asString();
  }

  private String onlyRun() {
    List<RunFolder> runs = RunFolder.all(elastune.home());
    assertThat(runs).hasSize(1);
    return runs.get(0).run();
  }

  private String job(String name, int units) throws Exception {
    return new TinyJob(name)
        .search("{algorithm: random, trials: 2, ", "max: " + units)
        .trial("0.2", "gpus: 1, secrets: [TOKEN]")
        .profile("[{gpus: 1, seconds: 0.2}]")
        .with("deadline", "30m")
        .write(folder.resolve("jobs-" + name))
        .toString();
  }
}

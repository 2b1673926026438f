package io.elastune.cli.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.provisioner.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code scripts/nightly} in a small repository, with steps of the test. */
@EnabledOnOs(OS.LINUX) // it finds processes of interrupted steps in /proc
class NightlyScriptTest {
  @TempDir Path folder;
  private Path repository;
  private Path steps;
  private Path calls;

  @BeforeEach
  void create() throws Exception {
    assumeTrue(
        ExternalPrograms.isInstalled("python3") && ExternalPrograms.isInstalled("git"),
        "skipped: no python3 or no git");
    repository = Files.createDirectories(folder.resolve("repository/scripts")).getParent();
    steps = folder.resolve("steps");
    calls = folder.resolve("calls");
    Files.createFile(calls);
    Files.copy(
        ExampleFiles.REPOSITORY.resolve("scripts/nightly"),
        repository.resolve("scripts/nightly"),
        StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(repository.resolve(".gitignore"), "target/\n");
    Files.createDirectory(repository.resolve("docs"));
    Files.writeString(repository.resolve("docs/page.md"), "0.1\n");
    git("init", "-q");
    commit();
  }

  private void git(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("git", "-c", "user.name=a", "-c", "user.email=a@b"));
    command.addAll(List.of(arguments));
    ExternalPrograms.output(repository, Map.of(), command.toArray(String[]::new));
  }

  private void commit() throws IOException, InterruptedException {
    git("add", ".");
    git("commit", "-q", "--allow-empty", "-m", "test");
  }

  /** Adds a step that records its call. */
  private void step(String name, String limit, String command) throws IOException {
    String line =
        "%s\t0.01\t%s\techo %s >> '%s'; %s%n".formatted(name, limit, name, calls, command);
    Files.writeString(steps, Files.exists(steps) ? Files.readString(steps) + line : line);
  }

  private RunningCommand start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(repository.resolve("scripts/nightly").toString());
    command.addAll(List.of("--steps-file", steps.toString()));
    command.addAll(List.of(arguments));
    return RunningCommand.start(new ProcessBuilder(command), folder);
  }

  private CommandResult run(String... arguments) throws IOException, InterruptedException {
    return start(arguments).awaitExit();
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(calls);
  }

  @Test
  void failedStepsDoNotStopTheOthers() throws Exception {
    step("first", "1", "echo figure 17 things; echo 0.2 > docs/page.md");
    step("wrong", "1", "exit 3");
    step("killed", "1", "kill -9 $$");
    step("leaves", "1", "setsid sleep 1000 & true");
    Files.writeString(steps, Files.readString(steps) + "late\t0.01\t0.005\tsleep 1000\n");
    step("last", "1", "cat docs/page.md; [ \"$SEED\" -gt 0 ]");

    CommandResult night = run().assertExit(1);

    assertThat(night.out()).contains("3 passed, 3 failed", "6 of 6 steps", "exceeded its limit");
    assertThat(calls()).containsExactly("first", "wrong", "killed", "leaves", "last");
    assertThat(run("--report").assertExit(0).out())
        .contains(
            "| `first` | passed |", "changes docs: `first.patch`", "| figure 17 things | `first` |")
        .contains("| `wrong` | failed |", "exit code 3", "killed by signal 9")
        .containsPattern("`leaves` \\| passed .* left 1 processes, which were ended")
        .containsPattern("`late` \\| failed .* exceeded its limit of 0 s");
    assertThat(run("--list").assertExit(0).out())
        .containsPattern("first .* passed\n")
        .containsPattern("killed .* failed\n");
    try (var logs = Files.list(repository.resolve("target/nightly"))) {
      Path state = logs.filter(Files::isDirectory).findFirst().orElseThrow();
      assertThat(state.resolve("first.patch")).content().contains("-0.1\n+0.2\n");
      assertThat(state.resolve("last.log")).hasContent("0.1");
    }
    assertThat(repository.resolve("docs/page.md")).hasContent("0.1");

    // What has passed is not repeated, unless it is named.
    assertThat(run().assertExit(1).out()).contains("3 of 6 steps");
    assertThat(calls()).hasSize(7).endsWith("wrong", "killed");
    run("last").assertExit(1);
    assertThat(calls()).hasSize(8).endsWith("last");
    assertThat(run("none").assertExit(2).err()).contains("unknown step: none");
  }

  private static void await(Path file, RunningCommand night) throws InterruptedException {
    while (!Files.exists(file)) {
      assertThat(night.process().isAlive()).isTrue();
      Thread.sleep(20);
    }
  }

  private static boolean isAlive(long process) {
    return ProcessHandle.of(process).filter(ProcessHandle::isAlive).isPresent();
  }

  @Test
  void killedNightContinuesWithTheInterruptedStep() throws Exception {
    Path done = folder.resolve("done");
    Path process = folder.resolve("process");
    step("first", "1", "exit 1");
    step("second", "1", "true");
    String wait =
        "[ -e '%s' ] || { setsid sh -c 'echo $$ > %s.part; mv %s.part %s; exec sleep 1000' & wait;"
            + " }";
    step("third", "10", wait.formatted(done, process, process, process));
    step("fourth", "1", "true");

    RunningCommand night = start();
    await(process, night);
    assertThat(run().assertExit(1).err()).contains("already running in this checkout");
    night.process().destroyForcibly().waitFor();
    long left = Long.parseLong(Files.readString(process).strip());
    assertThat(ProcessHandle.of(left)).isPresent();
    Files.createFile(done);

    CommandResult resumed = run().assertExit(1);

    assertThat(resumed.out()).containsPattern("ended [23] processes of an interrupted step");
    TestWait.until(
        () -> !isAlive(left), left); // an ended process exists until its parent waits for it
    assertThat(resumed.out()).contains("3 of 4 steps", "3 passed, 1 failed");
    // A step that has failed is repeated after those that have not run.
    assertThat(calls()).containsExactly("first", "second", "third", "third", "fourth", "first");
  }

  @Test
  void terminationEndsTheStep() throws Exception {
    Path process = folder.resolve("process");
    String wait = "setsid sh -c 'echo $$ > %s.part; mv %s.part %s; exec sleep 1000' & wait";
    step("long", "10", wait.formatted(process, process, process));
    RunningCommand night = start();
    await(process, night);

    night.signal("TERM").awaitExit().assertExit(143);

    long left = Long.parseLong(Files.readString(process).strip());
    TestWait.until(() -> !isAlive(left), left);
  }

  @Test
  void eachCommitIsTestedInACloneWithoutUncommittedChanges() throws Exception {
    step("read", "1", "cat docs/page.md; git log -1 --format=figure' %s'");
    Files.writeString(repository.resolve("docs/page.md"), "0.5\n");

    assertThat(run().assertExit(0).out()).contains("Changes that are not committed are not tested");
    assertThat(run().assertExit(0).out()).contains("0 of 1 steps");
    commit();
    assertThat(run().assertExit(0).out()).contains("1 of 1 steps").doesNotContain("not committed");

    try (var files = Files.walk(repository.resolve("target/nightly"), 2)) {
      List<Path> all = files.toList();
      assertThat(all.stream().filter(file -> file.endsWith("tree"))).hasSize(1);
      assertThat(
              all.stream()
                  .filter(file -> file.endsWith("read.log"))
                  .map(NightlyScriptTest::text)
                  .sorted())
          .containsExactly("0.1\nfigure test\n", "0.5\nfigure test\n");
    }
  }

  @Test
  void noStepBeginsThatWouldEndTooLate() throws Exception {
    step("short", "1", "true");
    Files.writeString(steps, Files.readString(steps) + "long\t120\t200\ttrue\n");

    assertThat(run("--hours", "1").assertExit(1).out())
        .contains("expected 2 h 00 min", "1 h are over. The same command continues with long.")
        .contains("1 passed, 1 not run");
  }

  @Test
  void singleStepsRunSideBySideInClonesOfTheirOwn() throws Exception {
    String meet = "touch %1$s/%2$s; until [ -e %1$s/%3$s ]; do sleep 0.05; done; pwd > %1$s/%2$s";
    step("one", "1", meet.formatted(folder, "here", "there") + "\tsingle");
    step("other", "1", meet.formatted(folder, "there", "here") + "\tsingle");
    step("alone", "1", "[ -s %1$s/here ] && [ -s %1$s/there ]".formatted(folder));

    CommandResult night = run("--lanes", "2").assertExit(0);

    assertThat(night.out()).contains("[1/3] one", "[2/3] other", "3 passed");
    assertThat(List.of(text(folder.resolve("here")), text(folder.resolve("there"))))
        .anySatisfy(tree -> assertThat(tree).endsWith("/tree\n"))
        .anySatisfy(tree -> assertThat(tree).endsWith("/tree-2\n"));
  }

  @Test
  void terminationEndsBothLanes() throws Exception {
    String wait = "setsid sh -c 'echo $$ > %1$s.part; mv %1$s.part %1$s; exec sleep 1000' & wait";
    List<Path> processes = List.of(folder.resolve("first"), folder.resolve("second"));
    for (Path process : processes) {
      step(process.getFileName().toString(), "10", wait.formatted(process) + "\tsingle");
    }
    RunningCommand night = start("--lanes", "2");
    for (Path process : processes) {
      await(process, night);
    }

    night.signal("TERM").awaitExit().assertExit(143);

    for (Path process : processes) {
      long left = Long.parseLong(Files.readString(process).strip());
      TestWait.until(() -> !isAlive(left), left);
    }
    assertThat(run("--list").assertExit(0).out()).doesNotContain("passed", "failed");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}

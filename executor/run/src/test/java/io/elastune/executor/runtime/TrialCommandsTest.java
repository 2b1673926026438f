package io.elastune.executor.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.NullValue;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.core.search.ConfigurationCodec;
import io.elastune.executor.engine.FakeDocker;
import io.elastune.provisioner.ImageTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests which programs the shell commands of a job find, by running them. */
@DisabledOnOs(OS.WINDOWS)
class TrialCommandsTest {
  @TempDir Path folder;

  private static TrialCommands commands(String trial) {
    Job job =
        JobFile.parse(
                "job.yaml",
                """
                name: small
                deadline: 90s
                search:
                  algorithm: random
                  metric: {name: loss, goal: minimize}
                  trials: 4
                  resource: {unit: step, max: 10}
                  space: {x: {type: uniform, low: 0, high: 1}}
                trial: {%s}
                """
                    .formatted(trial),
                Overrides.NONE)
            .orThrow();
    return new TrialCommands(job.trial());
  }

  /** Creates an interpreter that prints its path and its arguments. */
  private Path interpreter(String path) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n[ \"$1\" = -c ] || echo \"$0 $*\"\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return file;
  }

  @Test
  void nullIsNoArgument() {
    Map<String, Object> configuration = ConfigurationCodec.toJava(Map.of("x", NullValue.NULL));
    TrialCommands commands = commands("run: 'python train.py {args} x={x}'");

    assertThat(commands.run(configuration, Set.of("x"))).isEqualTo("python train.py  x=null");
  }

  private String output(String command) throws IOException, InterruptedException {
    return output(command, System.getenv("PATH"));
  }

  private String output(String command, String path) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-e", "-c", command);
    builder.directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("PATH", path);
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return output + "exit " + process.waitFor();
  }

  @Test
  void withoutPythonCommandsAreUnchanged() {
    TrialCommands commands = commands("run: 'python train.py', setup: 'make it'");

    assertThat(commands.run(Map.of(), Set.of())).isEqualTo("python train.py");
    assertThat(commands.setup()).hasValue("make it");
    assertThat(commands("run: x").setup()).isEmpty();
  }

  @Test
  void pythonIsThatOfItsFolder() throws Exception {
    Path absolute = interpreter("it's a venv/bin/python");
    interpreter("env/bin/python3");

    assertThat(
            output(
                commands("run: python train.py, python: \"" + absolute + "\"")
                    .run(Map.of(), Set.of())))
        .isEqualTo(absolute + " train.py\nexit 0");
    assertThat(output(commands("run: python3 -V, python: env/bin/python3").run(Map.of(), Set.of())))
        .isEqualTo(folder.toRealPath().resolve("env/bin/python3") + " -V\nexit 0");
  }

  @Test
  void setupMayCreateTheInterpreterAndUseIt() throws Exception {
    interpreter("made/bin/python");
    String setup =
        commands("run: x, python: env/bin/python, setup: 'mv made env; python ready # done'")
            .setup()
            .orElseThrow();

    assertThat(output(setup))
        .isEqualTo(folder.toRealPath().resolve("env/bin/python") + " ready\nexit 0");
  }

  @Test
  void setupFailsWithoutTheInterpreter() throws Exception {
    String message =
        "trial.python: env/bin/python does not run on this instance; create it in trial.setup, or"
            + " correct the path\nexit 1";
    assertThat(output(commands("run: x, python: env/bin/python").setup().orElseThrow()))
        .endsWith(message);
    assertThat(
            output(
                commands("run: x, python: env/bin/python, setup: 'echo early; exit 0'")
                    .setup()
                    .orElseThrow()))
        .startsWith("early\n")
        .endsWith(message);
  }

  /** The engine must answer before the setup, which may log in or build the image. */
  @Test
  void imageIsPulledAfterTheSetup() throws Exception {
    FakeDocker docker = FakeDocker.in(folder.resolve("docker"));
    String setup =
        commands("run: x, image: torch, setup: 'docker pull --quiet base'").setup().orElseThrow();

    String pulled = output(setup, docker.path());
    assertThat(pulled).containsPattern("elastune: the image was pulled in \\d+ s\nexit 0$");
    assertThat(output(setup, docker.path())).endsWith("exit 0");
    Path log = Files.writeString(folder.resolve("setup.log"), pulled);
    assertThat(ImageTime.inLog(log)).isPresent();
    assertThat(docker.calls().stream().filter(call -> call.contains("pull")))
        .as("the second setup finds the image")
        .containsExactly(
            "[\"pull\", \"--quiet\", \"base\"]",
            "[\"pull\", \"--quiet\", \"torch\"]",
            "[\"pull\", \"--quiet\", \"base\"]");
    assertThat(commands("run: x, image: torch").run(Map.of(), Set.of())).isEqualTo("x");
  }

  @Test
  void setupFailsWithoutDockerOrImage() throws Exception {
    FakeDocker docker = FakeDocker.in(folder.resolve("docker"));
    String absent =
        commands("run: x, image: absent, setup: 'echo early; exit 0'").setup().orElseThrow();

    assertThat(output(absent, docker.path()))
        .startsWith("early\n")
        .endsWith(
            "trial.image: this instance cannot pull absent; correct the name, or log in to its"
                + " registry in trial.setup\nexit 87");
    docker.stop();
    assertThat(output(absent, docker.path()))
        .doesNotContain("early")
        .endsWith(
            "trial.image: no Docker engine answers on this instance; install Docker, use a machine"
                + " image that has it, or leave out trial.image\nexit 87");
  }

  @Test
  void failedSetupKeepsItsExitCode() throws Exception {
    assertThat(
            output(
                commands("run: x, python: env/bin/python, setup: 'false; exit 4'")
                    .setup()
                    .orElseThrow()))
        .isEqualTo("exit 1");
    assertThat(
            output(
                commands("run: x, python: env/bin/python, setup: 'exit 4'").setup().orElseThrow()))
        .isEqualTo("exit 4");
  }
}

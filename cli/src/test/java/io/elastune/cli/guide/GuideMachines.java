package io.elastune.cli.guide;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.rented.RayPythonForTests;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.executor.ray.runtime.TestRuntimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The user's machine and the controller machine of a guide: two homes on this machine. A {@link
 * CommandServer} executes the commands of the controller.
 */
final class GuideMachines implements AutoCloseable {
  private static final String VERSION = "elastune-0.0.0";

  private final Path scratch;
  private final Map<String, String> variables;
  private final Map<String, String> session;
  private final CommandServer server;
  final Path laptop;
  final Path controller;

  /**
   * Creates both.
   *
   * @param variables the endpoint and credentials of the cloud
   */
  GuideMachines(Path scratch, Map<String, String> variables)
      throws IOException, InterruptedException {
    for (String program : List.of("zip", "unzip", "curl")) {
      assumeTrue(ExternalPrograms.isInstalled(program), program + " is not installed");
    }
    this.scratch = scratch;
    laptop = Files.createDirectories(scratch.resolve("laptop"));
    controller = Files.createDirectories(scratch.resolve("controller"));
    this.variables = new TreeMap<>(variables);
    this.variables.put("JAVA_HOME", System.getProperty("java.home"));
    this.variables.put("PATH", scratch.resolve("bin") + ":" + System.getenv("PATH"));
    session = session();
    server = new CommandServer(scratch.resolve("server"), session);
    writeRelease();
    writeSleep();
    program(scratch.resolve("image/python3"), "echo 'python3: not found' >&2", "exit 127");
  }

  /** The release: a client of the server instead of the launcher, and the Terraform modules. */
  private void writeRelease() throws IOException, InterruptedException {
    Path release = scratch.resolve(VERSION);
    Path terraform = ExampleFiles.REPOSITORY.resolve("terraform");
    try (Stream<Path> files = Files.walk(terraform)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.toString().contains(".terraform") && !file.toString().contains("tfstate")) {
          Path to = release.resolve("terraform").resolve(terraform.relativize(file));
          Files.createDirectories(to.resolveSibling(""));
          Files.copy(file, to);
        }
      }
    }
    program(release.resolve("elastune"), server.client());
    Path zip = laptop.resolve(VERSION + ".zip");
    ExternalPrograms.output(scratch, Map.of(), "zip", "-qr", zip.toString(), VERSION);
  }

  /** The variables of sessions on the controller machine. */
  private Map<String, String> session() {
    Map<String, String> session = new TreeMap<>(variables);
    session.put("HOME", controller.toString());
    session.put("ELASTUNE_HOME", controller.resolve(".elastune").toString());
    session.put(
        "PATH",
        scratch.resolve(VERSION) + ":" + scratch.resolve("image") + ":" + System.getenv("PATH"));
    return session;
  }

  /**
   * Boots the controller: its settings, and those that its image and addresses have here, the node
   * runtime, and the example. Its image has no Python.
   */
  void boot(String cloudsYaml, String jobYaml) throws IOException {
    Path home = Files.createDirectories(controller.resolve(".elastune"));
    Files.writeString(home.resolve("clouds.yaml"), cloudsYaml);
    var unused = TestRuntimes.standIn(home.resolve("runtimes"), RayPythonForTests.find());
    Path example = Files.createDirectories(shared().resolve("gpu"));
    Files.writeString(example.resolve("job.yaml"), jobYaml);
    Path repository = ExampleFiles.REPOSITORY;
    Files.copy(repository.resolve("configs/gpu/train.py"), example.resolve("train.py"));
    Path library = repository.resolve("python/elastune_trial.py");
    Files.copy(library, example.resolve("elastune_trial.py"));
  }

  /** The folder in the place of {@code /etc/elastune}. */
  private Path shared() {
    return scratch.resolve("etc");
  }

  /**
   * Adds a substitute of a command line that accepts only listed calls.
   *
   * @param cases the branches of a case statement in sh
   */
  void substitute(String name, String cases) throws IOException {
    program(
        scratch.resolve("bin").resolve(name),
        "printf '%s\\n' \"$*\" >> '" + scratch.resolve("calls") + "'",
        "case \"$*\" in",
        cases.strip(),
        "*) echo \"unexpected call: " + name + " $*\" >&2; exit 64 ;;",
        "esac");
  }

  /** The waits of the modules. */
  private void writeSleep() throws IOException {
    program(scratch.resolve("bin/sleep"), ":");
  }

  private static void program(Path file, String... lines) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    String text = String.join("\n", lines) + "\n";
    Files.writeString(file, text.startsWith("#!") ? text : "#!/bin/sh\n" + text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Sets a variable of the user's shell. */
  void set(String name, String value) {
    variables.put(name, value);
  }

  /** The exit code and the output of a command. */
  record Result(int code, String output) {}

  /**
   * Executes a command in the shell of a machine, whose folder and variables the next command gets.
   * All prompts are answered with {@code yes}.
   */
  Result execute(String text, boolean onController) throws IOException, InterruptedException {
    String command = text.replace("/etc/elastune", shared().toString());
    Path state = scratch.resolve(onController ? "session" : "shell");
    Path home = onController ? controller : laptop;
    Path script =
        Files.writeString(
            scratch.resolve("command.sh"),
            "[ ! -e '%1$s' ] || . '%1$s'\n%2$s\ncode=$?\n{ export -p; printf 'cd \"%%s\"\\n' \"$PWD\"; } > '%1$s'\nexit $code\n"
                .formatted(state, command));
    ProcessBuilder builder =
        new ProcessBuilder("bash", script.toString())
            .directory(home.toFile())
            .redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment
        .keySet()
        .removeIf(
            name ->
                Stream.of("TF_", "AWS_", "CLOUDSDK_", "GOOGLE_", "ELASTUNE_", "SSH_")
                    .anyMatch(name::startsWith));
    environment.putAll(onController ? session : variables);
    environment.put("HOME", home.toString());
    environment.put("TF_CLI_CONFIG_FILE", "/dev/null");
    environment.put("CHECKPOINT_DISABLE", "1");
    Process process = builder.start();
    server.endWithServer(process);
    try (var input = process.getOutputStream()) {
      input.write("yes\n".getBytes(UTF_8));
    } catch (IOException e) {
      // The command reads no input.
    }
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    int code = process.waitFor();
    return new Result(code, code == 0 ? output : output + server.log());
  }

  @Override
  public void close() {
    server.close();
  }
}

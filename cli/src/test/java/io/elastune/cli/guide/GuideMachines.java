package io.elastune.cli.guide;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.ExternalPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The user's machine and the controller machine of a guide: two homes on this machine. Real {@code
 * ssh} connects them, through a server that a substitute of the cloud's command line starts. The
 * commands of both are executed by one {@link CommandServer}.
 */
final class GuideMachines implements AutoCloseable {
  private static final String SSHD = "/usr/sbin/sshd";
  private static final String VERSION = "elastune-0.0.0";

  private final Path scratch;
  private final Map<String, String> variables;
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
    for (String program : List.of("ssh", "ssh-keygen", "zip", "unzip", "curl")) {
      assumeTrue(ExternalPrograms.isInstalled(program), program + " is not installed");
    }
    assumeTrue(Files.isExecutable(Path.of(SSHD)), "openssh-server is not installed");
    assumeTrue(
        !System.getProperty("user.name").equals("root") || Files.isDirectory(Path.of("/run/sshd")),
        "root's sshd requires /run/sshd");
    this.scratch = scratch;
    laptop = Files.createDirectories(scratch.resolve("laptop"));
    controller = Files.createDirectories(scratch.resolve("controller"));
    this.variables = new TreeMap<>(variables);
    this.variables.put("JAVA_HOME", System.getProperty("java.home"));
    this.variables.put("PATH", scratch.resolve("bin") + ":" + System.getenv("PATH"));
    Map<String, String> session = session();
    writeServer(session);
    server = new CommandServer(scratch.resolve("server"), session);
    // The server has the PATH of the controller machine.
    this.variables.put("ELASTUNE_SSH", scratch.resolve("bin/ssh").toString());
    writeRelease();
    writeSleep();
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
    session.put("PATH", scratch.resolve(VERSION) + ":" + System.getenv("PATH"));
    return session;
  }

  private void writeServer(Map<String, String> session) throws IOException, InterruptedException {
    ExternalPrograms.output(
        scratch, Map.of(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "host");
    Path keys = controller.resolve(".ssh/authorized_keys");
    StringBuilder set = new StringBuilder("SetEnv");
    session.forEach((name, value) -> set.append(" \"" + name + "=" + value + "\""));
    Files.writeString(
        scratch.resolve("sshd_config"),
        String.join(
            "\n",
            "HostKey " + scratch.resolve("host"),
            "AuthorizedKeysFile " + keys + " " + oneTimeKeys(),
            "PidFile none",
            "StrictModes no",
            "UsePAM no",
            "PasswordAuthentication no",
            "PermitRootLogin yes",
            set,
            ""));
    program(
        scratch.resolve("bin/ssh"),
        "PATH=${PATH#*:} ssh=$(PATH=${PATH#*:} command -v ssh)",
        "exec \"$ssh\" -F '%1$s/.ssh/config' -o User=%2$s -o IdentityFile='%1$s/.ssh/id_ed25519' -o IdentitiesOnly=yes -o UserKnownHostsFile='%1$s/.ssh/known_hosts' \"$@\""
            .formatted(laptop, System.getProperty("user.name")));
  }

  private Path oneTimeKeys() {
    return scratch.resolve("one-time-keys");
  }

  /** Boots the controller: its settings, and those that its image and addresses have here. */
  void boot(String cloudsYaml) throws IOException {
    Path home = Files.createDirectories(controller.resolve(".elastune"));
    Files.writeString(home.resolve("clouds.yaml"), cloudsYaml);
  }

  /**
   * Adds a substitute of a command line that accepts only listed calls.
   *
   * @param cases the branches of a case statement in sh; {@code sshd} connects, and {@code keys}
   *     stores keys
   */
  void substitute(String name, String cases) throws IOException {
    program(
        scratch.resolve("bin").resolve(name),
        "printf '%s\\n' \"$*\" >> '" + scratch.resolve("calls") + "'",
        "sshd() { exec " + SSHD + " -i -f '" + scratch.resolve("sshd_config") + "'; }",
        "keys() { cat >> '" + oneTimeKeys() + "'; }",
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

  /** Returns the folder of an example of the modules, in the unpacked release. */
  Path example(String cloud) {
    return laptop.resolve(VERSION).resolve("terraform").resolve(cloud).resolve("examples/minimal");
  }

  /** Sets a variable of the user's shell. */
  void set(String name, String value) {
    variables.put(name, value);
  }

  /** The exit code and the output of a command. */
  record Result(int code, String output) {}

  /**
   * Executes a command in the user's shell, whose folder and variables the next command gets. All
   * prompts are answered with {@code yes}.
   */
  Result execute(String command) throws IOException, InterruptedException {
    Path state = scratch.resolve("shell");
    Path script =
        Files.writeString(
            scratch.resolve("command.sh"),
            "[ ! -e '%1$s' ] || . '%1$s'\n%2$s\ncode=$?\n{ export -p; printf 'cd \"%%s\"\\n' \"$PWD\"; } > '%1$s'\nexit $code\n"
                .formatted(state, command));
    ProcessBuilder builder =
        new ProcessBuilder("bash", script.toString())
            .directory(laptop.toFile())
            .redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment
        .keySet()
        .removeIf(
            name ->
                Stream.of("TF_", "AWS_", "CLOUDSDK_", "GOOGLE_", "ELASTUNE_", "SSH_")
                    .anyMatch(name::startsWith));
    environment.putAll(variables);
    environment.put("HOME", laptop.toString());
    environment.put("ELASTUNE_HOME", laptop.resolve(".elastune").toString());
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

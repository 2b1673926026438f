package io.elastune.cli.host;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.ExternalPrograms;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * OpenSSH's server on a free port of the loopback interface, with its own keys, as the user of the
 * test. A program {@code ssh} in its folder knows it as the host {@code controller}.
 */
final class LocalSshServer implements AutoCloseable {
  private static final String USER = System.getProperty("user.name");
  private static final Path PROGRAM =
      Stream.of("/usr/sbin/sshd", "/usr/local/sbin/sshd", "/usr/bin/sshd")
          .map(Path::of)
          .filter(Files::isExecutable)
          .findFirst()
          .orElse(Path.of("/usr/sbin/sshd"));

  private static final int POLL_MS = 50;
  private static final int POLLS = 200;

  private final Path folder;
  private final Process process;

  /**
   * Starts a server; skips the test where that is impossible.
   *
   * @param environment variables of its sessions
   */
  LocalSshServer(Path folder, Map<String, String> environment)
      throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(PROGRAM), "openssh-server is not installed");
    assumeTrue(ExternalPrograms.isInstalled("ssh"), "openssh-client is not installed");
    assumeTrue(
        !USER.equals("root") || Files.isDirectory(Path.of("/run/sshd")),
        "root's sshd requires /run/sshd");
    this.folder = Files.createDirectories(folder);
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    for (String key : List.of("host", "user")) {
      ExternalPrograms.output(
          folder, Map.of(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key);
    }
    StringBuilder variables = new StringBuilder("SetEnv");
    environment.forEach((name, value) -> variables.append(" \"" + name + "=" + value + "\""));
    // The shell files of the user, such as those of pyenv, may take seconds and write to that home.
    Path home = Files.createDirectories(folder.resolve("session-home"));
    variables.append(" \"HOME=" + home + "\"");
    variables.append(
        " \"PATH=" + folder.resolve("session-bin") + ":/usr/local/bin:/usr/bin:/bin\"");
    Files.writeString(
        folder.resolve("sshd_config"),
        String.join(
            "\n",
            "ListenAddress 127.0.0.1",
            "Port " + port,
            "HostKey " + folder.resolve("host"),
            "AuthorizedKeysFile " + folder.resolve("user.pub"),
            "PidFile none",
            "StrictModes no",
            "UsePAM no",
            "PasswordAuthentication no",
            "PermitRootLogin yes",
            variables,
            ""));
    configureClient(port);
    process =
        new ProcessBuilder(
                PROGRAM.toString(), "-D", "-e", "-f", folder.resolve("sshd_config").toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("sshd.log").toFile())
            .start();
    awaitPort(port);
  }

  private void configureClient(int port) throws IOException {
    Files.writeString(
        folder.resolve("known_hosts"), "* " + Files.readString(folder.resolve("host.pub")));
    Files.writeString(
        folder.resolve("ssh_config"),
        String.join(
            "\n",
            "Host controller",
            "  HostName 127.0.0.1",
            "  Port " + port,
            "Host *",
            "  IdentityFile " + folder.resolve("user"),
            "  IdentitiesOnly yes",
            "  UserKnownHostsFile " + folder.resolve("known_hosts"),
            ""));
    program(folder.resolve("ssh"), "exec ssh -F '" + folder.resolve("ssh_config") + "' \"$@\"");
  }

  /**
   * Adds the configuration of a document, whose {@code ProxyCommand} reaches this server by a
   * substitute that requires exactly these arguments.
   */
  void addProxy(String configuration, String program, String arguments) throws IOException {
    Path config = folder.resolve("ssh_config");
    Files.writeString(
        config, configuration.replaceAll("User \\w+", "User " + USER) + Files.readString(config));
    program(
        folder.resolve("bin").resolve(program),
        "[ \"$*\" = '" + arguments + "' ] || { echo \"unexpected: $*\" >&2; exit 1; }",
        "exec " + PROGRAM + " -i -f '" + folder.resolve("sshd_config") + "'");
    program(
        folder.resolve("ssh"),
        "PATH='" + folder.resolve("bin") + "':$PATH",
        "exec ssh -F '" + config + "' \"$@\"");
  }

  /** Adds a program to the PATH of the sessions. */
  void addProgram(String name, String... lines) throws IOException {
    program(folder.resolve("session-bin").resolve(name), lines);
  }

  private static void program(Path file, String... lines) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    if (!file.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + file + " executable");
    }
  }

  /** Returns the program that stands for ssh. */
  Path client() {
    return folder.resolve("ssh");
  }

  private void awaitPort(int port) throws IOException, InterruptedException {
    for (int i = 0; i < POLLS && process.isAlive(); i++) {
      try {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
        return;
      } catch (IOException e) {
        process.waitFor(POLL_MS, TimeUnit.MILLISECONDS);
      }
    }
    throw new AssertionError("sshd: " + Files.readString(folder.resolve("sshd.log")));
  }

  /** Kills the server's processes of all connections, as a broken network would end them. */
  int cutConnections() {
    List<ProcessHandle> sessions =
        process.descendants().filter(some -> command(some).contains("sshd")).toList();
    sessions.forEach(ProcessHandle::destroyForcibly);
    return sessions.size();
  }

  private static String command(ProcessHandle process) {
    return process.info().command().orElse("");
  }

  @Override
  public void close() {
    cutConnections();
    process.destroyForcibly();
  }
}

package io.elastune.cli.host;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.NewSession;
import io.elastune.cli.remote.RemoteProtocol;
import io.elastune.core.ShellWord;
import io.elastune.core.files.PrivateFolder;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * Starts OpenSSH's client for the steps of one command. They share one connection, so the user
 * authenticates once. The user's own configuration applies, {@code ProxyCommand} included.
 */
final class SshClient implements Closeable {
  /** The exit code of ssh if the connection fails; no command of Elastune has it. */
  static final int CONNECTION_FAILED = 255;

  private static final String PROGRAM = "ELASTUNE_SSH";

  /** A dead connection is detected after a minute. */
  private static final List<String> KEEP_ALIVE =
      List.of("-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4");

  private static final int CONNECT_TIMEOUT_S = 20;
  private static final int CLOSE_TIMEOUT_S = 5;

  private final CliEnvironment cliEnvironment;
  private final HostOptions options;
  private final Path folder;
  private final String program;

  /**
   * How to connect.
   *
   * @param terminal whether the remote command gets a terminal
   * @param unattended whether ssh must not ask for a password, because the user may be away
   */
  record Mode(boolean terminal, boolean unattended) {}

  /**
   * The result of a step whose output is read.
   *
   * @param response what the controller machine answered, if it did
   * @param errors standard error
   */
  record Result(int exit, Optional<JsonNode> response, String errors) {}

  SshClient(CliEnvironment cliEnvironment, HostOptions options) throws IOException {
    this.cliEnvironment = cliEnvironment;
    this.options = options;
    this.folder = PrivateFolder.createTemporary("elastune"); // a short path, as sockets require
    this.program = cliEnvironment.variable(PROGRAM).orElse("ssh");
  }

  /** Returns the private folder for temporary files. */
  Path folder() {
    return folder;
  }

  /** Returns the ssh command for a request. */
  private List<String> command(Mode mode, String action, JsonNode request) {
    List<String> command = new ArrayList<>(shared());
    command.addAll(List.of("-o", "ControlMaster=auto", "-o", "ControlPersist=60"));
    command.addAll(KEEP_ALIVE);
    if (mode.unattended()) {
      command.addAll(List.of("-o", "BatchMode=yes", "-o", "ConnectTimeout=" + CONNECT_TIMEOUT_S));
    }
    if (mode.terminal()) {
      command.addAll(List.of("-o", "LogLevel=ERROR")); // not "Shared connection closed"
    }
    command.add(mode.terminal() ? "-t" : "-T");
    command.add(options.host());
    command.add(
        ShellWord.of(options.elastune())
            + " remote "
            + action
            + " "
            + ShellWord.of(request.toString()));
    return command;
  }

  private List<String> shared() {
    return List.of(program, "-o", "ControlPath=" + folder.resolve("c"));
  }

  /** Sends a request and reads the response. ssh may ask for a password at the terminal. */
  Result request(String action, JsonNode request) throws IOException, InterruptedException {
    return request(action, request, new File("/dev/null"));
  }

  /** Sends a request with the contents of a file. */
  Result request(String action, JsonNode request, File input)
      throws IOException, InterruptedException {
    // The errors go to a file: a shared connection that stays open may hold a pipe open.
    Path errors = Files.createTempFile(folder, "errors", "");
    Process process =
        builder(command(new Mode(false, false), action, request))
            .redirectInput(input)
            .redirectError(errors.toFile())
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    return new Result(exit, RemoteProtocol.response(output), Files.readString(errors).strip());
  }

  private ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(cliEnvironment.folder().toFile());
    builder.environment().clear();
    builder.environment().putAll(cliEnvironment.environment());
    return builder;
  }

  /** Starts a request at the terminal of this process, which ssh puts into raw mode. */
  Process startAtTerminal(Mode mode, String action, JsonNode request) throws IOException {
    return builder(command(mode, action, request)).inheritIO().start();
  }

  /** Starts a request whose streams are pipes. Ctrl-C at the terminal does not reach ssh. */
  Process startWithPipes(Mode mode, String action, JsonNode request) throws IOException {
    return builder(NewSession.command(command(mode, action, request))).start();
  }

  /** Closes the shared connection. */
  @Override
  public void close() throws IOException {
    List<String> command = new ArrayList<>(shared());
    command.addAll(List.of("-O", "exit", options.host()));
    Process process =
        builder(command)
            .redirectErrorStream(true)
            .redirectOutput(new File("/dev/null"))
            .redirectInput(new File("/dev/null"))
            .start();
    try {
      if (!process.waitFor(CLOSE_TIMEOUT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (var entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        Files.deleteIfExists(entry);
      }
    }
    Files.deleteIfExists(folder);
  }
}

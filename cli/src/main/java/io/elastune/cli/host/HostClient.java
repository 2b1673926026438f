package io.elastune.cli.host;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.SignalHandlers;
import io.elastune.cli.env.Version;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.PollDelay;
import io.elastune.cli.remote.RemoteProtocol;
import io.elastune.cli.text.ByteFormat;
import io.elastune.cli.text.Plural;
import io.elastune.cli.text.ShellWord;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Implements {@code elastune --host}: sends the job, runs the command on the controller machine,
 * shows its screens, and copies results back. A run continues there without a connection; this
 * command then reconnects.
 */
public final class HostClient {
  /** Pauses between attempts to reconnect, about half an hour in total. */
  private static final List<Integer> PAUSES_S =
      List.of(1, 2, 4, 8, 15, 30, 60, 60, 60, 120, 120, 120, 300, 300, 300, 300);

  /** With this many interrupts, the user wants to leave at once. */
  private static final int LEAVING_INTERRUPTS = 3;

  private static final int RELAY_TIMEOUT_MS = 2000;
  private static final int TOKEN_BYTES = 8;
  private static final int MOST_NAMED = 5;

  private final CliEnvironment cliEnvironment;
  private final HostOptions options;
  private final HostedArguments arguments;
  private final ConnectionFailure failures;
  private final OutputRelay relay;
  private final String token;

  public HostClient(CliEnvironment cliEnvironment, HostOptions options, ParseResult parsed) {
    this.cliEnvironment = cliEnvironment;
    this.options = options;
    this.arguments = new HostedArguments(cliEnvironment, parsed);
    this.failures = new ConnectionFailure(options);
    this.relay = new OutputRelay(cliEnvironment.out());
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    this.token = HexFormat.of().formatHex(random);
  }

  /** Runs the command and returns its exit code. */
  public int run() {
    try (SshClient ssh = new SshClient(cliEnvironment, options)) {
      return run(ssh);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED.code();
    }
  }

  private int run(SshClient ssh) throws IOException, InterruptedException {
    JobArchive archive = new JobArchive(cliEnvironment);
    arguments.job().ifPresent(job -> archive.addJob(job, arguments.overrides()));
    arguments.sent().forEach(archive::addGiven);
    Path tar = ssh.folder().resolve("job.tar");
    Optional<String> hash = archive.size() > 0 ? Optional.of(archive.write(tar)) : Optional.empty();
    ObjectNode hello = RemoteProtocol.document();
    hash.ifPresent(digits -> hello.put("archive", digits));
    JsonNode host = answer(ssh.request("hello", hello));
    checkVersion(host);
    if (hash.isPresent() && !host.path("stored").asBoolean()) {
      send(ssh, archive, tar, hash.get());
    }
    String root = host.path("folder").asString();
    ObjectNode request = RemoteProtocol.document().put("session", token);
    boolean results = arguments.follows() || !arguments.written().isEmpty();
    request.put("colors", cliEnvironment.useColors()).put("results", results);
    if (hash.isPresent()) {
      request.put("archive", hash.get()).put("job", archive.place());
    }
    String sent = root + "/jobs/" + archive.place() + "/" + JobArchive.GIVEN;
    String written = root + "/sessions/" + token + "/out";
    var words = request.putArray("arguments");
    arguments.words(archive.job(), sent, written).forEach(words::add);
    int exit = exec(ssh, request);
    if (results) {
      copyResults(ssh);
    }
    return exit;
  }

  private JsonNode answer(SshClient.Result result) {
    if (result.exit() != 0 || result.response().isEmpty()) {
      throw failures.of(result);
    }
    return result.response().get();
  }

  private void checkVersion(JsonNode host) {
    String there = host.path("version").asString();
    if (host.path("protocol").asInt() != RemoteProtocol.NUMBER) {
      throw failures.version(there);
    }
    if (!there.equals(Version.text())) {
      note(
          "elastune is "
              + there
              + " on "
              + options.host()
              + ", where the command runs, and "
              + Version.text()
              + " here.");
    }
  }

  private void send(SshClient ssh, JobArchive archive, Path tar, String hash)
      throws IOException, InterruptedException {
    note(
        "Sending "
            + Plural.counted(archive.size(), "file")
            + ", "
            + ByteFormat.format(Files.size(tar))
            + ", to "
            + options.host()
            + notSent(archive.notSent()));
    ObjectNode request = RemoteProtocol.document().put("archive", hash);
    answer(ssh.request("receive", request, tar.toFile()));
  }

  private static String notSent(List<String> entries) {
    if (entries.isEmpty()) {
      return "";
    }
    int more = entries.size() - MOST_NAMED;
    return "; not sent, because ignored: "
        + String.join(", ", entries.subList(0, Math.min(MOST_NAMED, entries.size())))
        + (more > 0 ? " and " + more + " more" : "");
  }

  /** Runs the command; reconnects to a run whose connection is lost. */
  private int exec(SshClient ssh, ObjectNode request) throws IOException, InterruptedException {
    int exit = stream(ssh, "exec", request, false);
    if (exit != SshClient.CONNECTION_FAILED) {
      return exit;
    }
    if (!arguments.follows()) {
      throw failures.lost(arguments.command());
    }
    boolean starts = arguments.startsAndFollows();
    ObjectNode again =
        starts
            ? RemoteProtocol.document().put("session", token).put("json", arguments.has("--json"))
            : request;
    note(
        "The connection to "
            + options.host()
            + " was lost. A run that has started continues there. Reconnecting; by hand: elastune"
            + " --host "
            + ShellWord.of(options.host())
            + " attach");
    for (int pause : PAUSES_S) {
      if (!PollDelay.sleepMillis(pause * 1000L)) {
        return ExitCode.INTERRUPTED.code();
      }
      exit = stream(ssh, starts ? "follow" : "exec", again, !cliEnvironment.terminal());
      if (exit != SshClient.CONNECTION_FAILED) {
        return exit;
      }
    }
    throw failures.notReconnected();
  }

  private int stream(SshClient ssh, String action, JsonNode request, boolean unattended)
      throws IOException, InterruptedException {
    SshClient.Mode mode = new SshClient.Mode(cliEnvironment.terminal(), unattended);
    return mode.terminal()
        ? ssh.startAtTerminal(mode, action, request).waitFor()
        : relay(ssh.startWithPipes(mode, action, request));
  }

  private int relay(Process process) throws InterruptedException {
    Thread out =
        arguments.has("--json") && arguments.follows()
            ? relay.relay(process.getInputStream())
            : OutputRelay.copy(process.getInputStream(), cliEnvironment.out());
    Thread err = OutputRelay.copy(process.getErrorStream(), cliEnvironment.err());
    OutputStream input = process.getOutputStream();
    AtomicInteger interrupts = new AtomicInteger();
    Thread current = Thread.currentThread();
    Runnable interruptAsBefore =
        SignalHandlers.on(
            "INT",
            () -> {
              if (interrupts.incrementAndGet() < LEAVING_INTERRUPTS) {
                OutputRelay.interrupt(input);
              } else {
                current.interrupt();
              }
            });
    try {
      int exit = process.waitFor();
      out.join(RELAY_TIMEOUT_MS);
      err.join(RELAY_TIMEOUT_MS);
      return exit;
    } finally {
      interruptAsBefore.run();
      process.destroy();
    }
  }

  /** A failure to copy does not change the exit code of the command. */
  private void copyResults(SshClient ssh) throws IOException, InterruptedException {
    ObjectNode request = RemoteProtocol.document().put("session", token);
    SshClient.Result result = ssh.request("result", request);
    if (result.exit() != 0 || result.response().isEmpty()) {
      note(String.valueOf(failures.of(result).getMessage()));
      note(
          "The results were not copied: elastune --host "
              + ShellWord.of(options.host())
              + " report RUN --html report.html");
      return;
    }
    CopiedResults results = new CopiedResults(cliEnvironment, options.host());
    results.writeFiles(result.response().get(), arguments.written());
    if (arguments.follows()) {
      results.writeReport(result.response().get());
    }
  }

  private void note(String text) {
    cliEnvironment.err().println(text);
  }
}

package io.elastune.cli.host;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.SignalHandlers;
import io.elastune.cli.inspect.PollDelay;
import io.elastune.cli.remote.RemoteProtocol;
import io.elastune.core.ShellWord;
import io.elastune.core.random.RandomToken;
import io.elastune.executor.decision.model.RunOutcome;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs a command on the controller machine and shows its output. It reconnects to a run whose
 * connection is lost, because the run continues.
 */
final class RemoteExecution {
  /** Pauses between attempts to reconnect, about half an hour in total. */
  private static final List<Integer> PAUSES_S =
      List.of(1, 2, 4, 8, 15, 30, 60, 60, 60, 120, 120, 120, 300, 300, 300, 300);

  /** A connection that lasts longer is no failed attempt to reconnect. */
  private static final long STABLE_NANOS = 60_000_000_000L;

  /** With this many interrupts, the user wants to leave at once. */
  private static final int LEAVING_INTERRUPTS = 3;

  private static final int RELAY_TIMEOUT_MS = 2000;

  /** Names of sessions are random, so that no other session has the same one. */
  private static final int TOKEN_BYTES = 8;

  private final CliEnvironment cliEnvironment;
  private final HostOptions options;
  private final HostedArguments arguments;
  private final ConnectionFailure failures;
  private final OutputRelay relay;
  private final MarkedOutput marked;
  private final Function<String, ObjectNode> requests;
  private String token = RandomToken.next(TOKEN_BYTES);

  /**
   * Creates an execution.
   *
   * @param requests returns the request that runs the command in the session with a token
   * @param results receives files that the command has changed
   */
  RemoteExecution(
      CliEnvironment cliEnvironment,
      HostOptions options,
      HostedArguments arguments,
      Function<String, ObjectNode> requests,
      CopiedResults results) {
    this.cliEnvironment = cliEnvironment;
    this.options = options;
    this.arguments = arguments;
    this.failures = new ConnectionFailure(options);
    this.relay = new OutputRelay(cliEnvironment.out());
    this.requests = requests;
    this.marked =
        new MarkedOutput(
            cliEnvironment.out(),
            arguments.marksPositions(),
            (name, text) -> results.writeChanged(arguments.written(), name, text));
  }

  /** Returns the token of the present session. */
  String token() {
    return token;
  }

  /** Runs the command, and returns its exit code. */
  int run(SshClient ssh) throws IOException, InterruptedException {
    int exit = stream(ssh, "exec", request(), false);
    if (exit != SshClient.CONNECTION_FAILED) {
      return exit;
    }
    if (!arguments.follows() && !arguments.watches()) {
      throw arguments.continuesAlone()
          ? failures.lostStart(arguments.positionals().get(0))
          : failures.lost(arguments.command());
    }
    noteLost();
    for (int attempt = 0; attempt < PAUSES_S.size(); attempt++) {
      if (!PollDelay.sleepMillis(PAUSES_S.get(attempt) * 1000L)) {
        return RunOutcome.INTERRUPTED.exitCode();
      }
      long begin = System.nanoTime();
      exit = reconnect(ssh);
      if (exit != SshClient.CONNECTION_FAILED) {
        return exit;
      }
      attempt = System.nanoTime() - begin > STABLE_NANOS ? -1 : attempt;
    }
    throw failures.notReconnected();
  }

  private int reconnect(SshClient ssh) throws IOException, InterruptedException {
    boolean unattended = !cliEnvironment.terminal();
    if (arguments.startsAndFollows()) {
      ObjectNode follow =
          RemoteProtocol.document().put("session", token).put("json", arguments.has("--json"));
      return stream(ssh, "follow", follow, unattended);
    }
    if (!unattended && usesPipes()) {
      // The user may have to authenticate, which is impossible in the background.
      SshClient.Result hello = ssh.request("hello", RemoteProtocol.document());
      if (hello.exit() == SshClient.CONNECTION_FAILED) {
        return hello.exit();
      }
    }
    // The process of the lost session may not have noticed that its connection is lost.
    token = RandomToken.next(TOKEN_BYTES);
    return stream(ssh, "exec", request(), unattended);
  }

  private ObjectNode request() {
    ObjectNode request = requests.apply(token);
    request.put("marks", arguments.marksPositions());
    request.put("changed_files", arguments.sendsChangedFiles());
    marked.position().ifPresent(position -> request.set(RemoteProtocol.POSITION, position));
    return request;
  }

  private void noteLost() {
    String lost = "The connection to " + options.host() + " was lost. ";
    cliEnvironment
        .err()
        .println(
            arguments.watches()
                ? lost + "A run in progress continues there. Reconnecting"
                : lost
                    + "A run that has started continues there. Reconnecting; by hand: elastune"
                    + " --host "
                    + ShellWord.of(options.host())
                    + " attach");
  }

  /**
   * Returns whether the output has to be read, even if it is shown at a terminal. A command that
   * continues alone has no terminal, because it would end with its terminal.
   */
  private boolean usesPipes() {
    return arguments.marksPositions()
        || arguments.sendsChangedFiles()
        || arguments.continuesAlone();
  }

  private int stream(SshClient ssh, String action, JsonNode request, boolean unattended)
      throws IOException, InterruptedException {
    boolean terminal = cliEnvironment.terminal() && !usesPipes();
    SshClient.Mode mode = new SshClient.Mode(terminal, unattended);
    return terminal
        ? ssh.startAtTerminal(mode, action, request).waitFor()
        : relay(ssh.startWithPipes(mode, action, request));
  }

  private Thread relayOutput(Process process) {
    if (usesPipes() && !arguments.continuesAlone()) {
      return marked.relay(process.getInputStream(), token);
    }
    return arguments.has("--json") && arguments.follows()
        ? relay.relay(process.getInputStream())
        : OutputRelay.copy(process.getInputStream(), cliEnvironment.out());
  }

  private int relay(Process process) throws InterruptedException {
    Thread out = relayOutput(process);
    Thread err = OutputRelay.copy(process.getErrorStream(), cliEnvironment.err());
    Runnable interruptAsBefore = forwardInterrupts(process.getOutputStream());
    try {
      int exit = process.waitFor();
      out.join(RELAY_TIMEOUT_MS);
      err.join(RELAY_TIMEOUT_MS);
      if (exit != SshClient.CONNECTION_FAILED) {
        marked.printHeld();
      }
      return exit;
    } finally {
      interruptAsBefore.run();
      process.destroy();
    }
  }

  /** Forwards Ctrl-C. A command that only reads ends at once. */
  private Runnable forwardInterrupts(OutputStream input) {
    AtomicInteger interrupts = new AtomicInteger();
    Thread current = Thread.currentThread();
    return SignalHandlers.on(
        "INT",
        () -> {
          if (interrupts.incrementAndGet() < LEAVING_INTERRUPTS && !arguments.watches()) {
            OutputRelay.interrupt(input);
          } else {
            current.interrupt();
          }
        });
  }
}

package io.elastune.cli.host;

import io.elastune.cli.env.Version;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.core.ShellWord;
import io.elastune.executor.decision.model.RunOutcome;
import java.util.regex.Pattern;

/** Explains why the controller machine did not answer. */
final class ConnectionFailure {
  private static final Pattern NOT_PERMITTED =
      Pattern.compile(
          "Permission denied|Host key verification failed|Too many authentication failures");

  private static final int NOT_EXECUTABLE = 126;
  private static final int NOT_FOUND = 127;

  private final HostOptions options;

  ConnectionFailure(HostOptions options) {
    this.options = options;
  }

  /** Returns the failure of a request before the command was started. */
  CommandFailure of(SshClient.Result result) {
    String host = options.host();
    String last = result.errors().lines().reduce("", (first, second) -> second.strip());
    if (result.exit() == SshClient.CONNECTION_FAILED) {
      boolean denied = NOT_PERMITTED.matcher(result.errors()).find();
      return failure(
          denied ? ExitCode.of(RunOutcome.NO_PERMISSION) : ExitCode.USAGE,
          "no connection to " + host + ": " + last + "; nothing was started",
          "test it with: ssh " + ShellWord.of(host));
    }
    if (result.exit() == NOT_FOUND || result.exit() == NOT_EXECUTABLE) {
      return failure(
          ExitCode.USAGE,
          "'" + options.elastune() + "' was not found on " + host + ": " + last,
          "install Elastune there, on the PATH of a non-interactive ssh session, or name the"
              + " program: --remote-elastune PATH");
    }
    if (result.errors().contains("remote: is not a command")) {
      return failure(
          ExitCode.USAGE,
          "elastune on " + host + " is too old for --host; here it is " + Version.text(),
          "install the same version there");
    }
    return failure(
        ExitCode.USAGE,
        "elastune on " + host + " failed with exit code " + result.exit() + ": " + last,
        "test it with: ssh " + ShellWord.of(host) + " " + options.elastune() + " --version");
  }

  /** Returns the failure for a controller machine with an incompatible version. */
  CommandFailure version(String there) {
    return failure(
        ExitCode.USAGE,
        "elastune "
            + there
            + " on "
            + options.host()
            + " and elastune "
            + Version.text()
            + " here cannot work together; nothing was started",
        "install the same version on both machines");
  }

  /** Returns the failure of a command whose connection was lost. */
  CommandFailure lost(String command) {
    return failure(
        ExitCode.of(RunOutcome.CLEANUP_UNCONFIRMED),
        "the connection to "
            + options.host()
            + " was lost; it is unknown whether '"
            + command
            + "' has finished there",
        "run the command again");
  }

  /** Returns the failure of a start of a schedule, which continues without its connection. */
  CommandFailure lostStart(String schedule) {
    String elastune = "elastune --host " + ShellWord.of(options.host());
    return failure(
        ExitCode.of(RunOutcome.CLEANUP_UNCONFIRMED),
        "the connection to " + options.host() + " was lost; a start that has begun continues there",
        "follow its run: "
            + elastune
            + " attach; its result: "
            + elastune
            + " schedule log "
            + ShellWord.of(schedule));
  }

  /** Returns the failure after the last attempt to reconnect. */
  CommandFailure notReconnected() {
    return failure(
        ExitCode.of(RunOutcome.CLEANUP_UNCONFIRMED),
        "no connection to " + options.host() + "; the run continues there without this command",
        "follow it: elastune --host " + ShellWord.of(options.host()) + " attach");
  }

  private static CommandFailure failure(ExitCode exit, String message, String hint) {
    return CommandFailure.of(exit, HostOptions.HOST, message, hint);
  }
}

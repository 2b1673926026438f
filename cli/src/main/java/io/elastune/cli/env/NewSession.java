package io.elastune.cli.env;

import java.util.ArrayList;
import java.util.List;

/** Starts programs in their own session, so that signals of the terminal do not reach them. */
public final class NewSession {
  /** Linux has setsid; macOS has perl. */
  private static final String SCRIPT =
      "if command -v setsid >/dev/null; then exec setsid \"$@\"; fi; "
          + "exec perl -e 'use POSIX; POSIX::setsid(); exec { $ARGV[0] } @ARGV' \"$@\"";

  private NewSession() {}

  /** Returns the command that starts {@code command} as the leader of a new session. */
  public static List<String> command(List<String> command) {
    List<String> all = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh"));
    all.addAll(command);
    return all;
  }
}

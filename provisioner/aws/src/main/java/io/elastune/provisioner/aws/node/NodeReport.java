package io.elastune.provisioner.aws.node;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a node has told on its console.
 *
 * @param exit the setup's exit code; 0 means that the node is ready
 * @param output the end of the setup's output, if it failed
 */
public record NodeReport(int exit, String output) {
  private static final Pattern READY = Pattern.compile("(?m)^ELASTUNE-NODE ready\\s*$");
  private static final Pattern FAILED =
      Pattern.compile("(?m)^ELASTUNE-NODE failed (\\d{1,3}) ([A-Za-z0-9+/=]*)\\s*$");

  /** Reads the console's text; empty as long as the node has told nothing. */
  public static Optional<NodeReport> in(String console) {
    Matcher failed = FAILED.matcher(console);
    if (failed.find()) {
      return Optional.of(
          new NodeReport(Integer.parseInt(failed.group(1)), decoded(failed.group(2))));
    }
    return READY.matcher(console).find() ? Optional.of(new NodeReport(0, "")) : Optional.empty();
  }

  /** Whether the node can take trials. */
  public boolean ready() {
    return exit == 0;
  }

  private static String decoded(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "(its output cannot be read)"; // a console may lose characters
    }
  }
}

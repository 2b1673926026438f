package io.elastune.provisioner.gcp.node;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a node has told of itself.
 *
 * @param exit the setup's exit code; 0 means that the node is ready
 * @param output the end of the setup's output, if it failed
 */
public record NodeReport(int exit, String output) {
  private static final String STATE = "state";
  private static final Pattern FAILED = Pattern.compile("failed (\\d{1,3}) ([A-Za-z0-9+/=]*)\\s*");

  /** Reads a node's attributes; empty as long as it has told nothing. */
  public static Optional<NodeReport> in(Map<String, String> told) {
    String state = told.getOrDefault(STATE, "");
    Matcher failed = FAILED.matcher(state);
    if (failed.matches()) {
      return Optional.of(
          new NodeReport(Integer.parseInt(failed.group(1)), decoded(failed.group(2))));
    }
    return state.strip().equals("ready") ? Optional.of(new NodeReport(0, "")) : Optional.empty();
  }

  /** Whether the node can take trials. */
  public boolean ready() {
    return exit == 0;
  }

  private static String decoded(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "(its output cannot be read)";
    }
  }
}

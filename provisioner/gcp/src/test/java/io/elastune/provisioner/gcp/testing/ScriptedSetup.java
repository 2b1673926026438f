package io.elastune.provisioner.gcp.testing;

import io.elastune.provisioner.NodeSetup;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/**
 * Simulates nodes without running their setup: the setup of the test contains the result to report.
 */
public final class ScriptedSetup {
  private static final String REPORT = "report ";

  private ScriptedSetup() {}

  /** Returns a setup that ends with this exit code and output. */
  public static NodeSetup setup(String output, int exit) {
    return new NodeSetup(REPORT + exit + " " + output, "/work", Map.of(), "");
  }

  /** Returns the guest attribute of a node with this startup script. */
  public static String guestAttribute(String script) {
    String encoded = script.replaceAll("(?s).*\ncommand='([^']*)'.*", "$1");
    String command = new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8);
    if (!command.startsWith(REPORT) || command.startsWith(REPORT + "0")) {
      return "ready";
    }
    String output = command.substring((REPORT + "3 ").length());
    return "failed "
        + command.charAt(REPORT.length())
        + " "
        + Base64.getEncoder().encodeToString(output.getBytes(StandardCharsets.UTF_8));
  }
}

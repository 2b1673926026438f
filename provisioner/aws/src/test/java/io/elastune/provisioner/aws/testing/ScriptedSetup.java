package io.elastune.provisioner.aws.testing;

import io.elastune.provisioner.NodeSetup;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/**
 * Simulates the console of a node: instead of running a setup, it reports the result that the setup
 * of the test defines.
 */
public final class ScriptedSetup {
  private static final String TELL = "tell ";

  private ScriptedSetup() {}

  /** Returns a setup with this exit code and output. */
  public static NodeSetup setup(String output, int exit) {
    return new NodeSetup(TELL + exit + " " + output, "/work", Map.of(), "");
  }

  /** Returns the console text of a node with this user data. */
  public static String consoleText(String userData) {
    String encoded = userData.replaceAll("(?s).*\ncommand='([^']*)'.*", "$1");
    String command = new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8);
    if (!command.startsWith(TELL) || command.startsWith(TELL + "0")) {
      return "\nELASTUNE-NODE ready\r\n";
    }
    String output = command.substring((TELL + "3 ").length());
    return "\nELASTUNE-NODE failed "
        + command.charAt(TELL.length())
        + " "
        + Base64.getEncoder().encodeToString(output.getBytes(StandardCharsets.UTF_8))
        + "\r\n";
  }
}

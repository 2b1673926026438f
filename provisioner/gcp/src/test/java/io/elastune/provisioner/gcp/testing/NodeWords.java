package io.elastune.provisioner.gcp.testing;

import io.elastune.provisioner.NodeSetup;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/**
 * A node that does not run its setup, for there is no node: it tells what the setup of the test
 * wants told.
 */
public final class NodeWords {
  private static final String TELL = "tell ";

  private NodeWords() {}

  /** A setup that ends with that code and that output. */
  public static NodeSetup setup(String output, int exit) {
    return new NodeSetup(TELL + exit + " " + output, "/work", Map.of(), "");
  }

  /** What a node with that startup script tells. */
  public static String told(String script) {
    String encoded = script.replaceAll("(?s).*\ncommand='([^']*)'.*", "$1");
    String command = new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8);
    if (!command.startsWith(TELL) || command.startsWith(TELL + "0")) {
      return "ready";
    }
    String output = command.substring((TELL + "3 ").length());
    return "failed "
        + command.charAt(TELL.length())
        + " "
        + Base64.getEncoder().encodeToString(output.getBytes(StandardCharsets.UTF_8));
  }
}

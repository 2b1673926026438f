package io.elastune.provisioner.remote;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * What a node has told of itself.
 *
 * @param exit the setup's exit code; 0 means that the node is ready
 * @param output the end of the setup's output, if it failed
 */
public record NodeReport(int exit, String output) {
  /** The node can take trials. */
  public static final NodeReport READY = new NodeReport(0, "");

  /**
   * The setup failed.
   *
   * @param exit its exit code, in digits
   * @param output the end of its output in Base64; what cannot be decoded is told as such
   */
  public static NodeReport failed(String exit, String output) {
    return new NodeReport(Integer.parseInt(exit), decoded(output));
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

package io.elastune.provisioner.remote;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.OptionalDouble;

/**
 * The report of a node about its setup.
 *
 * @param exit the setup's exit code; 0 means that the node is ready
 * @param output the end of the setup's output if the setup failed
 * @param setupS the seconds that the setup took; empty if it failed or there was none
 */
public record NodeReport(int exit, String output, OptionalDouble setupS) {
  /** The report of a node that can run trials without a setup. */
  public static final NodeReport READY = new NodeReport(0, "");

  public NodeReport(int exit, String output) {
    this(exit, output, OptionalDouble.empty());
  }

  /**
   * Returns the report of a node that can run trials.
   *
   * @param seconds the digits of the seconds that its setup took; empty without a setup
   */
  public static NodeReport ready(String seconds) {
    return seconds.isEmpty()
        ? READY
        : new NodeReport(0, "", OptionalDouble.of(Double.parseDouble(seconds)));
  }

  /**
   * Returns the report of a failed setup.
   *
   * @param exit the exit code, in digits
   * @param output the end of its output in Base64; invalid Base64 is replaced by a note
   */
  public static NodeReport failed(String exit, String output) {
    return new NodeReport(Integer.parseInt(exit), decoded(output));
  }

  /** Returns whether the node can run trials. */
  public boolean isReady() {
    return exit == 0;
  }

  private static String decoded(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "(its output cannot be read)"; // a console may drop characters
    }
  }
}

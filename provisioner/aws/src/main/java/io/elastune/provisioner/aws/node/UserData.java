package io.elastune.provisioner.aws.node;

import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.remote.NodeScript;
import java.time.Duration;
import java.util.Optional;

/**
 * Builds the user-data script of a node. Its first line makes cloud-init run it at each boot before
 * the services of the image; other scripts run last, or never if a service hangs.
 */
public final class UserData {
  private static final NodeScript SCRIPT = new NodeScript(UserData.class, "#cloud-boothook\n");

  private UserData() {}

  /** Returns the script; see {@link NodeScript#of}. */
  public static String script(Optional<NodeSetup> setup, long expires, Duration longest) {
    return SCRIPT.of(setup, expires, longest);
  }
}

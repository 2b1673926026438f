package io.elastune.provisioner.aws.node;

import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.remote.NodeScript;
import java.time.Duration;
import java.util.Optional;

/** Builds the user-data script that a node runs at its first boot. */
public final class UserData {
  private static final NodeScript SCRIPT = new NodeScript(UserData.class, "user-data.sh");

  private UserData() {}

  /** Returns the script; see {@link NodeScript#of}. */
  public static String script(Optional<NodeSetup> setup, long expires, Duration longest) {
    return SCRIPT.of(setup, expires, longest);
  }
}

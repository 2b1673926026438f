package io.elastune.provisioner.gcp.node;

import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.remote.NodeScript;
import java.time.Duration;
import java.util.Optional;

/** Creates the script that a node runs at each boot. */
public final class StartupScript {
  private static final NodeScript SCRIPT = new NodeScript(StartupScript.class, "");

  private StartupScript() {}

  /** Returns the script; see {@link NodeScript#of}. */
  public static String of(Optional<NodeSetup> setup, long expires, Duration longest) {
    return SCRIPT.of(setup, expires, longest);
  }
}

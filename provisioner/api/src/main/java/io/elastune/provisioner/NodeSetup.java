package io.elastune.provisioner;

import java.util.Map;

/**
 * What is run once on a new instance.
 *
 * @param command a shell command
 * @param workdir the folder to run it in
 * @param environment its whole environment besides the system's own; may hold secrets
 * @param log the file that its output is appended to
 */
public record NodeSetup(
    String command, String workdir, Map<String, String> environment, String log) {
  public NodeSetup {
    environment = Map.copyOf(environment);
  }

  /** Names the variables only: their values may be secret. */
  @Override
  public String toString() {
    return "NodeSetup[" + command + ", " + workdir + ", " + environment.keySet() + "]";
  }
}

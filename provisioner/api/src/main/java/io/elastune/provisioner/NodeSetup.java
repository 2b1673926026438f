package io.elastune.provisioner;

import java.util.Map;
import java.util.Optional;

/**
 * The setup command that runs once on a new instance.
 *
 * @param command a shell command
 * @param workdir the folder to run it in
 * @param environment the environment variables added to the system's; may contain secrets
 * @param log the file to which its output is appended
 * @param mask hides the values of secrets in the log
 * @param image the container image of the trials, which the instance has after the setup; empty if
 *     they run without containers
 * @param usesLocalDisk whether {@code workdir} may be a link to a local disk of the instance
 * @param usedPath a path that exists on the instance once its controller uses it: the instance
 *     repeats the report that the setup has ended until then. It reports once if this is empty
 */
public record NodeSetup(
    String command,
    String workdir,
    Map<String, String> environment,
    String log,
    SecretMask mask,
    Optional<String> image,
    boolean usesLocalDisk,
    Optional<String> usedPath) {
  public NodeSetup {
    environment = Map.copyOf(environment);
  }

  /** Creates a setup without secrets. */
  public NodeSetup(String command, String workdir, Map<String, String> environment, String log) {
    this(command, workdir, environment, log, SecretMask.NONE);
  }

  /** Creates the setup of trials without containers. */
  public NodeSetup(
      String command,
      String workdir,
      Map<String, String> environment,
      String log,
      SecretMask mask) {
    this(command, workdir, environment, log, mask, Optional.empty());
  }

  /** Creates a setup that runs in its folder wherever that is. */
  public NodeSetup(
      String command,
      String workdir,
      Map<String, String> environment,
      String log,
      SecretMask mask,
      Optional<String> image) {
    this(command, workdir, environment, log, mask, image, false, Optional.empty());
  }

  /** Returns the same setup, whose folder is on a local disk of the instance if it has one. */
  public NodeSetup onLocalDisk() {
    return new NodeSetup(command, workdir, environment, log, mask, image, true, usedPath);
  }

  /** Returns the same setup, whose end is reported until this path exists on the instance. */
  public NodeSetup reportedUntil(String path) {
    return new NodeSetup(
        command, workdir, environment, log, mask, image, usesLocalDisk, Optional.of(path));
  }

  /** Shows the names of the variables only: their values may be secret. */
  @Override
  public String toString() {
    return "NodeSetup[" + command + ", " + workdir + ", " + environment.keySet() + "]";
  }
}

package io.elastune.executor.ray.settings;

import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.process.HostTools;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Creates the settings of the bridge to a Ray cluster of the user. */
public final class BridgeCommand {
  private static final int LOOK_S = 10;
  private static final String HAS_RAY =
      "import importlib.util, sys; sys.exit(importlib.util.find_spec('ray') is None)";

  private final ClusterSettings cluster;
  private final Function<String, Optional<String>> environment;

  /** Creates the command for a cluster, with the environment variables of this process. */
  public BridgeCommand(ClusterSettings cluster) {
    this(cluster, name -> Optional.ofNullable(System.getenv(name)));
  }

  /**
   * Creates the command for a cluster.
   *
   * @param environment returns the value of an environment variable
   */
  public BridgeCommand(ClusterSettings cluster, Function<String, Optional<String>> environment) {
    this.cluster = cluster;
    this.environment = environment;
  }

  /**
   * Returns the settings of a bridge.
   *
   * @param patience how long a request waits for a bridge and an agent before it fails
   * @throws CloudException if no Python here has Ray, or the token is not set
   */
  public BridgeSettings settings(String run, int epoch, Path log, Duration patience) {
    List<String> command = new ArrayList<>(cluster.via());
    command.add(python());
    return new BridgeSettings(command, cluster.address(), "", run, epoch, log, token(), patience);
  }

  private Map<String, String> token() {
    if (cluster.tokenVariable().isEmpty()) {
      return Map.of();
    }
    String name = cluster.tokenVariable().get();
    String token =
        environment
            .apply(name)
            .filter(value -> !value.isBlank())
            .orElseThrow(
                () ->
                    new CloudException(
                        new CloudFailure.Permission(
                            "The token of the Ray cluster is missing: the environment variable "
                                + name
                                + " is not set")));
    return Map.of("RAY_AUTH_MODE", "token", "RAY_AUTH_TOKEN", token.strip());
  }

  private String python() {
    return cluster
        .python()
        .or(() -> cluster.via().isEmpty() ? withRay() : Optional.of("python3"))
        .orElseThrow(
            () ->
                new CloudException(
                    new CloudFailure.Invalid(
                        "No python3 on the PATH has the package ray. Install the cluster's version"
                            + " of it (pip install ray), or set python in the section ray of"
                            + " clouds.yaml")));
  }

  /** A virtual environment may have a python3 without Ray before the one with it. */
  private static Optional<String> withRay() {
    Set<String> found = new LinkedHashSet<>();
    String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
    for (String folder : path.split(File.pathSeparator, -1)) {
      Path file = Path.of(folder.isEmpty() ? "." : folder, "python3");
      if (Files.isExecutable(file) && Files.isRegularFile(file)) {
        found.add(file.toString());
      }
    }
    return found.stream().filter(BridgeCommand::hasRay).findFirst();
  }

  private static boolean hasRay(String python) {
    try {
      ProcessBuilder builder = new ProcessBuilder(python, "-c", HAS_RAY);
      builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
      builder.environment().clear();
      builder.environment().putAll(HostTools.inheritedEnvironment());
      Process process = builder.start();
      process.getOutputStream().close();
      if (!process.waitFor(LOOK_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return false;
      }
      return process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

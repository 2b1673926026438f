package io.elastune.executor.ray.settings;

import io.elastune.core.config.FileProblemsException;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/** Finds the Ray cluster that {@code ray/auto}, {@code ray/HOST:PORT} or {@code ray/NAME} names. */
public final class UserClusters {
  /** The provider of offers on Ray clusters of the user. */
  public static final String PROVIDER = "ray";

  private static final String PREFIX = PROVIDER + "/";
  private static final Pattern HOST_PORT = Pattern.compile("[^:/\\s]+:[0-9]+");

  private final Path file;
  private final Map<String, ClusterSettings> named;

  private UserClusters(Path file, Map<String, ClusterSettings> named) {
    this.file = file;
    this.named = named;
  }

  /**
   * Reads the settings; without a file, no cluster has a name.
   *
   * @throws FileProblemsException with all problems of the section
   * @throws CloudException if the file cannot be read
   */
  public static UserClusters read(Path file) {
    try {
      return new UserClusters(file, ClustersFile.parse(file.toString(), Files.readString(file)));
    } catch (NoSuchFileException e) {
      return new UserClusters(file, Map.of());
    } catch (IOException e) {
      throw new CloudException(
          new CloudFailure.Invalid("Reading " + file + " failed: " + e.getMessage()), e);
    }
  }

  /** Returns the clusters with a name. */
  public Map<String, ClusterSettings> named() {
    return named;
  }

  /**
   * Returns the settings of the cluster of an offer's {@code infra}.
   *
   * @throws CloudException if no cluster has that name
   */
  public ClusterSettings find(String infra) {
    String name = infra.startsWith(PREFIX) ? infra.substring(PREFIX.length()) : "";
    ClusterSettings found = named.get(name);
    if (found != null) {
      return found;
    }
    if (name.equals(ClusterSettings.AUTO) || HOST_PORT.matcher(name).matches()) {
      return ClusterSettings.ofAddress(name);
    }
    String known = named.isEmpty() ? "" : ", or one of " + String.join(", ", named.keySet());
    throw new CloudException(
        new CloudFailure.Invalid(
            infra
                + " names no Ray cluster: use ray/auto, ray/HOST:PORT, or the name of a cluster in"
                + " the section ray of "
                + file
                + known));
  }
}

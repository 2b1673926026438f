package io.elastune.provisioner.remote;

import io.elastune.provisioner.NodeSetup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Builds the script that a node runs at each boot, from a template and the functions of the cloud
 * in {@code cloud.sh}. The script contains no secrets, because every user of the node can read it.
 *
 * @param cloud a class in the package of {@code cloud.sh}
 * @param header the lines before the script, by which the cloud recognizes when to run it
 */
public record NodeScript(Class<?> cloud, String header) {
  /**
   * Returns the script.
   *
   * @param setup runs after the dead-man timer is started; its environment must be empty
   * @param expires the expiry, in seconds since 1970, at which the node shuts down unless renewed
   * @param longest the time after which the node shuts down in any case
   */
  public String of(Optional<NodeSetup> setup, long expires, Duration longest) {
    return header
        + compact(resource(NodeScript.class, "node.sh"))
            .replace("@CLOUD@", compact(resource(cloud, "cloud.sh")))
            .replace("@EXPIRES@", Long.toString(expires))
            .replace("@LONGEST_S@", Long.toString(longest.toSeconds()))
            .replace(
                "@LOCAL_DISK@", setup.filter(NodeSetup::usesLocalDisk).map(some -> "1").orElse(""))
            .replace(
                "@USED@", setup.flatMap(NodeSetup::usedPath).map(NodeScript::base64).orElse(""))
            .replace("@SETUP@", setup.map(some -> base64(some.command())).orElse(""))
            .replace("@WORKDIR@", setup.map(some -> base64(some.workdir())).orElse(""));
  }

  /** Removes comments, indentation and empty lines: EC2 accepts 16 KiB of user data. */
  private static String compact(String script) {
    return script
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && (!line.startsWith("#") || line.startsWith("#!")))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String resource(Class<?> owner, String name) {
    try (InputStream stream = owner.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("resource " + name + " is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package io.elastune.provisioner.remote;

import io.elastune.provisioner.NodeSetup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/**
 * The script that a node runs when it boots: a template of the kind's own, and its {@code
 * dead-man.sh}. It holds no secret: anyone on the node reads it.
 *
 * @param kind a class beside which the templates lie
 * @param template the name of the script's template
 */
public record NodeScript(Class<?> kind, String template) {
  /**
   * The script.
   *
   * @param setup run once the dead-man timer is armed; its environment must be empty
   * @param expires seconds since 1970 at which the node ends itself unless that is put off
   * @param longest after which the node ends itself in any case
   */
  public String of(Optional<NodeSetup> setup, long expires, Duration longest) {
    return resource(template)
        .replace("@DEAD_MAN@", resource("dead-man.sh").strip())
        .replace("@EXPIRES@", Long.toString(expires))
        .replace("@LONGEST_S@", Long.toString(longest.toSeconds()))
        .replace("@SETUP@", setup.map(some -> base64(some.command())).orElse(""))
        .replace("@WORKDIR@", setup.map(some -> base64(some.workdir())).orElse(""));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private String resource(String name) {
    try (InputStream stream = kind.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException(name + " is missing from the program");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

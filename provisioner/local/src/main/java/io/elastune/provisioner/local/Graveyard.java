package io.elastune.provisioner.local;

import io.elastune.provisioner.host.InstanceFolder;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the billing times of terminated instances for some days. As with a real cloud, a later
 * controller can read when they ended.
 */
final class Graveyard {
  private static final Logger LOG = LoggerFactory.getLogger(Graveyard.class);
  private static final Duration REST = Duration.ofDays(7);
  private static final String RUNNING = "running";
  private static final String ENDED = "ended";

  private final Path folder;
  private boolean swept;

  /**
   * The billing times of one instance.
   *
   * @param running the start of billing; empty if it was never billed
   * @param ended the end of billing
   */
  record Grave(Optional<Instant> running, Instant ended) {
    /** Corrects an end before the start: guards report it in whole seconds. */
    static Grave of(Optional<Instant> running, Instant ended) {
      Instant begin = running.orElse(ended);
      return new Grave(running, begin.isAfter(ended) ? begin : ended);
    }
  }

  Graveyard(Path home) {
    folder = home.resolve("local-ended");
  }

  void bury(String lease, Grave grave) {
    Map<String, String> values = new HashMap<>(Map.of(ENDED, grave.ended().toString()));
    grave.running().ifPresent(at -> values.put(RUNNING, at.toString()));
    try {
      Files.createDirectories(folder);
      sweep(grave.ended());
      Instances.store(folder.resolve(lease), values);
    } catch (IOException e) {
      LOG.warn("Storing the end of {} failed: {}", lease, e.toString());
    }
  }

  Optional<Grave> find(String lease) {
    if (!InstanceFolder.isName(lease)) {
      return Optional.empty();
    }
    Properties values = Instances.load(folder.resolve(lease));
    return Optional.ofNullable(values.getProperty(ENDED))
        .map(
            ended ->
                new Grave(
                    Optional.ofNullable(values.getProperty(RUNNING)).map(Instant::parse),
                    Instant.parse(ended)));
  }

  /** Deletes old entries, once per controller. */
  private void sweep(Instant now) throws IOException {
    if (swept) {
      return;
    }
    swept = true;
    try (DirectoryStream<Path> graves = Files.newDirectoryStream(folder)) {
      for (Path grave : graves) {
        if (Files.getLastModifiedTime(grave).toInstant().isBefore(now.minus(REST))) {
          Files.deleteIfExists(grave);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }
}

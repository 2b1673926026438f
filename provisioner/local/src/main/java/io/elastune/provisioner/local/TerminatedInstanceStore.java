package io.elastune.provisioner.local;

import io.elastune.core.files.PrivateFiles;
import io.elastune.provisioner.process.InstanceFolder;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the billing times of terminated instances for some days. As with a real cloud, a later
 * controller can read when they ended.
 */
final class TerminatedInstanceStore {
  private static final Logger LOG = LoggerFactory.getLogger(TerminatedInstanceStore.class);
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
  record TerminatedInstance(Optional<Instant> running, Instant ended) {
    /** Corrects an end before the start: guards report it in whole seconds. */
    static TerminatedInstance of(Optional<Instant> running, Instant ended) {
      Instant begin = running.orElse(ended);
      return new TerminatedInstance(running, begin.isAfter(ended) ? begin : ended);
    }
  }

  TerminatedInstanceStore(Path home) {
    folder = home.resolve("local-ended");
  }

  void store(String lease, TerminatedInstance terminatedInstance) {
    Map<String, String> values =
        new HashMap<>(Map.of(ENDED, terminatedInstance.ended().toString()));
    terminatedInstance.running().ifPresent(at -> values.put(RUNNING, at.toString()));
    try {
      PrivateFiles.createFolder(folder);
      sweep(terminatedInstance.ended());
      InstanceRecords.store(folder.resolve(lease), values);
    } catch (IOException e) {
      LOG.warn("Storing the end of {} failed: {}", lease, e.toString());
    }
  }

  Optional<TerminatedInstance> find(String lease) {
    if (!InstanceFolder.isValidName(lease)) {
      return Optional.empty();
    }
    Properties values = InstanceRecords.load(folder.resolve(lease));
    return Optional.ofNullable(values.getProperty(ENDED))
        .map(
            ended ->
                new TerminatedInstance(
                    Optional.ofNullable(values.getProperty(RUNNING)).map(Instant::parse),
                    Instant.parse(ended)));
  }

  /** Returns the leases of a run whose instances have ended lately. */
  List<String> leasesOf(String run) {
    List<String> leases = new ArrayList<>();
    try (DirectoryStream<Path> graves = Files.newDirectoryStream(folder)) {
      for (Path grave : graves) {
        String lease = grave.getFileName().toString();
        if (lease.startsWith(run + "-")) {
          leases.add(lease);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return leases; // none has ended yet
    }
    return leases;
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

package io.elastune.provisioner.local;

import io.elastune.core.files.PrivateFiles;
import io.elastune.core.files.PrivateFolder;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.process.InstanceFolder;
import io.elastune.provisioner.process.OwnedProcesses;
import io.elastune.provisioner.process.ProcessTable;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes the folders of local instances, and verifies their contents. */
final class InstanceRecords {
  private static final Logger LOG = LoggerFactory.getLogger(InstanceRecords.class);
  private static final String TAGS = "tags.properties";
  private static final String GUARD = "guard.properties";
  private static final String PID = "pid";
  private static final String STARTED = "started";
  private static final String RUNNING = "running";

  private InstanceRecords() {}

  /** Returns the id of the instance of a lease. */
  static String id(String lease) {
    return "local-" + lease;
  }

  /** Creates the folder with all tags in one atomic step. */
  static void create(InstanceFolder folder, Map<String, String> tags) throws IOException {
    var unused = PrivateFolder.open(folder.path().resolveSibling(""));
    Path draft = Files.createTempDirectory(folder.path().getParent(), ".new-");
    PrivateFiles.createFolder(draft.resolve("workers"));
    store(draft.resolve(TAGS), tags);
    Files.move(draft, folder.path());
  }

  /**
   * Stores when the instance began to run, and the id and start time of its guard. The start time
   * distinguishes the guard from a later process with the same id.
   */
  static void record(InstanceFolder folder, long guard, Instant running) throws IOException {
    store(
        folder.path().resolve(GUARD),
        Map.of(
            PID, Long.toString(guard),
            STARTED, started(guard).orElse(""),
            RUNNING, running.toString()));
  }

  /** Returns when the instance began to run, if it ever did. */
  static Optional<Instant> runningSince(InstanceFolder folder) {
    return Optional.ofNullable(load(folder.path().resolve(GUARD)).getProperty(RUNNING))
        .map(Instant::parse);
  }

  /** Returns the folders of all instances, including ended ones. */
  static List<InstanceFolder> all(Path home) {
    List<InstanceFolder> folders = new ArrayList<>();
    try (DirectoryStream<Path> paths =
        Files.newDirectoryStream(
            InstanceFolder.parentOf(home),
            path -> InstanceFolder.isValidName(path.getFileName().toString()))) {
      paths.forEach(path -> folders.add(new InstanceFolder(path)));
    } catch (IOException | DirectoryIteratorException e) {
      return folders; // No instance was ever created here.
    }
    return folders;
  }

  static Optional<String> run(InstanceFolder folder) {
    return Optional.ofNullable(load(folder.path().resolve(TAGS)).getProperty(Tags.RUN));
  }

  /** Returns the guard and the workers of an instance of any controller. */
  static OwnedProcesses processesOf(InstanceFolder folder) {
    Set<Long> leaders = new HashSet<>();
    Properties guard = load(folder.path().resolve(GUARD));
    String pid = guard.getProperty(PID, "");
    if (!pid.isEmpty() && sameProcess(Long.parseLong(pid), guard.getProperty(STARTED, ""))) {
      leaders.add(Long.parseLong(pid));
    }
    // Registered ids are valid only until the guard has ended all processes: later they may be
    // reused. On Linux, the environment identifies the processes anyway.
    if (!leaders.isEmpty() || (!ProcessTable.canReadEnvironments() && endedAt(folder).isEmpty())) {
      leaders.addAll(folder.registered());
    }
    return new OwnedProcesses("ELASTUNE_LEASE", folder.path().getFileName().toString(), leaders);
  }

  /** Returns when the guard ended the instance, if it has recorded that. */
  static Optional<Instant> endedAt(InstanceFolder folder) {
    try {
      String seconds = Files.readString(folder.path().resolve("ended")).trim();
      return Optional.of(Instant.ofEpochSecond(Long.parseLong(seconds)));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  static void remove(InstanceFolder folder) {
    if (!Files.exists(folder.path())) {
      return;
    }
    try (Stream<Path> paths = Files.walk(folder.path())) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      LOG.warn("Removing {} failed: {}", folder.path(), e.toString());
    }
  }

  private static boolean sameProcess(long pid, String started) {
    return ProcessHandle.of(pid).isPresent() && started(pid).orElse("").equals(started);
  }

  private static Optional<String> started(long pid) {
    return ProcessHandle.of(pid).flatMap(p -> p.info().startInstant()).map(Instant::toString);
  }

  static void store(Path file, Map<String, String> values) throws IOException {
    Properties properties = new Properties();
    properties.putAll(values);
    try (Writer writer = Files.newBufferedWriter(PrivateFiles.createFile(file))) {
      properties.store(writer, null);
    }
  }

  static Properties load(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      return new Properties();
    }
    return properties;
  }
}

package io.elastune.cli.remote;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.core.files.PrivateFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files that other machines send to this one, in {@code $ELASTUNE_HOME/remote}: archives by
 * their hash, the jobs as links to their latest archive, and one folder for each session.
 */
final class RemoteFolder {
  private static final Pattern NAME = Pattern.compile("[\\w.-]{1,100}");

  /**
   * An archive that a newer one replaced is stored for this long, and a session after its start.
   */
  private static final Duration STORED = Duration.ofDays(30);

  private static final String JOBS = "jobs";

  private final Path root;
  private final Instant now;

  RemoteFolder(CliEnvironment cliEnvironment) {
    root = cliEnvironment.home().resolve("remote");
    now = cliEnvironment.clock().instant();
  }

  Path root() {
    return root;
  }

  Path archive(String hash) {
    return root.resolve("archives").resolve(checked(hash));
  }

  /** Returns the folder of a session, which has its name, its exit code and its output files. */
  Path session(String token) {
    return root.resolve("sessions").resolve(checked(token));
  }

  private Path job(String name) {
    return root.resolve(JOBS).resolve(checked(name));
  }

  /** A name comes from a request and must not lead elsewhere. */
  private static String checked(String name) {
    if (!NAME.matcher(name).matches() || name.startsWith(".")) {
      throw new IllegalArgumentException("not a name: " + name);
    }
    return name;
  }

  /** Creates all folders, and removes old archives and sessions. */
  void prepare() throws IOException {
    for (String name : List.of("archives", "sessions", JOBS)) {
      var unused = PrivateFolder.open(root.resolve(name));
    }
    removeUnusedSchedules();
    removeOld(root.resolve("archives"), targets(root.resolve(JOBS)));
    removeOld(root.resolve("sessions"), Set.of());
  }

  /** Removes the links to archives of schedules that were removed since. */
  private void removeUnusedSchedules() throws IOException {
    String schedules = schedules();
    try (DirectoryStream<Path> links =
        Files.newDirectoryStream(root.resolve(JOBS), RemoteProtocol.SCHEDULED + "*")) {
      for (Path link : links) {
        // Its schedule may not be stored yet.
        if (!schedules.contains("/" + link.getFileName() + "/") && isOld(link)) {
          Files.deleteIfExists(link);
        }
      }
    }
  }

  /** Returns the text of all schedules, which contains the paths of their job files. */
  private String schedules() throws IOException {
    Path folder = root.resolveSibling("schedules");
    if (!Files.isDirectory(folder)) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.json")) {
      for (Path file : files) {
        try {
          text.append(Files.readString(file));
        } catch (NoSuchFileException e) {
          // It was removed meanwhile.
        }
      }
    }
    return text.toString();
  }

  /** Returns the present archives of all jobs. */
  private static Set<Path> targets(Path jobs) throws IOException {
    Set<Path> targets = new HashSet<>();
    try (DirectoryStream<Path> links = Files.newDirectoryStream(jobs)) {
      for (Path link : links) {
        try {
          targets.add(Files.readSymbolicLink(link));
        } catch (NoSuchFileException e) {
          // Another session has replaced it.
        }
      }
    }
    return targets;
  }

  private void removeOld(Path parent, Set<Path> used) throws IOException {
    List<Path> old;
    try (Stream<Path> entries = Files.list(parent)) {
      old = entries.filter(entry -> isOld(entry) && !used.contains(entry)).toList();
    }
    for (Path entry : old) {
      remove(entry);
    }
  }

  private boolean isOld(Path entry) {
    try {
      return Files.getLastModifiedTime(entry, LinkOption.NOFOLLOW_LINKS)
          .toInstant()
          .isBefore(now.minus(STORED));
    } catch (IOException e) {
      return false; // another session has removed it
    }
  }

  /** Removes a folder with its contents, if it exists. */
  static void remove(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> entries = Files.walk(folder)) {
      all = entries.sorted(Comparator.reverseOrder()).toList();
    } catch (NoSuchFileException e) {
      return;
    }
    for (Path entry : all) {
      Files.deleteIfExists(entry);
    }
  }

  /** Returns whether an archive is stored, and marks it as used. */
  boolean use(String hash) throws IOException {
    Path archive = archive(hash);
    if (!Files.isDirectory(archive)) {
      return false;
    }
    Files.setLastModifiedTime(archive, FileTime.from(now));
    return true;
  }

  /** Makes an archive the present version of a job, and returns the job's folder. */
  Path link(String job, String hash) throws IOException {
    Path link = job(job);
    Path target = archive(hash);
    if (Files.exists(link, LinkOption.NOFOLLOW_LINKS)
        && Files.readSymbolicLink(link).equals(target)
        && !isOld(link)) {
      return link;
    }
    Path next = link.resolveSibling(job + "." + ProcessHandle.current().pid() + ".tmp");
    Files.deleteIfExists(next);
    Files.createSymbolicLink(next, target);
    Files.move(next, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return link;
  }
}

package io.elastune.executor.checkpoint;

import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.code.FolderRemover;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds, validates and deletes the checkpoints of one trial. Only one process may change them at a
 * time: the trial's workers, or the engine after all workers have exited.
 *
 * @param folder the trial's {@code checkpoint_dir}
 */
public record CheckpointStore(Path folder) {
  private static final String TORN = ".torn";
  private static final String HALF_WRITTEN = ".tmp";
  private static final Pattern UNIT = Pattern.compile("[1-9][0-9]{0,8}");
  private static final Pattern TEMPORARY = Pattern.compile("[0-9]+\\.tmp");
  private static final String SET_ASIDE = "left-";

  /**
   * The result of a cleanup.
   *
   * @param complete units of the complete checkpoints that are left, newest first
   * @param torn whether a newer checkpoint was torn
   * @param problems one message for each torn checkpoint
   * @param unreported units of complete checkpoints beyond the limit, which are kept and do not
   *     count, in ascending order
   * @param digests the digests of the complete checkpoints that count, by unit
   */
  public record CleanupResult(
      List<Integer> complete,
      boolean torn,
      List<String> problems,
      List<Integer> unreported,
      Map<Integer, String> digests) {
    public CleanupResult {
      complete = List.copyOf(complete);
      problems = List.copyOf(problems);
      unreported = List.copyOf(unreported);
      digests = Map.copyOf(digests);
    }

    /** Creates a result without digests. */
    public CleanupResult(
        List<Integer> complete, boolean torn, List<String> problems, List<Integer> unreported) {
      this(complete, torn, problems, unreported, Map.of());
    }

    /** Creates a result without checkpoints beyond the limit. */
    public CleanupResult(List<Integer> complete, boolean torn, List<String> problems) {
      this(complete, torn, problems, List.of());
    }

    /** Returns the unit of the newest complete checkpoint. */
    public OptionalInt newest() {
      return complete.isEmpty() ? OptionalInt.empty() : OptionalInt.of(complete.get(0));
    }
  }

  /** Returns the units of all complete checkpoints, newest first. */
  public List<Integer> completeUnits() {
    return units().stream().filter(this::isComplete).toList();
  }

  /** Returns the newest complete checkpoint up to a unit; empty if there is none. */
  public OptionalInt newest(int limit) {
    return units().stream()
        .filter(unit -> unit <= limit && isComplete(unit))
        .mapToInt(Integer::intValue)
        .findFirst();
  }

  /** Returns whether the checkpoint of this unit exists and is complete. */
  public boolean isComplete(int unit) {
    return Checkpoint.problem(path(unit), unit).isEmpty();
  }

  /** Returns the size of a checkpoint's files; empty if it cannot be read. */
  public OptionalLong bytes(int unit) {
    try (Stream<Path> files = Files.walk(path(unit))) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
      return OptionalLong.of(bytes);
    } catch (IOException | UncheckedIOException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * Deletes all checkpoints except the newest {@code keep} complete ones and those of the units
   * {@code needed}, which the run's journal still refers to. Torn checkpoints are renamed to {@code
   * UNIT.torn}, and half-written ones are deleted, so that the next attempt finds only complete
   * ones. Complete checkpoints above {@code limit} do not count and displace no other: the lowest
   * {@code keep} of them are kept, because only their reports are missing. A trial that trained far
   * beyond its last unit wrote the others.
   */
  public CleanupResult cleanUp(int keep, Set<Integer> needed, int limit) throws IOException {
    List<String> problems = new ArrayList<>();
    removeTemporary(problems);
    List<Integer> whole = new ArrayList<>();
    List<Integer> unreported = keepUnreported(keep, needed, limit, problems);
    boolean torn = false;
    for (int unit : units()) {
      if (unit > limit) {
        continue;
      }
      boolean enough = whole.size() >= Math.max(1, keep);
      if (enough && !needed.contains(unit)) {
        discard(unit, problems);
        continue;
      }
      Optional<String> problem = Checkpoint.problem(path(unit), unit);
      if (problem.isEmpty()) {
        whole.add(unit);
        remove(torn(unit), problems);
      } else {
        renameTorn(unit, problems);
        torn |= whole.isEmpty();
        problems.add("checkpoint " + unit + " is torn: " + problem.get());
      }
    }
    return new CleanupResult(whole, torn, problems, unreported, digests(whole));
  }

  private Map<Integer, String> digests(List<Integer> units) {
    Map<Integer, String> digests = new HashMap<>();
    units.forEach(
        unit -> CheckpointDigest.of(path(unit)).ifPresent(digest -> digests.put(unit, digest)));
    return digests;
  }

  /**
   * Treats the checkpoint of a unit as torn if its digest is not that of the journal.
   *
   * @return what is wrong with it; empty if it is the same, or if there is none
   */
  public Optional<String> reject(int unit, String digest) {
    if (!CheckpointDigest.isReplaced(path(unit), digest)) {
      return Optional.empty();
    }
    String message = replaced(unit);
    try {
      renameTorn(unit, new ArrayList<>());
      return Optional.of(message);
    } catch (IOException | UncheckedIOException e) {
      return Optional.of(message + ", and cannot be renamed: " + e);
    }
  }

  /** Says that a checkpoint is another one than that of the journal. */
  public static String replaced(int unit) {
    return "checkpoint " + unit + " is not the one that the trial has saved: it has been replaced";
  }

  private List<Integer> keepUnreported(
      int keep, Set<Integer> needed, int limit, List<String> problems) throws IOException {
    List<Integer> kept = new ArrayList<>();
    List<Integer> ascending = new ArrayList<>(units());
    Collections.reverse(ascending);
    for (int unit : ascending) {
      if (unit <= limit) {
        continue;
      }
      boolean isKept = kept.size() < Math.max(1, keep) || needed.contains(unit);
      if (isKept && isComplete(unit)) {
        kept.add(unit);
      } else {
        discard(unit, problems);
      }
    }
    return kept;
  }

  /**
   * Copies a checkpoint of another trial, unless this trial has a complete one of the same unit. If
   * the other is missing or torn, nothing is copied. The copy appears as a whole.
   */
  public void copyFrom(CheckpointStore parent, int unit) throws IOException {
    if (isComplete(unit) || !parent.isComplete(unit)) {
      return;
    }
    PrivateFiles.createFolder(folder);
    Path temporary = folder.resolve(unit + HALF_WRITTEN);
    FolderRemover.remove(temporary);
    try (Stream<Path> paths = Files.walk(parent.path(unit))) {
      for (Path path : paths.toList()) {
        Path target = temporary.resolve(parent.path(unit).relativize(path));
        Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
      }
    }
    FolderRemover.remove(path(unit));
    Files.move(temporary, path(unit), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Same as {@link #copyFrom}, but returns an I/O error as a message; empty for none. */
  public Optional<String> tryCopyFrom(CheckpointStore parent, int unit) {
    try {
      copyFrom(parent, unit);
      return Optional.empty();
    } catch (IOException | UncheckedIOException | DirectoryIteratorException e) {
      return Optional.of("checkpoint " + unit + " of " + parent.folder() + " was not copied: " + e);
    }
  }

  /** Same as {@link #cleanUp}, but reports an I/O error as a problem instead of throwing it. */
  public CleanupResult tryCleanUp(int keep, Set<Integer> needed, int limit) {
    try {
      List<String> replaced = restoreFolder();
      CleanupResult result = cleanUp(keep, needed, limit);
      return replaced.isEmpty()
          ? result
          : new CleanupResult(
              result.complete(),
              result.torn(),
              Stream.concat(replaced.stream(), result.problems().stream()).toList(),
              result.unreported(),
              result.digests());
    } catch (IOException | UncheckedIOException | DirectoryIteratorException e) {
      String message = "the checkpoints in " + folder + " could not be cleaned up: " + e;
      return new CleanupResult(
          completeUnits().stream().filter(unit -> unit <= limit).toList(), false, List.of(message));
    }
  }

  /**
   * Creates the folder where it is missing. A link or a file that a trial has put in its place is
   * moved aside: what is behind a link belongs to others. So is a folder that denies the access.
   */
  private List<String> restoreFolder() throws IOException {
    List<String> problems = new ArrayList<>();
    boolean isThere = Files.exists(folder, LinkOption.NOFOLLOW_LINKS);
    if (isThere && !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      Path aside = Files.createTempDirectory(folder.resolveSibling(""), SET_ASIDE);
      Files.move(folder, aside.resolve(folder.getFileName()));
      problems.add("the folder of its checkpoints was replaced: " + aside + " has the replacement");
    }
    PrivateFiles.createFolder(folder);
    if (!Files.isReadable(folder) || !Files.isWritable(folder) || !Files.isExecutable(folder)) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
    return problems;
  }

  /** Returns the units of all checkpoints, complete or torn, newest first. */
  private List<Integer> units() {
    List<Integer> units = new ArrayList<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder, Files::isDirectory)) {
      for (Path path : paths) {
        String name = path.getFileName().toString();
        if (UNIT.matcher(name).matches()) {
          units.add(Integer.parseInt(name));
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return List.of(); // The folder does not exist yet.
    }
    units.sort(Collections.reverseOrder());
    return units;
  }

  private void removeTemporary(List<String> problems) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        if (TEMPORARY.matcher(path.getFileName().toString()).matches()) {
          found.add(path);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    for (Path path : found) {
      remove(path, problems);
    }
  }

  /**
   * Renames the checkpoint before deleting it: after a crash, the remains must not look like a
   * checkpoint.
   */
  private void discard(int unit, List<String> problems) throws IOException {
    Path renamed = folder.resolve(unit + HALF_WRITTEN);
    remove(renamed, problems);
    remove(Files.move(path(unit), renamed), problems);
  }

  private void renameTorn(int unit, List<String> problems) throws IOException {
    remove(torn(unit), problems);
    Files.move(path(unit), torn(unit));
  }

  /**
   * Deletes a folder. One that cannot be deleted, such as with files that a container wrote as
   * another user, is renamed, so that nothing takes it for a checkpoint, and named.
   */
  private void remove(Path path, List<String> problems) throws IOException {
    try {
      FolderRemover.remove(path);
    } catch (IOException e) {
      Path aside = Files.createTempDirectory(folder, SET_ASIDE + path.getFileName() + "-");
      Files.move(path, aside.resolve(path.getFileName()));
      problems.add(path + " could not be deleted, and was moved to " + aside + ": " + e);
    }
  }

  private Path path(int unit) {
    return folder.resolve(Integer.toString(unit));
  }

  private Path torn(int unit) {
    return folder.resolve(unit + TORN);
  }
}

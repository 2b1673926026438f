package io.elastune.executor.checkpoint;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The checkpoints of one trial. Only one process may change them at a time: a trial's workers, or
 * the engine once they are gone.
 *
 * @param folder the trial's {@code checkpoint_dir}
 */
public record CheckpointStore(Path folder) {
  private static final String TORN = ".torn";
  private static final String HALF_WRITTEN = ".tmp";
  private static final Pattern UNIT = Pattern.compile("[1-9][0-9]{0,8}");
  private static final Pattern LEFT_OVER = Pattern.compile("[0-9]+\\.tmp");

  /**
   * What was found.
   *
   * @param whole units of the whole checkpoints that are left, the newest first
   * @param torn whether there was a torn one newer than those
   * @param problems one sentence for each that was put aside or removed
   */
  public record Tidied(List<Integer> whole, boolean torn, List<String> problems) {
    public Tidied {
      whole = List.copyOf(whole);
      problems = List.copyOf(problems);
    }

    /** The newest whole checkpoint. */
    public OptionalInt newest() {
      return whole.isEmpty() ? OptionalInt.empty() : OptionalInt.of(whole.get(0));
    }
  }

  /** Units of all whole checkpoints, the newest first. */
  public List<Integer> whole() {
    return units().stream().filter(this::isWhole).toList();
  }

  /** Whether the checkpoint of that unit is there and whole. */
  public boolean isWhole(int unit) {
    return Checkpoint.problem(path(unit), unit).isEmpty();
  }

  /**
   * Leaves the newest {@code keep} whole checkpoints, and whatever else {@code needed} is: the one
   * that the run's journal still names. Torn ones are put aside as {@code UNIT.torn}, half-written
   * ones removed, so that the next attempt finds whole ones only. So are those above {@code limit}:
   * of a trial that trained more than it was asked to, they would take the place of the right ones.
   */
  public Tidied tidy(int keep, int needed, int limit) throws IOException {
    removeLeftOvers();
    List<String> problems = new ArrayList<>();
    List<Integer> whole = new ArrayList<>();
    boolean torn = false;
    for (int unit : units()) {
      if (unit > limit) {
        discard(unit);
        problems.add("checkpoint " + unit + " is beyond the limit " + limit + ": removed");
        continue;
      }
      boolean enough = whole.size() >= Math.max(1, keep);
      if (enough && unit != needed) {
        discard(unit);
        continue;
      }
      Optional<String> problem = Checkpoint.problem(path(unit), unit);
      if (problem.isEmpty()) {
        whole.add(unit);
        remove(torn(unit));
      } else {
        putAside(unit);
        torn |= whole.isEmpty();
        problems.add("checkpoint " + unit + " is torn: " + problem.get());
      }
    }
    return new Tidied(whole, torn, problems);
  }

  /** The same, also where something is in the way: then that is one of the problems. */
  public Tidied tidied(int keep, int needed, int limit) {
    try {
      Files.createDirectories(folder);
      return tidy(keep, needed, limit);
    } catch (IOException e) {
      String message = "the checkpoints in " + folder + " cannot be tidied up: " + e;
      return new Tidied(whole(), false, List.of(message));
    }
  }

  /** Units of all checkpoints, whole or torn, the newest first. */
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
      return List.of(); // No folder, no checkpoints.
    }
    units.sort(Collections.reverseOrder());
    return units;
  }

  private void removeLeftOvers() throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        if (LEFT_OVER.matcher(path.getFileName().toString()).matches()) {
          found.add(path);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    for (Path path : found) {
      remove(path);
    }
  }

  /** Takes its name away first: what is left after a crash must not look like a checkpoint. */
  private void discard(int unit) throws IOException {
    Path doomed = folder.resolve(unit + HALF_WRITTEN);
    remove(doomed);
    remove(Files.move(path(unit), doomed));
  }

  private void putAside(int unit) throws IOException {
    remove(torn(unit));
    Files.move(path(unit), torn(unit));
  }

  private Path path(int unit) {
    return folder.resolve(Integer.toString(unit));
  }

  private Path torn(int unit) {
    return folder.resolve(unit + TORN);
  }

  private static void remove(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(path)) {
      for (Path file : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}

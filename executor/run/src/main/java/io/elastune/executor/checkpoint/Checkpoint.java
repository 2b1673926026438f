package io.elastune.executor.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Validates a checkpoint: the folder {@code checkpoint_dir/UNIT} with its manifest. */
public final class Checkpoint {
  /** The file that lists all other files of the checkpoint. */
  public static final String MANIFEST = CheckpointManifest.FILE;

  private Checkpoint() {}

  /**
   * Returns why a checkpoint is torn (incomplete or corrupt): its manifest is unreadable or belongs
   * to another unit, or a listed file or link is missing or differs. Empty if the checkpoint is
   * complete.
   */
  public static Optional<String> problem(Path folder, int unit) {
    if (Files.isSymbolicLink(folder)) {
      return Optional.of("it is a link");
    }
    if (!CheckpointManifest.exists(folder)) {
      return Optional.of("it has no " + MANIFEST);
    }
    try {
      return problem(folder, unit, CheckpointManifest.read(folder));
    } catch (JacksonException e) {
      return Optional.of("its " + MANIFEST + " is not JSON: " + e.getOriginalMessage());
    } catch (IOException | InvalidPathException e) {
      return Optional.of("it cannot be read: " + e.getMessage());
    }
  }

  private static Optional<String> problem(Path folder, int unit, JsonNode manifest)
      throws IOException {
    if (!manifest.path("unit").isIntegralNumber() || manifest.path("unit").longValue() != unit) {
      return Optional.of("its " + MANIFEST + " belongs to unit " + manifest.path("unit"));
    }
    if (!manifest.path("files").isArray()) {
      return Optional.of("its " + MANIFEST + " lists no files");
    }
    Optional<String> flaw = CheckpointManifest.flaw(manifest.path("files"));
    if (flaw.isPresent()) {
      return flaw;
    }
    for (JsonNode entry : manifest.path("files")) {
      Optional<String> problem = fileProblem(folder, entry);
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> fileProblem(Path folder, JsonNode entry) throws IOException {
    String name = entry.path("name").stringValue("");
    JsonNode size = entry.path("size");
    String sum = entry.path("sha256").stringValue("");
    if (!name.isEmpty() && entry.has("link")) {
      return CheckpointLink.problem(folder, name, entry.path("link").stringValue(""));
    }
    if (name.isEmpty() || !size.isIntegralNumber() || sum.isEmpty()) {
      return Optional.of("its " + MANIFEST + " has an entry without name, size or sha256");
    }
    Path file = folder.resolve(name).normalize();
    if (!file.startsWith(folder.normalize())) {
      return Optional.of("its file " + name + " is outside the checkpoint");
    }
    if (CheckpointLink.isLinked(folder, file)) {
      return Optional.of(
          "its file " + name + " is a link, which its " + MANIFEST + " does not say");
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.of("its file " + name + " is missing");
    }
    if (Files.size(file) != size.longValue()) {
      return Optional.of(
          "its file " + name + " has " + Files.size(file) + " bytes instead of " + size);
    }
    if (exceedsDisk(file)) {
      return Optional.of("its file " + name + " is larger than its disk");
    }
    return FileChecksum.of(file).equals(sum)
        ? Optional.empty()
        : Optional.of("its file " + name + " does not match its checksum");
  }

  /** Whether a file is larger than its disk, so mostly holes: reading it may take for ever. */
  private static boolean exceedsDisk(Path file) throws IOException {
    long disk = Files.getFileStore(file).getTotalSpace();
    return disk > 0 && Files.size(file) > disk;
  }
}

package io.elastune.executor.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The links of a checkpoint. A link is relative, no part of its path leaves the checkpoint or is a
 * link itself, apart from the last one, and it leads to a file or folder. The Python helper and the
 * bridge to Ray have the same rule; docs/checkpoint-vectors.json tests all of them.
 */
public final class CheckpointLink {
  private CheckpointLink() {}

  /** Whether a file, or a folder that it is in, is a link. */
  static boolean isLinked(Path folder, Path file) {
    Path path = folder;
    for (Path part : folder.normalize().relativize(file)) {
      path = path.resolve(part);
      if (Files.isSymbolicLink(path)) {
        return true;
      }
    }
    return false;
  }

  /** Returns why a listed link is missing or not allowed; empty if it is right. */
  static Optional<String> problem(Path folder, String name, String link) throws IOException {
    List<String> parts = new ArrayList<>(Arrays.asList(name.split("/", -1)));
    if (parts.contains("..") || Path.of(name).isAbsolute()) {
      return Optional.of("its link " + name + " is outside the checkpoint");
    }
    Path file = folder.resolve(name);
    if (!Files.isSymbolicLink(file) || !Files.readSymbolicLink(file).toString().equals(link)) {
      return Optional.of("its file " + name + " is not the link to " + link);
    }
    parts.remove(parts.size() - 1);
    return flaw(folder, parts, link).map(flaw -> "its link " + name + " to " + link + " " + flaw);
  }

  private static Optional<String> flaw(Path folder, List<String> parts, String link) {
    if (Path.of(link).isAbsolute()) {
      return Optional.of("is absolute");
    }
    List<String> steps = List.of(link.split("/", -1));
    for (int i = 0; i < steps.size(); i++) {
      String step = steps.get(i);
      if (step.equals("..")) {
        if (parts.isEmpty()) {
          return Optional.of("leaves the checkpoint");
        }
        parts.remove(parts.size() - 1);
      } else if (!step.isEmpty() && !step.equals(".")) {
        parts.add(step);
      }
      if (i < steps.size() - 1
          && Files.isSymbolicLink(folder.resolve(String.join("/", parts)))
          && !parts.isEmpty()) {
        return Optional.of("goes through another link");
      }
    }
    if (parts.isEmpty()) {
      return Optional.of("leads to the checkpoint itself");
    }
    return Files.exists(folder.resolve(String.join("/", parts)))
        ? Optional.empty()
        : Optional.of("leads to nothing");
  }

  private static boolean staysInside(Path folder, Path file, String link) {
    return !Path.of(link).isAbsolute()
        && file.resolveSibling(link).normalize().startsWith(folder.normalize());
  }

  /**
   * Creates the links that the manifest of a copied checkpoint lists, where they are missing. Those
   * that leave the checkpoint, or that are below another link, are not created: it is torn.
   */
  public static void create(Path folder) throws IOException {
    JsonNode files;
    try {
      files = CheckpointManifest.read(folder).path("files");
    } catch (IOException | JacksonException e) {
      return; // the checkpoint is torn, which its validation reports
    }
    if (CheckpointManifest.flaw(files).isPresent()) {
      return;
    }
    for (JsonNode entry : files) {
      String link = entry.path("link").stringValue("");
      Path file = folder.resolve(entry.path("name").stringValue("")).normalize();
      boolean isInside = file.startsWith(folder.normalize()) && !file.equals(folder.normalize());
      if (!link.isEmpty()
          && isInside
          && !isLinked(folder, file)
          && !Files.exists(file)
          && staysInside(folder, file, link)) {
        Files.createDirectories(file.resolveSibling(""));
        Files.createSymbolicLink(file, Path.of(link));
      }
    }
  }
}

package io.elastune.executor.ray.runtime;

import io.elastune.executor.engine.NodeRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The file that describes a runtime, in its folder. */
final class RuntimeManifest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String FILE = "runtime.json";
  private static final String ARCHIVE = "runtime.tar.gz";
  private static final String FOLDER = "python";

  private RuntimeManifest() {}

  /** Returns where the archive of a runtime is. */
  static Path archive(Path folder) {
    return folder.resolve(ARCHIVE);
  }

  /** Returns where the unpacked files of a runtime are. */
  static Path files(Path folder) {
    return folder.resolve(FOLDER);
  }

  /** Returns the runtime in a folder; empty if it is incomplete. */
  static Optional<NodeRuntime> read(Path folder) throws IOException {
    try {
      JsonNode fields = JSON.readTree(Files.readString(folder.resolve(FILE)));
      return Optional.of(
          new NodeRuntime(
              String.valueOf(folder.getFileName()),
              files(folder),
              archive(folder),
              fields.path("sha256").stringValue(),
              Files.size(archive(folder)),
              fields.path("architecture").stringValue(),
              fields.path("contents").stringValue(),
              fields.path("glibc").stringValue(),
              Instant.parse(fields.path("built").stringValue())));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JacksonException | DateTimeException e) {
      throw new IOException(folder.resolve(FILE) + " is damaged: " + e.getMessage(), e);
    }
  }

  /** Describes a runtime that is not yet at its place. */
  static void write(Path folder, NodeRuntime runtime) throws IOException {
    ObjectNode fields = JSON.createObjectNode();
    fields.put("contents", runtime.contents()).put("sha256", runtime.sha256());
    fields.put("architecture", runtime.architecture()).put("glibc", runtime.glibc());
    fields.put("built", runtime.built().toString());
    Files.writeString(folder.resolve(FILE), JSON.writeValueAsString(fields));
  }
}

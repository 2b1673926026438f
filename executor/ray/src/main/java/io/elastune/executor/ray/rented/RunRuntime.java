package io.elastune.executor.ray.rented;

import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a later controller of the run must know about the node runtime: instances that boot have it
 * in their user data.
 *
 * @param version the version of the runtime
 * @param port the port of the controller that sends it
 * @param path the path of its URL, which cannot be guessed
 */
record RunRuntime(String version, int port, String path) {
  private static final JsonMapper JSON = new JsonMapper();

  /** Returns the file of a run. */
  static Path file(Path folder) {
    return folder.resolve("runtime.json");
  }

  static Optional<RunRuntime> read(Path file) {
    try {
      JsonNode fields = JSON.readTree(Files.readString(file));
      return Optional.of(
          new RunRuntime(
              fields.path("version").asString(),
              fields.path("port").asInt(),
              fields.path("path").asString()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (JacksonException e) {
      throw new UncheckedIOException(new IOException(file + " is damaged: " + e.getMessage(), e));
    }
  }

  void write(Path file) {
    try {
      Path part = PrivateFiles.createFile(file.resolveSibling(file.getFileName() + ".part"));
      String text =
          JSON.writeValueAsString(
              JSON.createObjectNode().put("version", version).put("port", port).put("path", path));
      Files.writeString(part, text);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Omits the path. */
  @Override
  public String toString() {
    return "RunRuntime[" + version + "]";
  }
}

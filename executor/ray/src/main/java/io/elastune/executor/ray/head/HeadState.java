package io.elastune.executor.ray.head;

import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a later controller of the run must know about the head.
 *
 * @param host the address at which nodes reach the head
 * @param port the port of the head
 * @param temporary Ray's folder
 * @param pid the process ID of the guard; 0 while it is being started
 * @param started when the guard started
 */
record HeadState(String host, int port, String temporary, long pid, Instant started) {
  private static final JsonMapper JSON = new JsonMapper();

  String address() {
    return host + ":" + port;
  }

  HeadState starting(Path folder) {
    return new HeadState(host, port, folder.toString(), 0, Instant.EPOCH);
  }

  HeadState started(ProcessHandle process) {
    Instant start = process.info().startInstant().orElse(Instant.EPOCH);
    return new HeadState(host, port, temporary, process.pid(), start);
  }

  static Optional<HeadState> read(Path file) throws IOException {
    try {
      JsonNode fields = JSON.readTree(Files.readString(file));
      return Optional.of(
          new HeadState(
              fields.path("host").asString(),
              fields.path("port").asInt(),
              fields.path("temporary").asString(),
              fields.path("pid").asLong(),
              Instant.parse(fields.path("started").asString())));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JacksonException e) {
      throw new IOException(file + " is damaged: " + e.getMessage(), e);
    }
  }

  void write(Path file) throws IOException {
    ObjectNode fields = JSON.createObjectNode();
    fields.put("host", host).put("port", port).put("temporary", temporary);
    fields.put("pid", pid).put("started", started.toString());
    Path part = PrivateFiles.createFile(file.resolveSibling(file.getFileName() + ".part"));
    Files.writeString(part, JSON.writeValueAsString(fields));
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }
}

package io.elastune.cli.host;

import io.elastune.cli.remote.RemoteProtocol;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Passes on the output of a remote command that contains marks. With marks of positions, it prints
 * only the lines before the latest one: a later connection continues there, so that no line is lost
 * or printed twice.
 */
final class MarkedOutput {
  private final PrintStream out;
  private final boolean positions;
  private final BiConsumer<String, String> files;
  private final ByteArrayOutputStream held = new ByteArrayOutputStream();
  private Optional<JsonNode> position = Optional.empty();

  /**
   * Creates an output.
   *
   * @param positions whether the output contains marks of positions
   * @param files receives the names and texts of files that have changed
   */
  MarkedOutput(PrintStream out, boolean positions, BiConsumer<String, String> files) {
    this.out = out;
    this.positions = positions;
    this.files = files;
  }

  /** Returns the position that a later connection continues at; empty for the beginning. */
  synchronized Optional<JsonNode> position() {
    return position;
  }

  /** Reads the output of one connection, whose session has this token. */
  Thread relay(InputStream from, String token) {
    discardHeld();
    byte[] prefix = RemoteProtocol.markPrefix(token).getBytes(StandardCharsets.US_ASCII);
    return OutputRelay.start(() -> read(from, prefix));
  }

  private void read(InputStream from, byte[] prefix) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 13];
    for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
      for (int i = 0; i < read; i++) {
        line.write(buffer[i]);
        if (buffer[i] == '\n') {
          line(line.toByteArray(), prefix);
          line.reset();
        }
      }
    }
    line(line.toByteArray(), prefix);
  }

  private synchronized void line(byte[] line, byte[] prefix) {
    if (startsWith(line, prefix)) {
      String json =
          new String(line, prefix.length, line.length - prefix.length, StandardCharsets.UTF_8);
      try {
        mark(JsonMapper.shared().readTree(json));
      } catch (JacksonException | IllegalArgumentException | IOException e) {
        return; // an unreadable mark changes nothing; the next one replaces it
      }
    } else if (positions) {
      held.writeBytes(line);
    } else {
      print(line);
    }
  }

  private static boolean startsWith(byte[] line, byte[] prefix) {
    return line.length >= prefix.length
        && line[line.length - 1] == '\n' // otherwise the connection has cut it
        && Arrays.equals(line, 0, prefix.length, prefix, 0, prefix.length);
  }

  private void mark(JsonNode mark) throws IOException {
    if (mark.has(RemoteProtocol.POSITION)) {
      position = Optional.of(mark.path(RemoteProtocol.POSITION));
      printHeld();
    } else if (mark.has(RemoteProtocol.FILE)) {
      byte[] compressed = Base64.getDecoder().decode(mark.path("gzip").asString());
      try (InputStream content = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
        files.accept(
            mark.path(RemoteProtocol.FILE).asString(),
            new String(content.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
  }

  /** Prints the lines after the last mark, at the end of the command. */
  synchronized void printHeld() {
    print(held.toByteArray());
    held.reset();
  }

  private synchronized void discardHeld() {
    held.reset();
  }

  private void print(byte[] text) {
    out.writeBytes(text);
    out.flush();
  }
}

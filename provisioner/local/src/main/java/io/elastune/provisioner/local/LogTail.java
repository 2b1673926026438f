package io.elastune.provisioner.local;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Reads the end of a log for an error message. */
final class LogTail {
  private static final int LINES = 10;
  private static final int MOST_BYTES = 8 * 1024;

  private LogTail() {}

  /** Returns the last lines after byte {@code start}, without control characters. */
  static String of(Path log, long start) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(start, file.length() - MOST_BYTES);
      byte[] bytes = new byte[(int) Math.max(0, file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      List<String> lines =
          new String(bytes, StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.isBlank())
              .map(line -> line.replaceAll("\\p{Cntrl}", " ").stripTrailing())
              .toList();
      lines = lines.subList(Math.max(0, lines.size() - LINES), lines.size());
      return lines.isEmpty() ? ", without output" : "; last lines:\n" + String.join("\n", lines);
    } catch (IOException e) {
      return "; reading its log failed: " + e.getMessage();
    }
  }
}

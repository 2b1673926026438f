package io.elastune.provisioner.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads files of Linux about processes, control groups and the machine. */
public final class KernelFile {
  private static final long KILOBYTE = 1024;

  private KernelFile() {}

  /** Returns the lines; none if the process has ended, or on another system. */
  public static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * Returns the bytes of a field with an amount of memory; 0 without it.
   *
   * @param field the field with its colon, such as {@code VmRSS:}
   */
  public static long bytes(List<String> lines, String field) {
    return lines.stream()
        .filter(line -> line.startsWith(field))
        .map(line -> line.substring(field.length()).replace("kB", "").trim())
        .filter(number -> number.matches("[0-9]{1,15}"))
        .mapToLong(number -> Long.parseLong(number) * KILOBYTE)
        .findFirst()
        .orElse(0);
  }
}

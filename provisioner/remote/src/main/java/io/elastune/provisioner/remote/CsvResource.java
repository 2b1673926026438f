package io.elastune.provisioner.remote;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Reads tables that are part of a provider: comma-separated files without quotes. */
public final class CsvResource {
  private CsvResource() {}

  /**
   * Returns the rows of a table without its comments ({@code #}) and its header; empty if there is
   * no such resource.
   *
   * @param anchor a class in the package of the resource
   */
  public static Optional<List<List<String>>> rows(Class<?> anchor, String name) {
    try (InputStream stream = anchor.getResourceAsStream(name)) {
      return stream == null ? Optional.empty() : Optional.of(rows(stream));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the rows of a table that must exist. */
  public static List<List<String>> required(Class<?> anchor, String name) {
    return rows(anchor, name)
        .orElseThrow(() -> new IllegalStateException("resource " + name + " is missing"));
  }

  private static List<List<String>> rows(InputStream stream) {
    return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))
        .lines()
        .filter(line -> !line.startsWith("#"))
        .skip(1) // the header
        .map(line -> List.of(line.split(",", -1)))
        .toList();
  }
}

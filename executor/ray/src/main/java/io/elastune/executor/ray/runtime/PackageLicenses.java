package io.elastune.executor.ray.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads the licenses of installed Python packages from their metadata. */
final class PackageLicenses {
  private static final List<String> FIELDS =
      List.of("License-Expression: ", "License: ", "Classifier: License :: ");

  private PackageLicenses() {}

  /** Returns name, version and license of each package. Their texts are beside it. */
  static List<String> read(Path packages) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path path : RuntimeFiles.all(packages)) {
      if (path.endsWith("METADATA")) {
        lines.add(license(packages.relativize(path), Files.readString(path)));
      }
    }
    return lines;
  }

  private static String license(Path file, String metadata) {
    List<String> header = metadata.lines().takeWhile(line -> !line.isEmpty()).toList();
    String license =
        FIELDS.stream()
            .map(
                field ->
                    header.stream()
                        .filter(line -> line.startsWith(field))
                        .map(line -> line.substring(field.length()).strip())
                        .collect(Collectors.joining(", ")))
            .filter(found -> !found.isEmpty() && !found.equals("UNKNOWN"))
            .findFirst()
            .orElse("see its files");
    return field(header, "Name: ")
        + " "
        + field(header, "Version: ")
        + ": "
        + license
        + " ("
        + file.getParent()
        + ")";
  }

  private static String field(List<String> header, String name) {
    Optional<String> line = header.stream().filter(some -> some.startsWith(name)).findFirst();
    return line.map(found -> found.substring(name.length()).strip()).orElse("?");
  }
}

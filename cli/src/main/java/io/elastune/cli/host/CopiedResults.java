package io.elastune.cli.host;

import io.elastune.cli.env.AtomicFileWriter;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.FileNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Writes what a command has produced on the controller machine to files of this machine. */
final class CopiedResults {
  private static final String FOLDER = "elastune-reports";

  private final CliEnvironment cliEnvironment;
  private final String host;

  CopiedResults(CliEnvironment cliEnvironment, String host) {
    this.cliEnvironment = cliEnvironment;
    this.host = host;
  }

  /** Writes the files that the command line names. */
  void writeFiles(JsonNode result, Map<String, Path> written) throws IOException {
    Map<String, String> paths = new LinkedHashMap<>();
    written.forEach((name, file) -> paths.put(name, file.toString()));
    FileNames here = new FileNames(paths);
    for (Map.Entry<String, JsonNode> content : result.path("files").properties()) {
      Optional<Path> file = here.of(content.getKey()).map(Path::of);
      if (file.isPresent()) {
        Files.write(file.get(), Base64.getDecoder().decode(content.getValue().asString()));
        note("Copied from " + host + ": " + cliEnvironment.displayPath(file.get()));
      }
    }
  }

  /** Writes a file that the command has changed. A failure is shown, and later changes follow. */
  void writeChanged(Map<String, Path> written, String name, String text) {
    Path file = written.get(name);
    if (file == null) {
      return;
    }
    try {
      AtomicFileWriter.write(file, text);
    } catch (UncheckedIOException e) {
      note(
          "Not copied from "
              + host
              + ": "
              + cliEnvironment.displayPath(file)
              + ": "
              + e.getMessage());
    }
  }

  /** Writes the report of an ended run. */
  void writeReport(JsonNode result) throws IOException {
    if (!result.path("page").isString()) {
      return; // the run has not ended
    }
    Path reports = cliEnvironment.folder().resolve(FOLDER);
    Path folder = reports.resolve(result.path("run").asString());
    Files.createDirectories(folder);
    Path ignore = reports.resolve(".gitignore");
    if (!Files.exists(ignore)) {
      Files.writeString(ignore, "*\n"); // the reports are no code of the next run
    }
    AtomicFileWriter.write(folder.resolve("report.json"), result.path("report").asString());
    AtomicFileWriter.write(folder.resolve("report.html"), result.path("page").asString());
    note(
        "Report copied from "
            + host
            + ": "
            + cliEnvironment.displayPath(folder.resolve("report.html"))
            + " and report.json");
  }

  private void note(String text) {
    cliEnvironment.err().println(text);
  }
}

package io.elastune.cli.failure;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Version;
import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/** Writes the details of an internal error to a file for a bug report. */
final class CrashLog {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final CliEnvironment cliEnvironment;
  private final List<String> arguments;

  CrashLog(CliEnvironment cliEnvironment, List<String> arguments) {
    this.cliEnvironment = cliEnvironment;
    this.arguments = arguments;
  }

  /**
   * Writes the file. Returns empty if it cannot be written: the error itself is reported anyway.
   */
  Optional<Path> write(Throwable thrown) {
    Instant now = cliEnvironment.clock().instant();
    try {
      Path home = cliEnvironment.home();
      Path file = home.resolve("crash-" + STAMP.format(now) + ".log");
      PrivateFiles.createFolder(home);
      Files.writeString(PrivateFiles.createFile(file), text(thrown, now));
      return Optional.of(file);
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  private String text(Throwable thrown, Instant now) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace, true));
    return String.join(
        "\n",
        "elastune " + Version.withBuild() + ", " + now,
        "java " + System.getProperty("java.version") + ", " + System.getProperty("os.name"),
        "arguments: " + String.join(" ", arguments),
        trace.toString());
  }
}

package io.elastune.executor.local;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the Python interpreter that a shell command starts. */
final class PythonOfCommand {
  private static final Pattern PYTHON =
      Pattern.compile("(?:^|[\\s;&|(])((?:[\\w./~-]*/)?python[0-9.]*)(?=\\s|$)");

  /** The command itself changes which interpreter is found. */
  private static final Pattern CHANGES_PATH =
      Pattern.compile("activate|conda|PATH=|\\bmodule load\\b|\\b(?:uv|poetry|pipenv) run\\b");

  private PythonOfCommand() {}

  /**
   * Returns the path of the interpreter.
   *
   * @param path the folders in which the shell searches it
   * @param workdir the working folder of the command
   */
  static Optional<Path> find(String command, String path, Path workdir) {
    Matcher python = PYTHON.matcher(command);
    if (!python.find() || CHANGES_PATH.matcher(command).find()) {
      return Optional.empty();
    }
    String name = python.group(1);
    if (name.startsWith("~")) {
      return Optional.empty();
    }
    Stream<Path> candidates =
        name.contains("/")
            ? Stream.of(workdir.resolve(name))
            : Stream.of(path.split(File.pathSeparator, -1))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder).resolve(name));
    return candidates.filter(Files::isExecutable).map(Path::normalize).findFirst();
  }
}

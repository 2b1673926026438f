package io.elastune.cli.env;

import io.elastune.core.files.UserHome;
import io.elastune.inputs.InputEnvironment;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The environment of a command: streams, variables, folders and clock. Tests replace it.
 *
 * @param out results, in UTF-8; text is printed with visible characters only
 * @param err notes, errors and, with {@code --json}, the text output; in the same way
 * @param in answers to prompts
 * @param environment the environment variables
 * @param folder the folder that paths on the command line are relative to
 * @param clock the time
 * @param terminal whether input and output are a terminal
 */
public record CliEnvironment(
    PrintStream out,
    PrintStream err,
    InputStream in,
    Map<String, String> environment,
    Path folder,
    InstantSource clock,
    boolean terminal)
    implements InputEnvironment {
  public CliEnvironment {
    out = VisibleStream.of(out);
    err = VisibleStream.of(err);
    environment = Map.copyOf(environment);
  }

  /** Returns the environment of this process. */
  public static CliEnvironment real() {
    return new CliEnvironment(
        utf8(FileDescriptor.out),
        utf8(FileDescriptor.err),
        System.in,
        System.getenv(),
        Path.of("").toAbsolutePath(),
        InstantSource.system(),
        Terminal.isPresent());
  }

  /**
   * Opens a descriptor with UTF-8, regardless of the locale. A closed pipe is not an error: {@link
   * PrintStream} records it and continues.
   */
  private static PrintStream utf8(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }

  @Override
  public Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
  }

  /** Resolves a path from the command line. */
  @Override
  public Path path(String given) {
    return folder.resolve(given).normalize();
  }

  /** Returns the path for messages: relative to the current folder if it is below it. */
  @Override
  public String displayPath(Path path) {
    Path absolute = folder.resolve(path).normalize();
    return otherName(absolute).orElseGet(() -> InputEnvironment.relative(folder, absolute));
  }

  /** Returns a file of the command line for messages: as it was given, also with {@code --host}. */
  public String displayFile(String given) {
    return otherName(path(given)).orElse(given);
  }

  private Optional<String> otherName(Path file) {
    return FileNames.parse(variable(FileNames.VARIABLE)).of(file.toString());
  }

  /**
   * Returns the home folder of the user: {@code $HOME}, as in a shell, or that of the operating
   * system, which names none for a user without an account.
   *
   * @throws NoHomeException if there is none
   */
  @Override
  public Path userHome() {
    return UserHome.of(variable("HOME")).map(this::path).orElseThrow(NoHomeException::new);
  }

  /** Returns the name of the user; that of the environment for a user without an account. */
  public String user() {
    return known("user.name")
        .or(() -> variable("USER"))
        .or(() -> variable("LOGNAME"))
        .orElse("unknown");
  }

  /** Returns a property of the JVM, which is a question mark for a user without an account. */
  private static Optional<String> known(String property) {
    return Optional.ofNullable(System.getProperty(property))
        .filter(value -> !value.isEmpty() && !value.equals("?"));
  }

  /** Prints the line with the notes and errors. */
  @Override
  public void report(String line) {
    err.println(line);
  }

  /** Returns a copy with the settings of the cloud accounts in another file. */
  public CliEnvironment withCloudsFile(String file) {
    Map<String, String> variables = new HashMap<>(environment);
    variables.put(CLOUDS, file);
    return new CliEnvironment(out, err, in, variables, folder, clock, terminal);
  }

  /** Returns whether to use colors: only on a terminal, and not if disabled (no-color.org). */
  public boolean useColors() {
    return canRepaint() && variable("NO_COLOR").isEmpty();
  }

  /** Returns whether lines on the screen can be replaced. */
  public boolean canRepaint() {
    return terminal && !variable("TERM").equals(Optional.of("dumb"));
  }
}

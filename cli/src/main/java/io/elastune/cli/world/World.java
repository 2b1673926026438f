package io.elastune.cli.world;

import io.elastune.provisioner.CloudContext;
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
 * All that a command sees of the world outside: the real one in {@code main}, a made-up one in
 * tests.
 *
 * @param out results; UTF-8
 * @param err remarks, errors and, with {@code --json}, the text for people
 * @param in answers to questions
 * @param environment the environment variables
 * @param folder the folder that paths on the command line are relative to
 * @param clock the time
 * @param terminal whether a person sits at both ends
 */
public record World(
    PrintStream out,
    PrintStream err,
    InputStream in,
    Map<String, String> environment,
    Path folder,
    InstantSource clock,
    boolean terminal) {
  private static final String CLOUDS = "ELASTUNE_CLOUDS";

  public World {
    environment = Map.copyOf(environment);
  }

  /** The world that this process was started in. */
  public static World real() {
    return new World(
        utf8(FileDescriptor.out),
        utf8(FileDescriptor.err),
        System.in,
        System.getenv(),
        Path.of("").toAbsolutePath(),
        InstantSource.system(),
        Terminal.isPresent());
  }

  /**
   * Written straight to the descriptor, so that the text is UTF-8 whatever the locale. A reader
   * that went away (a closed pipe) is no error: {@link PrintStream} notes it and goes on.
   */
  private static PrintStream utf8(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }

  /** The variable's value, unless it is unset or empty. */
  public Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
  }

  /** A path from the command line. */
  public Path path(String given) {
    return folder.resolve(given).normalize();
  }

  /** A path as the user would write it: relative to where they are, if it lies below. */
  public String show(Path path) {
    Path absolute = folder.resolve(path).normalize();
    return absolute.startsWith(folder) && !absolute.equals(folder)
        ? folder.relativize(absolute).toString()
        : absolute.toString();
  }

  /** Where runs, journals and profiles live. */
  public Path home() {
    return variable("ELASTUNE_HOME")
        .map(this::path)
        .orElseGet(() -> Path.of(System.getProperty("user.home"), ".elastune"));
  }

  /** The file that says how the user's accounts with clouds are set up; need not be there. */
  public Path clouds() {
    return variable(CLOUDS).map(this::path).orElseGet(() -> home().resolve("clouds.yaml"));
  }

  /** What clouds are opened with. */
  public CloudContext cloudContext() {
    return new CloudContext(home(), clouds(), clock);
  }

  /** The same world with the accounts' settings in another file. */
  public World withClouds(String file) {
    Map<String, String> variables = new HashMap<>(environment);
    variables.put(CLOUDS, file);
    return new World(out, err, in, variables, folder, clock, terminal);
  }

  /** Whether to use colours: only for a person, and not against their wish (no-color.org). */
  public boolean colours() {
    return terminal
        && variable("NO_COLOR").isEmpty()
        && !variable("TERM").equals(Optional.of("dumb"));
  }
}

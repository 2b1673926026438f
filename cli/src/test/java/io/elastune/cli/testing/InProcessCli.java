package io.elastune.cli.testing;

import io.elastune.cli.CommandLineApp;
import io.elastune.cli.env.CliEnvironment;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs commands in this process, in a test environment: a folder, a fixed clock, and no terminal
 * unless a test answers prompts. It fails if a JSON document does not have the keys and types of
 * its schema.
 */
public final class InProcessCli {
  public static final Instant NOW = Instant.parse("2026-11-23T08:00:00Z");

  private final Path folder;
  private final Map<String, String> environment;
  private final InstantSource clock;
  private final List<String> answers;

  public InProcessCli(Path folder) {
    this(folder, Map.of("ELASTUNE_HOME", folder.resolve("home").toString()));
  }

  /** Creates commands with a separate home, for a folder that must not be modified. */
  public static InProcessCli at(Path folder, Path home) {
    return new InProcessCli(folder, Map.of("ELASTUNE_HOME", home.toString()));
  }

  public InProcessCli(Path folder, Map<String, String> environment) {
    this(folder, environment, InstantSource.fixed(NOW));
  }

  /** Creates commands with another clock, such as that of runs with real processes. */
  public InProcessCli(Path folder, Map<String, String> environment, InstantSource clock) {
    this(folder, environment, clock, List.of());
  }

  private InProcessCli(
      Path folder, Map<String, String> environment, InstantSource clock, List<String> answers) {
    this.folder = folder;
    this.environment = environment;
    this.clock = clock;
    this.answers = answers;
  }

  /** Returns commands at a terminal, where a user types these lines at the prompts. */
  public InProcessCli answering(String... lines) {
    return new InProcessCli(folder, environment, clock, List.of(lines));
  }

  /** The result of a command. */
  public record Result(int exit, String out, String err) {
    public JsonNode json() {
      return JsonMapper.shared().readTree(out);
    }
  }

  public Result run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CliEnvironment cliEnvironment =
        new CliEnvironment(
            stream(out),
            stream(err),
            new Lines(answers),
            environment,
            folder,
            clock,
            !answers.isEmpty());
    int exit = new CommandLineApp(cliEnvironment).run(arguments);
    DocumentCheck.check(List.of(arguments), text(out));
    return new Result(exit, text(out), text(err));
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /**
   * Supplies one line at a time, as a terminal does: each prompt reads with a buffer of its own.
   */
  private static final class Lines extends InputStream {
    private final Iterator<String> lines;

    Lines(List<String> lines) {
      this.lines = lines.iterator();
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("lines are read as a whole");
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      if (!lines.hasNext()) {
        return -1;
      }
      byte[] line = (lines.next() + "\n").getBytes(StandardCharsets.UTF_8);
      System.arraycopy(line, 0, buffer, offset, line.length);
      return line.length;
    }
  }
}

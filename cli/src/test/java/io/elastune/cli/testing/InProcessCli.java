package io.elastune.cli.testing;

import io.elastune.cli.CommandLineApp;
import io.elastune.cli.env.CliEnvironment;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs commands in this process, in a test environment: a folder, a fixed clock, no terminal. It
 * fails if a JSON document does not have the keys and types of its schema.
 */
public final class InProcessCli {
  public static final Instant NOW = Instant.parse("2026-11-23T08:00:00Z");

  private final Path folder;
  private final Map<String, String> environment;

  public InProcessCli(Path folder) {
    this(folder, Map.of("ELASTUNE_HOME", folder.resolve("home").toString()));
  }

  /** Creates commands with a separate home, for a folder that must not be modified. */
  public static InProcessCli at(Path folder, Path home) {
    return new InProcessCli(folder, Map.of("ELASTUNE_HOME", home.toString()));
  }

  public InProcessCli(Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.environment = environment;
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
            new ByteArrayInputStream(new byte[0]),
            environment,
            folder,
            InstantSource.fixed(NOW),
            false);
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
}

package io.elastune.cli.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts commands as users do: through the launcher, in a process of their own, in a folder and
 * with a home of their own.
 *
 * @param folder the folder that commands are started in
 * @param home {@code ELASTUNE_HOME}
 * @param environment further variables
 */
public record Launcher(Path folder, Path home, Map<String, String> environment) {
  private static final String PROGRAM = Examples.REPOSITORY.resolve("elastune").toString();

  public Launcher {
    environment = Map.copyOf(environment);
  }

  /** Commands are started in {@code folder}, and their home lies there, too. */
  public static Launcher in(Path folder) {
    return new Launcher(folder, folder.resolve("home"), Map.of());
  }

  /** With one more variable. */
  public Launcher with(String variable, String value) {
    Map<String, String> more = new HashMap<>(environment);
    more.put(variable, value);
    return new Launcher(folder, home, more);
  }

  /** Starts a command. */
  public Started start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(PROGRAM));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    builder.environment().put("ELASTUNE_HOME", home.toString());
    Process process = builder.start();
    process.getOutputStream().close();
    return new Started(process, out, err);
  }

  /** Starts a command and waits for its end. */
  public Ended run(String... arguments) throws IOException, InterruptedException {
    return start(arguments).end();
  }
}

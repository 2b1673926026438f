package io.elastune.cli.guide;

import io.elastune.cli.rented.LocalWorkersEngineProvider;
import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.LauncherBuild;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A process that executes the commands of one guide. It is separate from the tests because the
 * libraries of clouds read the address and the credentials from the variables of their process.
 */
final class CommandServer implements AutoCloseable {
  private final Path folder;
  private final Process process;

  /**
   * Starts a server.
   *
   * @param variables those of the controller machine
   */
  CommandServer(Path folder, Map<String, String> variables)
      throws IOException, InterruptedException {
    this.folder = Files.createDirectories(folder);
    Path calls = folder.resolve(CommandServerMain.CALLS);
    ExternalPrograms.output(folder, Map.of(), "mkfifo", calls.toString());
    List<String> command = new ArrayList<>(LauncherBuild.java());
    command.add("-D" + LocalWorkersEngineProvider.SWITCH + "=false");
    command.addAll(List.of(CommandServerMain.class.getName(), folder.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile());
    builder.environment().clear();
    builder.environment().putAll(variables);
    process = builder.start();
  }

  /** Returns the lines of a program that stands for the launcher. */
  String client() {
    try (InputStream script = CommandServer.class.getResourceAsStream("/guide/elastune.sh")) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8)
          .replace("'SERVER/", "'" + folder + "/");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills a process and its descendants if the server ends: their calls would never return. */
  void endWithServer(Process caller) {
    var unused =
        process
            .onExit()
            .thenRun(
                () -> {
                  caller.descendants().forEach(ProcessHandle::destroyForcibly);
                  caller.destroyForcibly();
                });
  }

  /** Returns what it printed, such as errors outside of commands. */
  String log() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}

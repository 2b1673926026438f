package io.elastune.cli.rented;

import io.elastune.cli.Main;
import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherBuild;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.RunningCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts commands in separate processes, with the environment variables of a fake cloud.
 *
 * @param folder the folder that commands are started in
 * @param home {@code ELASTUNE_HOME}
 * @param variables the endpoint and credentials of the cloud
 * @param flags the flags of the JVM
 * @param main the main class
 */
public record CloudCommand(
    Path folder, Path home, Map<String, String> variables, List<String> flags, Class<?> main) {
  private static final String USERS_ENGINES = "-D" + LocalWorkersEngineProvider.SWITCH + "=false";

  /** Creates commands without settings. The home need not exist. */
  public CloudCommand(Path folder, Path home, Map<String, String> variables) {
    this(folder, home, variables, List.of(), Main.class);
  }

  /** Creates commands with an account configured in a new home below {@code folder}. */
  public static CloudCommand in(Path folder, String settings, Map<String, String> variables)
      throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    Files.writeString(home.resolve("clouds.yaml"), settings);
    return new CloudCommand(folder, home, variables);
  }

  /** Returns the same commands with an empty home. */
  public CloudCommand withEmptyHome() throws IOException {
    return new CloudCommand(
        folder, Files.createDirectory(folder.resolve("elsewhere")), variables, flags, main);
  }

  /** Returns the same commands with more environment variables. */
  public CloudCommand with(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(variables);
    all.putAll(more);
    return new CloudCommand(folder, home, all, flags, main);
  }

  public CloudCommand with(String flag) {
    return new CloudCommand(folder, home, variables, List.of(flag), main);
  }

  /** Returns the same commands with only the engines that users have. */
  public CloudCommand withUsersEngines() {
    return new CloudCommand(folder, home, variables, List.of(USERS_ENGINES), main);
  }

  /** Returns the same commands in processes that do not call {@code System.exit}. */
  public CloudCommand withoutExit() {
    return new CloudCommand(folder, home, variables, flags, MainWithoutExit.class);
  }

  public RunningCommand start(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(LauncherBuild.java());
    command.addAll(flags);
    if (!flags.contains(USERS_ENGINES)) {
      command.add(MainWithLocalWorkers.class.getName());
    }
    command.add(main.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = new HashMap<>(variables);
    environment.put("ELASTUNE_HOME", home.toString());
    builder.environment().putAll(environment);
    return RunningCommand.start(builder, folder);
  }

  /**
   * Runs a command in this JVM, in the same home, for a tenth of the processor time of a process.
   * For commands that call no cloud: libraries of clouds read the variables of the process.
   */
  public CommandResult inProcess(String... arguments) {
    return new LauncherProcess(folder, home, variables).inProcess(arguments);
  }

  public CommandResult run(String... arguments) throws IOException, InterruptedException {
    return start(arguments).awaitExit();
  }
}

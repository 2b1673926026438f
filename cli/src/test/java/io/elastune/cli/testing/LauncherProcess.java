package io.elastune.cli.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts commands as users do: through the launcher, in a separate process, with a separate folder
 * and home.
 *
 * @param folder the folder that commands are started in
 * @param home {@code ELASTUNE_HOME}
 * @param environment additional environment variables
 */
public record LauncherProcess(Path folder, Path home, Map<String, String> environment) {
  /**
   * {@code JDK_JAVA_OPTIONS} for short runs. The launcher compiles with C2, which would cost a
   * third of their time.
   */
  public static final String FAST_JVM = "-XX:TieredStopAtLevel=1";

  public LauncherProcess {
    environment = Map.copyOf(environment);
  }

  /** Creates a launcher with its folder and home in {@code folder}. */
  public static LauncherProcess in(Path folder) {
    return new LauncherProcess(folder, folder.resolve("home"), Map.of());
  }

  /** Returns a copy with an additional variable. */
  public LauncherProcess with(String variable, String value) {
    Map<String, String> more = new HashMap<>(environment);
    more.put(variable, value);
    return new LauncherProcess(folder, home, more);
  }

  /** Starts a command. */
  public RunningCommand start(String... arguments) throws IOException {
    return startWith(List.of(LauncherBuild.launcher()), arguments);
  }

  /**
   * Runs a command in a terminal. Requires python3.
   *
   * @param script alternating texts: the output to wait for and the input to type
   */
  public CommandResult runInTerminal(List<String> script, String... arguments)
      throws IOException, InterruptedException {
    Path python = TinyJob.copy("terminal.py", folder);
    List<String> command = new ArrayList<>(List.of("python3", python.toString()));
    command.addAll(script);
    command.addAll(List.of("--", LauncherBuild.launcher()));
    return startWith(command, arguments).awaitExit();
  }

  /** Runs a command whose output pipe is closed after the first line, and returns that line. */
  public CommandResult runWithClosedPipe(String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        List.of("sh", "-c", "\"$@\" | head -n 1", "sh", LauncherBuild.launcher());
    return startWith(command, arguments).awaitExit();
  }

  /** Runs a command whose output a shell writes to {@code target}. */
  public CommandResult runInto(Path target, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = List.of("sh", "-c", "\"$@\" >" + target, "sh", LauncherBuild.launcher());
    return startWith(command, arguments).awaitExit();
  }

  private RunningCommand startWith(List<String> begin, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(begin);
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JDK_JAVA_OPTIONS", FAST_JVM);
    builder.environment().putAll(environment);
    builder.environment().put("ELASTUNE_HOME", home.toString());
    return RunningCommand.start(builder, folder);
  }

  /**
   * Runs a command in this JVM, with the same folder, home and variables as a process, for a tenth
   * of its processor time. For commands whose process is not the subject of the test: it handles no
   * signal, has no terminal, and does not use the launcher.
   */
  public CommandResult inProcess(String... arguments) {
    return inProcess(InstantSource.system(), arguments);
  }

  /** Runs a command in this JVM likewise, with another clock. */
  public CommandResult inProcess(InstantSource clock, String... arguments) {
    InProcessCli.Result result = inProcess(clock).run(arguments);
    return new CommandResult(result.exit(), result.out(), result.err());
  }

  /** Returns the commands of this JVM with the same folder, home and variables. */
  public InProcessCli inProcess(InstantSource clock) {
    Map<String, String> variables = new HashMap<>(System.getenv());
    variables.putAll(environment);
    variables.put("ELASTUNE_HOME", home.toString());
    return new InProcessCli(folder, variables, clock);
  }

  /** Returns the state of a run, such as {@code running}. */
  public String state(String run) {
    return inProcess("status", run, "--json").assertExit(0).json().path("state").asString();
  }

  /** Runs a command and waits until it exits. */
  public CommandResult run(String... arguments) throws IOException, InterruptedException {
    return start(arguments).awaitExit();
  }
}

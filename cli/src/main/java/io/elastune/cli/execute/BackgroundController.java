package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.NewSession;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.PollDelay;
import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.runtime.ControllerLock;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Starts a controller in the background for a run that is written to its journal. It has its own
 * session and no terminal, and its output is stored in the run's folder. It gets the environment of
 * this process, and with it the secrets: its arguments contain none of them.
 */
final class BackgroundController {
  /** The JVM's start and the first step take seconds, also on a busy machine. */
  private static final long PATIENCE_MS = 120_000;

  private static final long POLL_MS = 50;
  private static final int LOG_LINES = 5;

  private final CliEnvironment cliEnvironment;
  private final Output output;

  BackgroundController(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /**
   * Starts the controller, waits until it executes the run, and reports that. No process may hold
   * the run's lock.
   *
   * @param retryFailed whether it retries failed trials
   * @param document what to print with {@code --json}
   * @throws CommandFailure with the exit code of a controller that ended before
   */
  ExitCode start(RunFolder folder, boolean retryFailed, FirstDocument document) {
    report(start(folder, retryFailed), folder, document);
    return ExitCode.DONE;
  }

  /** Starts the controller in the same way, and reports nothing if it executes the run. */
  Process start(RunFolder folder, boolean retryFailed) {
    try {
      Instant before = lastChange(folder);
      Process process = launch(folder, retryFailed);
      awaitTakeover(process, folder, before);
      StartedRunFile.write(cliEnvironment, folder.run());
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a controller in the background", e);
    }
  }

  private Process launch(RunFolder folder, boolean retryFailed) throws IOException {
    Path log = PrivateFiles.createFile(folder.controllerLog());
    ProcessBuilder builder =
        new ProcessBuilder(command(folder.run(), retryFailed))
            .directory(cliEnvironment.folder().toFile())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().clear();
    builder.environment().putAll(cliEnvironment.environment());
    builder.environment().remove(StartedRunFile.VARIABLE);
    builder.environment().put("ELASTUNE_HOME", cliEnvironment.home().toString());
    return builder.start();
  }

  private static List<String> command(String run, boolean retryFailed) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));
    command.addAll(List.of("-cp", classPath, "io.elastune.cli.Main", "controller", run));
    if (retryFailed) {
      command.add("--retry-failed");
    }
    return NewSession.command(command);
  }

  /** The first step of the controller changes the time of the latest change. */
  private void awaitTakeover(Process process, RunFolder folder, Instant before) {
    for (long waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
      boolean ended = !process.isAlive();
      if (lastChange(folder).isAfter(before) && (ended || ControllerLock.isHeld(folder))) {
        return;
      }
      if (ended) {
        throw failure(process.exitValue(), folder, "ended before it started the run");
      }
      if (!PollDelay.sleepMillis(POLL_MS)) {
        break;
      }
    }
    process.destroyForcibly();
    throw failure(
        ExitCode.INTERNAL_ERROR.code(), folder, "did not start the run in time and was terminated");
  }

  private static Instant lastChange(RunFolder folder) {
    try (RunReader reader = RunReader.open(folder)) {
      return reader.progress().at();
    }
  }

  private CommandFailure failure(int code, RunFolder folder, String what) {
    ExitCode exit =
        ExitCode.find(code)
            .filter(some -> !some.equals(ExitCode.DONE))
            .orElse(ExitCode.INTERNAL_ERROR);
    return CommandFailure.of(
        exit,
        "",
        "the controller of run " + folder.run() + " " + what + ": " + lastOutput(folder),
        "its whole output: " + cliEnvironment.displayPath(folder.controllerLog()));
  }

  private static String lastOutput(RunFolder folder) {
    try {
      List<String> lines = Files.readAllLines(folder.controllerLog());
      return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    } catch (IOException e) {
      return "no output";
    }
  }

  private void report(Process process, RunFolder folder, FirstDocument document) {
    String run = folder.run();
    List.of(
            "Run " + run + " continues in the background, as process " + process.pid() + ".",
            " follow it   elastune attach " + run,
            " its state   elastune status " + run,
            " stop it     elastune stop " + run,
            " its log     " + folder.controllerLog())
        .forEach(output.text()::println);
    output.jsonLine(() -> document.detached(process.pid(), folder.controllerLog().toString()));
  }
}

package io.elastune.cli.remote;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.SignalHandlers;
import io.elastune.cli.execute.StartedRunFile;
import io.elastune.cli.inspect.PollDelay;
import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One command of another machine. From its folder, a later connection reads whether the command is
 * still active, which run it has started, and how it ended.
 */
final class RemoteSession {
  /** The exit code of a process that SIGHUP has ended. */
  private static final int HANG_UP = 129;

  private static final long POLL_MS = 200;
  private static final Set<String> STARTING = Set.of("run", "resume");
  private static final List<String> CONTINUING = List.of("schedule", "start");

  private final CliEnvironment cliEnvironment;
  private final Path folder;
  private volatile boolean active = true;

  RemoteSession(CliEnvironment cliEnvironment, Path folder) {
    this.cliEnvironment = cliEnvironment;
    this.folder = folder;
  }

  /**
   * Runs a command. A broken connection ends it, except while it starts a run, or for a schedule.
   *
   * @param workingFolder the folder that its paths are relative to
   * @param more additional environment variables
   */
  int run(
      Path workingFolder, Map<String, String> more, List<String> arguments, CommandRunner commands)
      throws IOException {
    PrivateFiles.createFolder(outputFiles());
    Map<String, String> variables = new HashMap<>(cliEnvironment.environment());
    variables.put(StartedRunFile.VARIABLE, runFile().toString());
    variables.putAll(more);
    CliEnvironment inner =
        new CliEnvironment(
            cliEnvironment.out(),
            cliEnvironment.err(),
            cliEnvironment.in(),
            variables,
            workingFolder,
            cliEnvironment.clock(),
            cliEnvironment.terminal());
    Runnable hangUpAsBefore =
        STARTING.contains(arguments.get(0))
            ? SignalHandlers.on("HUP", this::endWhenStarted)
            : () -> {};
    try (FileChannel channel = lockChannel();
        FileLock lock = channel.lock()) {
      if (!cliEnvironment.terminal()) {
        watchConnection(arguments);
      }
      int exit = commands.run(inner, arguments);
      active = false;
      Files.writeString(folder.resolve("exit"), Integer.toString(exit));
      return lock.isValid() ? exit : HANG_UP;
    } finally {
      hangUpAsBefore.run();
    }
  }

  private FileChannel lockChannel() throws IOException {
    return FileChannel.open(
        folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** Returns the folder of the files that the command writes. */
  Path outputFiles() {
    return folder.resolve("out");
  }

  private Path runFile() {
    return folder.resolve("run");
  }

  /** A run that has started has its own controller, so this process is no longer needed. */
  private void endWhenStarted() {
    while (!Files.exists(runFile())) {
      PollDelay.sleepMillis(POLL_MS);
    }
    Runtime.getRuntime().halt(HANG_UP);
  }

  /** Without a terminal, Ctrl-C and the end of the connection arrive on standard input. */
  private void watchConnection(List<String> arguments) {
    boolean continues = arguments.size() > 1 && arguments.subList(0, 2).equals(CONTINUING);
    Thread watcher = new Thread(() -> watch(cliEnvironment.in(), continues), "elastune-connection");
    watcher.setDaemon(true);
    watcher.start();
  }

  private void watch(InputStream in, boolean continues) {
    try {
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (next == RemoteProtocol.INTERRUPT) {
          SignalHandlers.raise("INT");
        }
      }
    } catch (IOException e) {
      // The connection is lost, as at the end of the stream.
    }
    if (active && !continues) {
      SignalHandlers.raise("HUP");
    }
  }

  /** Waits until the command has started a run, and returns the run; empty if it started none. */
  Optional<String> awaitRun() throws IOException {
    while (!Files.exists(runFile()) && isActive()) {
      if (!PollDelay.sleepMillis(POLL_MS)) {
        break;
      }
    }
    return run();
  }

  private boolean isActive() throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (FileChannel channel = lockChannel();
        FileLock lock = channel.tryLock()) {
      return lock == null;
    }
  }

  /** Returns the run that the command has started or followed. */
  Optional<String> run() {
    return read("run");
  }

  /** Returns the exit code of the command, if it has ended by itself. */
  Optional<Integer> exit() {
    return read("exit").map(Integer::valueOf);
  }

  private Optional<String> read(String name) {
    Path file = folder.resolve(name);
    try {
      return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

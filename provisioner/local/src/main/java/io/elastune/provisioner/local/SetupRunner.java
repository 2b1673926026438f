package io.elastune.provisioner.local;

import io.elastune.core.files.PrivateFiles;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.PreparationFailure;
import io.elastune.provisioner.PreparationStep;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.process.HostTools;
import io.elastune.provisioner.process.InstanceFolder;
import io.elastune.provisioner.process.Keeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs the setup commands of instances. Setups with the same working folder run one after the
 * other: parallel installations would write to the same files.
 */
final class SetupRunner {
  /** The time for reading the output after the exit: a background process may keep it open. */
  private static final Duration OUTPUT_TIMEOUT = Duration.ofSeconds(2);

  private static final int UNKNOWN_EXIT = 255;

  private final EventLoop loop;
  private final Map<String, Deque<Runnable>> waiting = new HashMap<>();

  /** Creates a runner; all callbacks run on {@code loop}. */
  SetupRunner(EventLoop loop) {
    this.loop = loop;
  }

  /** Runs a setup, again if it fails, and passes its error, if any, to {@code done}. */
  void run(
      InstanceFolder folder,
      NodeSetup setup,
      Map<String, String> marks,
      Consumer<Optional<PreparationFailure>> done) {
    Deque<Runnable> line = waiting.computeIfAbsent(setup.workdir(), workdir -> new ArrayDeque<>());
    line.add(
        () ->
            begin(
                folder,
                setup,
                marks,
                failure ->
                    failure.ifPresentOrElse(
                        first -> begin(folder, setup, marks, again -> end(setup, done, again)),
                        () -> end(setup, done, failure))));
    if (line.size() == 1) {
      line.element().run();
    }
  }

  private void begin(
      InstanceFolder folder,
      NodeSetup setup,
      Map<String, String> marks,
      Consumer<Optional<PreparationFailure>> done) {
    if (!Files.isDirectory(folder.path())) {
      next(setup); // The instance was released meanwhile.
      return;
    }
    Path log = Path.of(setup.log());
    long start = log.toFile().length();
    Process process;
    try {
      PrivateFiles.createParent(log);
      PrivateFiles.createFile(log);
      process = start(folder, setup, marks);
    } catch (IOException e) {
      done.accept(
          Optional.of(
              new PreparationFailure(
                  PreparationStep.SETUP, "starting the setup failed: " + e.getMessage())));
      return;
    }
    SetupLog setupLog = SetupLog.write(process.getInputStream(), log, setup.mask());
    loop.whenComplete(
        Keeper.exit(loop, process, status(folder))
            .thenCompose(code -> setupLog.complete(OUTPUT_TIMEOUT).thenApply(end -> code)),
        (code, failure) ->
            finish(code == null ? UNKNOWN_EXIT : code, process, folder, setup, start, done));
  }

  private static Process start(InstanceFolder folder, NodeSetup setup, Map<String, String> marks)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder();
    builder.directory(Path.of(setup.workdir()).toFile());
    builder.environment().clear();
    builder.environment().putAll(HostTools.allowedEnvironment());
    builder.environment().putAll(setup.environment());
    builder.environment().putAll(marks);
    Files.deleteIfExists(status(folder)); // of the first try
    Keeper.start(builder, status(folder), HostTools.shell(setup.command()));
    builder.redirectErrorStream(true);
    Process process = builder.start();
    try {
      folder.register(process.pid());
      process.getOutputStream().close();
    } catch (IOException e) {
      process.destroyForcibly(); // The guard could not find and end it.
      throw e;
    }
    return process;
  }

  private static Path status(InstanceFolder folder) {
    return folder.path().resolve("setup-exit");
  }

  private void finish(
      int exit,
      Process process,
      InstanceFolder folder,
      NodeSetup setup,
      long start,
      Consumer<Optional<PreparationFailure>> done) {
    // What a setup leaves belongs to the instance, and ends with it.
    var unused = process.onExit().thenAccept(ended -> unregister(folder, process));
    Optional<PreparationFailure> problem =
        exit == 0
            ? Optional.empty()
            : Optional.of(
                new PreparationFailure(
                    PreparationStep.ofExit(exit, PreparationStep.SETUP),
                    "exit " + exit + LogTail.of(Path.of(setup.log()), start)));
    done.accept(problem);
  }

  private static void unregister(InstanceFolder folder, Process process) {
    try {
      folder.unregister(process.pid());
    } catch (IOException e) {
      return; // The folder is deleted with the instance.
    }
  }

  private void end(
      NodeSetup setup,
      Consumer<Optional<PreparationFailure>> done,
      Optional<PreparationFailure> failure) {
    next(setup);
    done.accept(failure);
  }

  private void next(NodeSetup setup) {
    Deque<Runnable> line = waiting.get(setup.workdir());
    if (line == null) {
      return;
    }
    line.remove();
    if (line.isEmpty()) {
      waiting.remove(setup.workdir());
    } else {
      // Not directly: many setups that fail to start would cause a deep recursion.
      loop.execute(line.element());
    }
  }
}

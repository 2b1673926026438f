package io.elastune.executor.local;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.protocol.ReportLine;
import io.elastune.provisioner.process.HostTools;
import io.elastune.provisioner.process.InstanceFolder;
import io.elastune.provisioner.process.LineSplitter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One worker: a process in its own session, pinned to the cores of its slot. */
final class WorkerProcess {
  private final Process process;
  private final Optional<InstanceFolder> instance;
  private final String name;

  private WorkerProcess(Process process, Optional<InstanceFolder> instance, String name) {
    this.process = process;
    this.instance = instance;
    this.name = name;
  }

  static WorkerProcess start(AttemptSpec spec, int rank, Map<String, String> environment, Path home)
      throws IOException {
    AttemptSpec.Worker worker = spec.workers().get(rank);
    String script = AttemptContainers.command(spec, rank, environment.keySet());
    List<String> command =
        HostTools.detached(
            HostTools.pinned(worker.slot(), HostTools.ownerOnly(HostTools.shell(script))));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(Path.of(spec.workdir()).toFile());
    builder.environment().clear();
    builder.environment().putAll(HostTools.inheritedEnvironment());
    builder.environment().putAll(environment);
    builder.redirectErrorStream(rank > 0);
    Process process;
    try {
      process = builder.start();
    } catch (IllegalArgumentException e) {
      throw new IOException("an environment variable cannot be set", e);
    }
    Optional<InstanceFolder> instance =
        Optional.of(worker.lease())
            .filter(InstanceFolder::isValidName)
            .map(lease -> InstanceFolder.of(home, lease));
    WorkerProcess started =
        new WorkerProcess(process, instance, "elastune-" + spec.attempt() + "-" + rank);
    try {
      if (instance.isPresent()) {
        instance.get().register(process.pid());
        if (spec.image().isPresent()) {
          instance.get().registerContainers();
        }
      }
      if (spec.keepAlive() != AttemptSpec.KeepAlive.WAIT) {
        process.getOutputStream().close();
      }
    } catch (IOException e) {
      process.destroyForcibly(); // The guard of the instance must be able to find every worker.
      throw e;
    }
    return started;
  }

  long pid() {
    return process.pid();
  }

  /** Returns its exit code; 128 + signal number if it was killed. */
  CompletableFuture<Integer> exit() {
    return process.onExit().thenApply(Process::exitValue);
  }

  /**
   * Writes a line to its standard input.
   *
   * @throws IOException if it has ended or has closed its input
   */
  void send(byte[] line) throws IOException {
    process.getOutputStream().write(line);
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  /** Ends its standard input. */
  void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      return; // it has ended, or has closed its input
    }
  }

  /** Reads its standard output to the end. */
  CompletableFuture<?> readOutput(LineSplitter.Sink sink) {
    return read(process.getInputStream(), "-out", LineSplitter.withMarker(ReportLine.START, sink));
  }

  /** Reads its standard error to the end. */
  CompletableFuture<?> readErrors(LineSplitter.Sink sink) {
    return read(process.getErrorStream(), "-err", new LineSplitter(sink));
  }

  private CompletableFuture<?> read(InputStream stream, String suffix, LineSplitter splitter) {
    CompletableFuture<?> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                splitter.read(stream);
              } finally {
                end.complete(null);
              }
            },
            name + suffix);
    thread.setDaemon(true);
    thread.start();
    return end;
  }

  /** Removes it from the workers of its instance; called when no process of its group is left. */
  void dismiss() {
    try {
      if (instance.isPresent()) {
        instance.get().unregister(pid());
      }
    } catch (IOException e) {
      return; // The folder of the instance was already deleted.
    }
  }
}

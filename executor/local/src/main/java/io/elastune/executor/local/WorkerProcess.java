package io.elastune.executor.local;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.protocol.ReportLine;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.process.HostTools;
import io.elastune.provisioner.process.InstanceFolder;
import io.elastune.provisioner.process.Keeper;
import io.elastune.provisioner.process.LineSplitter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One worker: a process in its own session, pinned to the cores of its slot. On Linux it is below a
 * {@link Keeper}, whose id stands for it.
 */
final class WorkerProcess {
  private final Process process;
  private final Path status;
  private final Optional<InstanceFolder> instance;
  private final String name;

  private WorkerProcess(
      Process process, Path status, Optional<InstanceFolder> instance, String name) {
    this.process = process;
    this.status = status;
    this.instance = instance;
    this.name = name;
  }

  /**
   * Starts a worker.
   *
   * @param status the file for its exit code if it leaves processes
   */
  static WorkerProcess start(
      AttemptSpec spec, int rank, Map<String, String> environment, Path status, Path home)
      throws IOException {
    AttemptSpec.Worker worker = spec.workers().get(rank);
    String script = AttemptContainers.command(spec, rank, environment.keySet());
    ProcessBuilder builder = new ProcessBuilder();
    builder.directory(Path.of(spec.workdir()).toFile());
    builder.environment().clear();
    builder.environment().putAll(HostTools.allowedEnvironment());
    if (spec.image().isPresent()) {
      builder.environment().putAll(AttemptContainers.clientEnvironment());
    }
    builder.environment().putAll(environment);
    Keeper.start(
        builder,
        status,
        HostTools.pinned(worker.slot(), HostTools.ownerOnly(HostTools.shell(script))));
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
        new WorkerProcess(process, status, instance, "elastune-" + spec.attempt() + "-" + rank);
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
  CompletableFuture<Integer> exit(EventLoop loop) {
    return Keeper.exit(loop, process, status);
  }

  /** Returns whether it has ended, and all that it has started. */
  boolean hasEnded() {
    return !process.isAlive();
  }

  /** Returns whether its keeper was killed, so that processes may be left. */
  boolean isUnkept() {
    return Keeper.wasKilled(status);
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
  CompletableFuture<?> readOutput(EventLoop loop, LineSplitter.Sink sink) {
    return read(
        loop, process.getInputStream(), "-out", LineSplitter.withMarker(ReportLine.START, sink));
  }

  /** Reads its standard error to the end. */
  CompletableFuture<?> readErrors(EventLoop loop, LineSplitter.Sink sink) {
    return read(loop, process.getErrorStream(), "-err", new LineSplitter(sink));
  }

  private CompletableFuture<?> read(
      EventLoop loop, InputStream stream, String suffix, LineSplitter splitter) {
    CompletableFuture<?> end = new CompletableFuture<>();
    loop.startThread(name + suffix, () -> splitter.read(stream), () -> end.complete(null));
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

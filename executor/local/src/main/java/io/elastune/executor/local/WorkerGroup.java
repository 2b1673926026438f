package io.elastune.executor.local;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.protocol.AttemptReports;
import io.elastune.executor.protocol.TrialFile;
import io.elastune.executor.protocol.WorkerEnvironment;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.process.LineSplitter;
import io.elastune.provisioner.process.OwnedProcesses;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker processes of an attempt. With {@code keep_alive}, they can wait after it and continue
 * with the next attempt of their trial. Used on the engine's event loop only, except for output.
 */
final class WorkerGroup {
  /** The exit code of a worker whose own is unknown. */
  private static final int UNKNOWN_EXIT = 255;

  private static final Logger LOG = LoggerFactory.getLogger(WorkerGroup.class);

  /** Where a worker writes a line. */
  enum Source {
    OUTPUT,
    ERRORS,
    /** The report channel of worker 0. */
    CHANNEL
  }

  /** Receives what the workers do. */
  interface Owner {
    /** Receives a line, on the thread that reads it. */
    void output(int rank, Source source, byte[] line, int length, boolean cut);

    /** Receives the exit code of a worker, on the event loop. */
    void exited(int code);
  }

  private final AttemptSpec spec;
  private final LocalEngineContext context;
  private final Path checkpointDir;
  private final TrialFileFolder files;
  private final List<WorkerProcess> workers = new ArrayList<>();
  private final List<CompletableFuture<?>> readers = new ArrayList<>();
  private Optional<ReportChannel> channel = Optional.empty();
  private volatile Owner owner;
  private int running;

  private WorkerGroup(AttemptSpec spec, LocalEngineContext context, Path checkpointDir, Owner owner)
      throws IOException {
    this.spec = spec;
    this.context = context;
    this.checkpointDir = checkpointDir;
    this.owner = owner;
    files = TrialFileFolder.create(checkpointDir, spec.attempt());
  }

  /**
   * Creates the group of an attempt, without workers.
   *
   * @throws IOException if the folder of its trial files cannot be created
   */
  static WorkerGroup create(
      AttemptSpec spec, LocalEngineContext context, Path checkpointDir, Owner owner)
      throws IOException {
    return new WorkerGroup(spec, context, checkpointDir, owner);
  }

  /**
   * Starts the workers.
   *
   * @throws IOException if one cannot start; those before it run
   */
  void start() throws IOException {
    channel = ReportChannel.create(files.channel());
    int port = freePort();
    for (int rank = 0; rank < spec.workers().size(); rank++) {
      Path trialFile = files.write(rank, TrialFile.write(spec, checkpointDir.toString(), rank));
      Map<String, String> environment =
          WorkerEnvironment.of(spec, rank, trialFile, checkpointDir.toString(), port);
      if (rank == 0 && channel.isPresent()) {
        environment.put(WorkerEnvironment.REPORTS, channel.get().path().toString());
      }
      read(rank, WorkerProcess.start(spec, rank, environment, files.status(rank), context.home()));
    }
  }

  private void read(int rank, WorkerProcess worker) throws IOException {
    workers.add(worker);
    running++;
    EventLoop loop = context.loop();
    readers.add(worker.readOutput(loop, sink(rank, Source.OUTPUT)));
    if (rank == 0) {
      readers.add(worker.readErrors(loop, sink(rank, Source.ERRORS)));
      if (channel.isPresent()) {
        readers.add(channel.get().read(loop, sink(rank, Source.CHANNEL)));
      }
    }
    context.loop().whenComplete(worker.exit(context.loop()), this::exited);
  }

  private LineSplitter.Sink sink(int rank, Source source) {
    boolean besideChannel = rank == 0 && source == Source.OUTPUT;
    return (line, length, cut) -> {
      // The pipes have a reader each. What was written to the channel first counts first.
      if (besideChannel
          && AttemptReports.mayContainReport(line, length)
          && channel.filter(ReportChannel::awaitUse).isPresent()) {
        owner.output(rank, Source.CHANNEL, new byte[0], 0, false);
      }
      owner.output(rank, source, line, length, cut);
    };
  }

  private void exited(@Nullable Integer code, @Nullable Throwable failure) {
    running--;
    owner.exited(code == null ? UNKNOWN_EXIT : code);
  }

  /** From now on, another owner receives output and exit codes. */
  void passTo(Owner other) {
    owner = other;
  }

  /**
   * Passes the next attempt to the workers, which wait for it.
   *
   * @throws IOException if a worker has ended or has closed its input
   */
  void proceed(AttemptSpec next) throws IOException {
    for (int rank = 0; rank < workers.size(); rank++) {
      byte[] trialFile = TrialFile.write(next, checkpointDir.toString(), rank);
      var unused = files.write(rank, trialFile);
      workers.get(rank).send(trialFile);
    }
  }

  /** Ends the input of all workers: those that wait for the next attempt end. */
  void endInput() {
    workers.forEach(WorkerProcess::endInput);
  }

  /** Returns the number of workers that have started. */
  int size() {
    return workers.size();
  }

  /** Returns the number of workers that run. */
  int running() {
    return running;
  }

  /** Returns whether the keeper of a worker that has ended was killed. */
  boolean isUnkept() {
    return workers.stream().anyMatch(worker -> worker.hasEnded() && worker.isUnkept());
  }

  /** Returns the ids of the workers. */
  List<Long> pids() {
    return workers.stream().map(WorkerProcess::pid).toList();
  }

  /** Returns the workers and all processes that they have started. */
  OwnedProcesses family() {
    Set<Long> leaders = new HashSet<>(pids());
    return new OwnedProcesses(WorkerEnvironment.ATTEMPT, WorkerEnvironment.mark(spec), leaders);
  }

  /** Removes the workers from their instances; called when none of their processes is left. */
  void dismiss() {
    workers.forEach(WorkerProcess::dismiss);
    channel.ifPresent(ReportChannel::close);
  }

  /** Completes when all output was read. */
  CompletableFuture<Void> outputRead() {
    return CompletableFuture.allOf(readers.toArray(CompletableFuture<?>[]::new));
  }

  /** Deletes the trial files. */
  void removeFiles() {
    try {
      files.remove();
    } catch (IOException e) {
      LOG.warn("Deleting the files of attempt {} failed: {}", spec.attempt(), e.toString());
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}

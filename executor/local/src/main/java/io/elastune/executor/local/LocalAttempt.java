package io.elastune.executor.local;

import io.elastune.core.files.DiskSpace;
import io.elastune.core.time.Seconds;
import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.executor.checkpoint.CheckpointStore;
import io.elastune.executor.checkpoint.CheckpointStore.CleanupResult;
import io.elastune.executor.decision.model.FailureCause;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.CheckpointTimes;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.InternalFailure;
import io.elastune.executor.engine.SharedCheckpoints;
import io.elastune.executor.protocol.AttemptLog;
import io.elastune.executor.protocol.AttemptRegistry;
import io.elastune.executor.protocol.AttemptReports;
import io.elastune.executor.protocol.FoundReports;
import io.elastune.executor.protocol.MetricFile;
import io.elastune.executor.protocol.WorkerEnvironment;
import io.elastune.provisioner.process.OwnedProcesses;
import io.elastune.provisioner.process.OwnedProcesses.Signal;
import io.elastune.provisioner.process.ProcessEnd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one attempt from its start to its {@code Ended} event. Used on the engine's event loop only.
 */
final class LocalAttempt implements AttemptRegistry.Attempt, WorkerGroup.Owner {
  private static final Logger LOG = LoggerFactory.getLogger(LocalAttempt.class);
  private static final Duration SWEEP_INTERVAL = Duration.ofMillis(50);

  /** Time between two samples of the CPU activity. */
  private static final Duration SAMPLE_INTERVAL = Duration.ofSeconds(5);

  /** Time between two samples of the memory, which may be exhausted in seconds. */
  private static final Duration MEMORY_INTERVAL = Duration.ofSeconds(1);

  /** The least time between two samples of the memory when the program writes its output. */
  private static final Duration OUTPUT_INTERVAL = Duration.ofMillis(250);

  /** What a trial can do that looks for its ancestors. */
  private static final String UNKEPT =
      "the process was killed that keeps the processes of this trial: one that has left its group,"
          + " has cleared its environment and has changed its limits may still run";

  private static final int SIGTERM_EXIT = 128 + 15;
  private static final int SIGKILL_EXIT = 128 + 9;
  private static final int CANNOT_START_EXIT = 127;

  /** How often the end of such an attempt may fail until it is posted without the rest. */
  private static final int MOST_BROKEN_STEPS = 20;

  /** A worker that exits with this is not a failure in any case. */
  private static final int RETRY_EXIT = 75;

  /**
   * Seconds to wait for the output readers after the last process has exited. A reader that takes
   * longer belongs to a process that escaped detection.
   */
  private static final int READERS_S = 3;

  private final AttemptSpec spec;
  private final LocalEngineContext context;
  private final WaitingTrials waiting;
  private final Consumer<LocalAttempt> whenEnded;
  private final Path checkpointDir;
  private final CheckpointStore store;
  private final AttemptWorkdir workdir;
  private final AttemptContainers containers;
  private final ActivityMonitor activity;
  private final MemoryMonitor memory = new MemoryMonitor();
  private final ProcessEnd end = new ProcessEnd();

  /** When output last was a reason to sample the memory. */
  private volatile Instant sampledAtOutput = Instant.MIN;

  private @Nullable WorkerGroup workers;

  /** The workers after their end: their files stay until the disks are measured. */
  private @Nullable WorkerGroup endedWorkers;

  private @Nullable AttemptLog log;
  private Optional<MetricFile> metricFile = Optional.empty();
  private @Nullable ReportReader reader;
  private boolean launched;

  /** When the workers began to use their instances; empty if they never did. */
  private Optional<Instant> launchedAt = Optional.empty();

  /** Whether the workers are those of the attempt before. */
  private boolean continued;

  private boolean stopping;

  /** Whether the grace period is over: from now on, processes get SIGKILL. */
  private boolean graceOver;

  private int running;
  private int exitCode;

  /** The folder whose disk was full after the last worker; the cleanup may free some space. */
  private Optional<Path> fullDisk = Optional.empty();

  private long oomKillsBefore;

  /** Whether the work of the engine on it has failed. */
  private boolean broken;

  private int brokenSteps;

  /** Whether its end was posted. */
  private boolean ended;

  private String problem = "";
  private String contradiction = "";

  /**
   * Creates an attempt that has not started.
   *
   * @param waiting the trials whose workers wait
   * @param whenEnded called when the attempt has ended, before the event is posted
   */
  LocalAttempt(
      AttemptSpec spec,
      LocalEngineContext context,
      WaitingTrials waiting,
      Consumer<LocalAttempt> whenEnded) {
    this.spec = spec;
    this.context = context;
    this.waiting = waiting;
    this.whenEnded = whenEnded;
    checkpointDir = new CheckpointLocation(spec.checkpointDir()).absoluteFolder();
    store = new CheckpointStore(checkpointDir);
    workdir = new AttemptWorkdir(spec);
    containers = new AttemptContainers(spec);
    activity = new ActivityMonitor(context.now());
  }

  @Override
  public String id() {
    return spec.attempt();
  }

  AttemptSpec spec() {
    return spec;
  }

  /**
   * Ends workers that wait on its GPUs, copies the parent's checkpoint, cleans up after earlier
   * attempts, and starts the workers, or continues with those of the attempt before.
   *
   * @param others the other attempts
   */
  void start(List<AttemptSpec> others) {
    context
        .loop()
        .whenComplete(
            waiting.prepare(spec, others),
            (group, failure) -> prepared(group == null ? null : group.orElse(null)));
  }

  private void prepared(@Nullable WorkerGroup group) {
    workers = group;
    continued = group != null;
    inFiles(
        () -> {
          Optional<String> copy = spec.shared().parent().flatMap(this::copyCheckpoint);
          Optional<String> replaced =
              spec.digest().flatMap(digest -> store.reject(spec.from(), digest));
          return Stream.of(copy, replaced).flatMap(Optional::stream).toList();
        },
        problems -> {
          problems.forEach(this::postFault);
          cleanUp(this::launch);
        });
  }

  /** Runs file work, which may block, and then continues on the event loop. */
  private <T> void inFiles(Supplier<T> work, Consumer<T> next) {
    context
        .files()
        .execute(
            () -> {
              T result = work.get();
              context.loop().execute(() -> proceed(() -> next.accept(result)));
            });
  }

  /** After an error in the work of the engine, only the end follows. */
  private void proceed(Runnable next) {
    if (!broken) {
      next.run();
    }
  }

  /**
   * Ends the attempt after an error in the work of the engine on it, whatever it was: kills what is
   * left of its workers, and posts {@code Ended} as for any other failure.
   */
  void failed(Throwable error) {
    if (ended) {
      return;
    }
    boolean first = !broken;
    broken = true;
    if (first) {
      LOG.debug("Attempt {} fails", id(), error);
      if (exitCode == 0 || problem.isEmpty()) {
        problem = InternalFailure.text(error);
      }
      exitCode = exitCode == 0 ? InternalFailure.EXIT : exitCode;
    }
    brokenSteps++;
    if (brokenSteps > MOST_BROKEN_STEPS) {
      postBroken(OptionalInt.empty());
    } else {
      endBroken();
    }
  }

  private void endBroken() {
    if (ended) {
      return;
    }
    OwnedProcesses family = family();
    if (!hasEnded(family)) {
      end.kill(family);
      context.loop().schedule(SWEEP_INTERVAL, this::endBroken);
      return;
    }
    int limit = limit();
    context
        .files()
        .execute(
            () -> {
              containers.remove();
              OptionalInt newest = store.newest(limit);
              context.loop().execute(() -> postBroken(newest));
            });
  }

  /** Nothing that fails here may keep the end from being posted. */
  private void postBroken(OptionalInt newest) {
    if (ended) {
      return;
    }
    ended = true;
    WorkerGroup group = workers == null ? endedWorkers : workers;
    Stream.<Runnable>of(
            () -> {
              if (group != null) {
                group.dismiss();
                group.removeFiles();
              }
            },
            () -> {
              if (log != null) {
                log.close();
              }
            },
            () -> whenEnded.accept(this))
        .forEach(step -> InternalFailure.quietly(id(), step));
    Instant now = context.now();
    context.post(
        new EngineEvent.Ended(spec.attempt(), exitCode, newest, false, problem, now)
            .withStart(launchedAt.orElse(now)));
  }

  private Optional<String> copyCheckpoint(SharedCheckpoints.Source parent) {
    Path folder = new CheckpointLocation(parent.checkpointDir()).absoluteFolder();
    return store.tryCopyFrom(new CheckpointStore(folder), spec.from());
  }

  /** Requests a checkpoint and the exit of all workers. */
  @Override
  public void stop() {
    stop(context.settings().stopGrace());
  }

  /** The same; workers are killed after {@code grace}, or earlier if requested before. */
  void stop(Duration grace) {
    boolean first = !stopping;
    stopping = true;
    if (launched && first) {
      requestExit();
    }
    if (launched) {
      context.loop().schedule(grace, this::killRest);
    }
  }

  /** The client of a container passes a signal on: the processes there must not get it twice. */
  private void requestExit() {
    if (workers != null) {
      workers.endInput(); // for workers that wait for others
    }
    OwnedProcesses all = family();
    String variable = spec.image().isEmpty() ? all.variable() : "ELASTUNE_CLIENT";
    new OwnedProcesses(variable, all.value(), all.leaders()).signal(Signal.TERM);
  }

  /** Kills the workers immediately. */
  @Override
  public void kill() {
    stopping = true;
    killRest();
  }

  /** Posts the time since the last sign of life, if the workers are running. */
  @Override
  public void check() {
    if (launched && running > 0) {
      activity.sample(family().cpuSeconds(), context.now());
      double silenceS = activity.silenceS(context.now());
      context.post(new EngineEvent.Active(spec.attempt(), silenceS, context.now()));
    }
  }

  /** Samples the CPU activity, unless output has shown that the attempt is alive. */
  private void sampleActivity() {
    if (running == 0) {
      return;
    }
    if (activity.silenceS(context.now()) > Seconds.of(SAMPLE_INTERVAL)) {
      activity.sample(family().cpuSeconds(), context.now());
    }
    context.loop().schedule(SAMPLE_INTERVAL, this::sampleActivity);
  }

  /** The memory of a container is not that of the client which starts it. */
  private void sampleMemory() {
    if (running > 0 && workers != null && spec.image().isEmpty()) {
      memory.sample(workers.pids(), context.now());
    }
  }

  private void sampleMemoryRegularly() {
    sampleMemory();
    if (running > 0 && spec.image().isEmpty()) {
      context.loop().schedule(MEMORY_INTERVAL, this::sampleMemoryRegularly);
    }
  }

  /**
   * A program that reports has just used its memory, and may end before the next sample. The
   * readers of its output call this; the event loop takes the sample.
   */
  private void sampleMemoryAtOutput(Instant now) {
    if (sampledAtOutput.isBefore(now.minus(OUTPUT_INTERVAL))) {
      sampledAtOutput = now;
      context.loop().execute(this::sampleMemory);
    }
  }

  private void killRest() {
    if (running > 0) {
      context.files().execute(containers::remove);
    }
    killWorkers();
  }

  /**
   * Kills until all workers have exited: one signal would miss a worker whose keeper is about to
   * start it. Workers that are left after that belong to other users.
   */
  private void killWorkers() {
    if (!graceOver) {
      graceOver = true;
      killRunning();
    }
  }

  private void killRunning() {
    if (running == 0 || ended) {
      return;
    }
    OwnedProcesses family = family();
    if (end.remaining(family).filter(left -> !left.isEmpty()).isPresent()) {
      exitCode = exitCode == 0 ? SIGKILL_EXIT : exitCode;
      running = 0;
      sweep(); // which names them
      return;
    }
    end.kill(family);
    context.loop().schedule(SWEEP_INTERVAL, this::killRunning);
  }

  private void launch(CleanupResult cleanupResult) {
    postFaults(cleanupResult);
    if (stopping) {
      exitCode = SIGTERM_EXIT;
      problem = "stopped before it started";
      endUnstarted(cleanupResult);
    } else if (spec.from() > 0 && !cleanupResult.complete().contains(spec.from())) {
      exitCode = 1;
      problem = "checkpoint " + spec.from() + ", which it should resume from, is missing or torn";
      endUnstarted(cleanupResult);
    } else if (workers != null) {
      setLaunched();
      proceed(workers);
    } else {
      fillFolder();
    }
  }

  /** Posts the end once the workers of the attempt before have ended, if they have waited. */
  private void endUnstarted(CleanupResult cleanupResult) {
    if (workers == null) {
      postEnded(cleanupResult);
      return;
    }
    WaitingWorkers unstarted = new WaitingWorkers(spec, workers, context);
    workers = null;
    context.loop().whenComplete(unstarted.end(), (end, failure) -> postEnded(cleanupResult));
  }

  /** Fills the working folder on the file thread, and then starts the workers on the event loop. */
  private void fillFolder() {
    inFiles(workdir::fill, this::filled);
  }

  private void filled(Optional<String> failure) {
    if (failure.isPresent() || stopping) {
      exitCode = stopping ? SIGTERM_EXIT : CANNOT_START_EXIT;
      problem = stopping ? "stopped before it started" : failure.orElse("");
      cleanUp(this::end);
    } else {
      setLaunched();
      startWorkers();
    }
  }

  private void setLaunched() {
    launched = true;
    launchedAt = Optional.of(context.now());
  }

  private void startWorkers() {
    openOutput();
    try {
      if (!Files.isDirectory(Path.of(spec.workdir()))) { // else the error names the program
        throw new IOException("folder " + spec.workdir() + " does not exist");
      }
      WorkerGroup group = WorkerGroup.create(spec, context, checkpointDir, this);
      workers = group;
      try {
        group.start();
      } finally {
        running = group.size();
      }
      context.loop().schedule(SAMPLE_INTERVAL, this::sampleActivity);
      sampleMemoryRegularly();
    } catch (IOException e) {
      exitCode = CANNOT_START_EXIT;
      problem = "could not start: " + e.getMessage();
      endFailedStart();
    }
  }

  private void proceed(WorkerGroup group) {
    openOutput();
    group.passTo(this);
    running = group.running();
    try {
      if (running < group.size()) {
        throw new IOException("a worker has ended");
      }
      group.proceed(spec);
      context.loop().schedule(SAMPLE_INTERVAL, this::sampleActivity);
      sampleMemoryRegularly();
    } catch (IOException e) {
      exitCode = RETRY_EXIT;
      problem = EngineEvent.Ended.NOT_CONTINUED + ": " + e.getMessage();
      endFailedStart();
    }
  }

  private void openOutput() {
    AttemptLog attemptLog = new AttemptLog(Path.of(spec.log()), spec.mask());
    log = attemptLog;
    reader =
        new ReportReader(
            spec,
            context,
            (line, length, cut) -> attemptLog.line(prefix(0), line, length, cut),
            this::waits);
    metricFile = spec.metric().flatMap(it -> MetricFile.before(it, Path.of(spec.workdir())));
    oomKillsBefore = context.oomKills().value();
  }

  private void endFailedStart() {
    if (running == 0) {
      graceOver = true;
      sweep();
    } else {
      killWorkers();
    }
  }

  private String prefix(int rank) {
    return spec.workers().size() > 1 ? "[" + rank + "] " : "";
  }

  /** Counts every line as a sign of life. */
  @Override
  public void output(int rank, WorkerGroup.Source source, byte[] line, int length, boolean cut) {
    Instant now = context.now();
    activity.output(now);
    sampleMemoryAtOutput(now);
    ReportReader reports = reader;
    AttemptLog attemptLog = log;
    if (reports == null || attemptLog == null) {
      return;
    }
    if (rank > 0) {
      attemptLog.line(prefix(rank), line, length, cut);
      return;
    }
    switch (source) {
      case OUTPUT -> reports.line(line, length, cut);
      case ERRORS -> reports.errorLine(line, length, cut);
      case CHANNEL -> reports.channelLine(line, length, cut);
    }
  }

  /** The workers wait after {@code to}. They stay if the attempt is complete, and end otherwise. */
  private void waits() {
    AttemptReports reports = reports();
    if (workers == null || reports == null) {
      return;
    }
    boolean complete =
        spec.keepAlive() == AttemptSpec.KeepAlive.WAIT
            && !stopping
            && reports.hasReached(spec.to())
            && running == spec.workers().size();
    if (!complete) {
      workers.endInput();
      return;
    }
    inFiles(
        () -> {
          reports.complete(true, metricFile.map(MetricFile::read), context.now());
          return store.tryCleanUp(spec.keep(), needed(), limit());
        },
        this::endWaiting);
  }

  private void endWaiting(CleanupResult result) {
    WorkerGroup group = workers;
    if (group == null) {
      return;
    }
    if (stopping || running < spec.workers().size() || !result.complete().contains(spec.to())) {
      group.endInput();
      return;
    }
    waiting.add(spec, group, context);
    workers = null;
    running = 0;
    end(result);
  }

  @Override
  public void exited(int code) {
    context.loop().own(this::failed, () -> proceed(() -> workerExited(code)));
  }

  private void workerExited(int code) {
    if (running == 0) {
      return; // it could not be ended before
    }
    running--;
    if (running > 0 && code == 0 && workers != null) {
      workers.endInput(); // none waits if one ends
    }
    if (code != 0 && exitCode == 0) {
      exitCode = code;
      if (code == SIGKILL_EXIT && !stopping) {
        problem = workers != null && workers.isUnkept() ? UNKEPT : killed();
      }
      if (running > 0 && !stopping) {
        requestExit();
        context.loop().schedule(context.settings().siblingGrace(), this::killRest);
      }
    }
    if (running == 0) {
      fullDisk = Optional.of(checkpointDir).filter(DiskSpace::isFull);
      sweep();
    }
  }

  /** Describes the end of a worker by a SIGKILL that this engine did not send. */
  private String killed() {
    return context.oomKills().attributeKillSince(oomKillsBefore)
        ? "killed by SIGKILL, out of memory (the kernel's counter rose)"
        : "killed by SIGKILL (exit 137), perhaps out of memory";
  }

  /**
   * Kills the processes that the workers left behind. After a stop they keep their grace period: if
   * the command is a pipeline or a script, the signal ends the shell while the training process
   * still writes its checkpoint.
   */
  private void sweep() {
    OwnedProcesses family = family();
    if (!hasEnded(family)) {
      if (!stopping || graceOver) {
        end.kill(family);
      }
      context.loop().schedule(SWEEP_INTERVAL, this::sweep);
      return;
    }
    WorkerGroup group = workers;
    if (group != null) {
      group.dismiss();
    }
    CompletableFuture<Void> read =
        CompletableFuture.runAsync(containers::remove, context.files())
            .thenCompose(
                removed ->
                    group == null
                        ? CompletableFuture.completedFuture(null)
                        : group.outputRead().orTimeout(READERS_S, TimeUnit.SECONDS));
    context
        .loop()
        .whenComplete(
            read,
            (all, tooLate) ->
                proceed(
                    () -> {
                      workers = null;
                      endedWorkers = group;
                      retryIfNotContinued();
                      completeReports();
                    }));
  }

  /** Whether no process is left, or only those of other users, which it names. */
  private boolean hasEnded(OwnedProcesses family) {
    Optional<List<String>> left = end.remaining(family);
    left.orElse(List.of())
        .forEach(process -> postFault(process + " cannot be ended, and still runs"));
    return left.isPresent();
  }

  /** Looks for the metric of a program without reports, on the file thread. */
  private void completeReports() {
    AttemptReports read = reports();
    boolean succeeded = exitCode == 0 && !stopping;
    if (read == null) {
      measureDisks();
      return;
    }
    inFiles(
        () -> {
          read.complete(
              succeeded, metricFile.filter(file -> succeeded).map(MetricFile::read), context.now());
          return read;
        },
        complete -> measureDisks());
  }

  private record Measured(Optional<Path> full, String contradiction) {}

  /** Measures the disks after a failure, before the cleanup frees some space. */
  private void measureDisks() {
    if (exitCode == 0 || exitCode == RETRY_EXIT || stopping || fullDisk.isPresent()) {
      cleanUp(this::end);
      return;
    }
    FullDisk disks = new FullDisk(spec, checkpointDir, log == null ? "" : log.tail());
    inFiles(
        () -> {
          Optional<Path> full = disks.measure();
          return new Measured(full, full.isEmpty() ? disks.contradiction() : "");
        },
        measured -> {
          fullDisk = measured.full();
          contradiction = measured.contradiction();
          cleanUp(this::end);
        });
  }

  /** A program may be unable to continue: then the next attempt starts it. */
  private void retryIfNotContinued() {
    AttemptReports reports = reports();
    if (continued && !stopping && (reports == null || !reports.hasReached(spec.from() + 1))) {
      exitCode = RETRY_EXIT;
      problem = problem.isEmpty() ? EngineEvent.Ended.NOT_CONTINUED : problem;
    }
  }

  private Set<Integer> needed() {
    AttemptReports reports = reports();
    return reports == null ? spec.neededCheckpoints() : reports.neededCheckpoints();
  }

  private @Nullable AttemptReports reports() {
    return reader == null ? null : reader.reports();
  }

  private void end(CleanupResult cleanupResult) {
    AttemptReports reports = reports();
    if (reports != null) {
      reports.skipped().ifPresent(context::post);
    }
    if (reports != null && reports.unreportedFaults() > 0) {
      postFault(reports.unreportedFaults() + " more reports could not be read");
    }
    if (log != null) {
      log.problem().ifPresent(this::postFault);
    }
    postFaults(cleanupResult);
    postEnded(cleanupResult);
  }

  private void postEnded(CleanupResult cleanupResult) {
    if (ended) {
      return;
    }
    String lines = log == null ? "" : log.tail();
    if (log != null) {
      log.close();
    }
    if (endedWorkers != null) {
      endedWorkers.removeFiles();
    }
    String message = "";
    AttemptReports reports = reports();
    if (exitCode != 0) {
      String event = (problem.isEmpty() ? "exit " + exitCode : problem) + contradiction;
      String output = lines.isEmpty() ? "" : "; last lines:\n" + lines;
      message = event + evidence(event + output) + output;
    } else if (reports != null) {
      message = FoundReports.message(reports, cleanupResult, lines);
    }
    boolean failed = exitCode != 0 && exitCode != RETRY_EXIT && !stopping;
    if (fullDisk.isPresent() && (failed || cleanupResult.torn())) {
      message = EngineEvent.Ended.DISK_FULL + " (" + fullDisk.get() + "): " + message;
    }
    Optional<CheckpointTimes> times = CheckpointTimes.ofSize(checkpointBytes(cleanupResult));
    ended = true;
    whenEnded.accept(this);
    Instant now = context.now();
    context.post(
        new EngineEvent.Ended(
                spec.attempt(),
                exitCode,
                cleanupResult.newest(),
                cleanupResult.torn(),
                message,
                now)
            .withStart(launchedAt.orElse(now))
            .withDigests(cleanupResult.digests())
            .withCheckpoints(times)
            .withMemory(memory.peakBytes()));
  }

  /** Returns what the engine can add to a failure: the peak of the memory, or the interpreter. */
  private String evidence(String message) {
    FailureCause cause = FailureCause.of(message);
    if (cause.kind() == FailureCause.Kind.MISSING_MODULE) {
      String path = spec.environment().getOrDefault("PATH", String.valueOf(System.getenv("PATH")));
      return PythonOfCommand.find(spec.command(), path, Path.of(spec.workdir()))
          .map(python -> FailureCause.PYTHON + python)
          .orElse("");
    }
    String measured = memory.text();
    return cause.kind() == FailureCause.Kind.OUT_OF_MEMORY
            && !cause.hasAmount()
            && !measured.isEmpty()
        ? "; " + measured
        : "";
  }

  private OptionalLong checkpointBytes(CleanupResult result) {
    return result.newest().isPresent()
        ? store.bytes(result.newest().getAsInt())
        : OptionalLong.empty();
  }

  private void postFaults(CleanupResult cleanupResult) {
    cleanupResult.problems().forEach(this::postFault);
  }

  private void postFault(String message) {
    context.post(new EngineEvent.Faulted(spec.attempt(), message, context.now()));
  }

  /**
   * Cleans up checkpoints and working folder on the file thread, next continues on the event loop.
   */
  private void cleanUp(Consumer<CleanupResult> next) {
    Set<Integer> needed = needed();
    inFiles(
        () -> {
          CleanupResult cleanupResult = store.tryCleanUp(spec.keep(), needed, limit());
          if (workers == null) {
            workdir.prune(); // workers that wait use the folder
          }
          return cleanupResult;
        },
        next);
  }

  /**
   * Returns the last unit whose checkpoint counts. The checkpoint of {@code to} counts only with
   * its report: without it, the next attempt must train that unit again to obtain the metric. None
   * counts above the unit at which the trial was done.
   */
  private int limit() {
    AttemptReports reports = reports();
    if (reports == null) {
      return spec.to() - 1;
    }
    int last = reports.hasReached(spec.to()) ? spec.to() : spec.to() - 1;
    return Math.min(last, reports.doneAt());
  }

  private OwnedProcesses family() {
    WorkerGroup group = workers;
    return group == null
        ? new OwnedProcesses(WorkerEnvironment.ATTEMPT, WorkerEnvironment.mark(spec), Set.of())
        : group.family();
  }
}

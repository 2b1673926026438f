package io.elastune.executor.quickstart;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Starts the workers of one trial by the trial protocol: one process and one trial file per worker,
 * with the output in files.
 */
final class TrialProcesses implements AutoCloseable {
  private static final int TIMEOUT_S = 300;

  private final Path folder;
  private final List<Process> workers = new ArrayList<>();

  private TrialProcesses(Path folder) {
    this.folder = folder;
  }

  /** The command, configuration and units of a trial. */
  record TrialCommand(List<String> command, String config, int from, int to, int workers) {}

  /**
   * Starts the workers. Checkpoints are written to {@code folder/checkpoints}, other files to a
   * folder next to it.
   */
  static TrialProcesses start(Path folder, TrialCommand trialCommand) throws IOException {
    Path checkpoints = Files.createDirectories(folder.resolve("checkpoints"));
    TrialProcesses trial = new TrialProcesses(Files.createTempDirectory(folder, "attempt"));
    String port = freePort();
    for (int rank = 0; rank < trialCommand.workers(); rank++) {
      String json =
          """
          {"trial": 7, "config": %s, "unit": "epoch", "from": %d, "to": %d,
           "checkpoint_dir": "%s", "rank": %d, "world_size": %d, "seed": 9007199254740993}
          """
              .formatted(
                  trialCommand.config(),
                  trialCommand.from(),
                  trialCommand.to(),
                  checkpoints,
                  rank,
                  trialCommand.workers());
      ProcessBuilder builder =
          new ProcessBuilder(trialCommand.command()).directory(folder.toFile());
      builder.environment().put("ELASTUNE_TRIAL_JSON", trial.write(rank, json).toString());
      builder.environment().put("ELASTUNE_CHECKPOINT_DIR", checkpoints.toString());
      builder.environment().put("RANK", Integer.toString(rank));
      builder.environment().put("WORLD_SIZE", Integer.toString(trialCommand.workers()));
      builder.environment().put("MASTER_ADDR", "127.0.0.1");
      builder.environment().put("MASTER_PORT", port);
      builder.environment().put("OMP_NUM_THREADS", "1");
      builder.redirectOutput(trial.file(rank, "out").toFile());
      builder.redirectError(trial.file(rank, "err").toFile());
      trial.workers.add(builder.start());
    }
    return trial;
  }

  private static String freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(socket.getLocalPort());
    }
  }

  private Path write(int rank, String json) throws IOException {
    return Files.writeString(file(rank, "json"), json);
  }

  private Path file(int rank, String suffix) {
    return folder.resolve(rank + "." + suffix);
  }

  /** Waits for all workers, and returns their exit codes by rank. */
  List<Integer> await() throws InterruptedException {
    List<Integer> codes = new ArrayList<>();
    for (Process worker : workers) {
      if (!worker.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
        throw new AssertionError("worker " + codes.size() + " has not ended; see " + folder);
      }
      codes.add(worker.exitValue());
    }
    return codes;
  }

  void awaitFirstReport() throws IOException, InterruptedException {
    long timeoutAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
    while (reports().isEmpty()) {
      if (System.nanoTime() > timeoutAt || !workers.get(0).isAlive()) {
        throw new AssertionError("no report: " + errors());
      }
      Thread.sleep(10);
    }
  }

  /** Sends SIGTERM to one worker. */
  void terminate(int rank) {
    workers.get(rank).destroy();
  }

  /** Returns the report lines of worker 0. */
  List<String> reports() throws IOException {
    return Files.readAllLines(file(0, "out")).stream()
        .filter(line -> line.startsWith("ELASTUNE "))
        .toList();
  }

  /** Returns the standard error of worker 0. */
  String errors() throws IOException {
    return Files.readString(file(0, "err"));
  }

  @Override
  public void close() {
    workers.forEach(Process::destroyForcibly);
  }
}

package io.elastune.executor.engine;

import io.elastune.core.Check;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One attempt at training one trial in one group.
 *
 * @param attempt unique in the run, e.g. {@code 12-1-2}
 * @param run the run's id
 * @param trial the trial's number
 * @param config its hyperparameters
 * @param unit what a unit is called
 * @param from units behind it: the checkpoint to resume from; 0 is a fresh start
 * @param to units to be reached
 * @param seed the trial's own seed
 * @param command shell command of one worker
 * @param workdir the folder it is started in
 * @param checkpointDir the trial's checkpoints
 * @param log the file that all workers' output is appended to
 * @param environment variables besides the protocol's own; may hold secrets
 * @param keep checkpoints to keep
 * @param workers in rank order
 */
public record AttemptSpec(
    String attempt,
    String run,
    int trial,
    Map<String, Object> config,
    String unit,
    int from,
    int to,
    long seed,
    String command,
    String workdir,
    String checkpointDir,
    String log,
    Map<String, String> environment,
    int keep,
    List<Worker> workers) {
  /**
   * One worker: one process.
   *
   * @param lease the lease of its instance
   * @param address where other workers reach it
   * @param slot the instance's slot: a device number, or cores on {@code local}
   * @param slotIndex the slot's number on its instance
   */
  public record Worker(String lease, String address, String slot, int slotIndex) {}

  public AttemptSpec {
    Check.atLeast("from", 0, from);
    Check.atLeast("to", from + 1, to);
    config = Collections.unmodifiableMap(new LinkedHashMap<>(config));
    environment = Map.copyOf(environment);
    workers = List.copyOf(workers);
    Check.that(!workers.isEmpty(), "an attempt needs at least one worker");
  }

  /** Names the variables only: their values may be secret. */
  @Override
  public String toString() {
    return "AttemptSpec[" + attempt + ", " + from + ".." + to + ", " + workers + "]";
  }
}

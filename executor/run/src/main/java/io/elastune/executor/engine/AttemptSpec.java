package io.elastune.executor.engine;

import io.elastune.core.Preconditions;
import io.elastune.core.job.Metric;
import io.elastune.executor.code.CodeSnapshot;
import io.elastune.provisioner.SecretMask;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The specification of one attempt: one execution of one trial in one trial group.
 *
 * @param attempt unique in the run, e.g. {@code 12-1-2}
 * @param run the run's ID
 * @param trial the trial's number
 * @param config its hyperparameters
 * @param unit the name of a unit, such as {@code epoch}
 * @param from units trained so far, and so the checkpoint to resume from; 0 to start from scratch
 * @param to the number of units to reach
 * @param seed the trial's random seed
 * @param command the shell command that each worker executes
 * @param workdir the working folder of the command
 * @param checkpointDir the folder of the trial's checkpoints
 * @param log the file to which the output of all workers is appended
 * @param environment environment variables in addition to those of the trial protocol; may contain
 *     secrets
 * @param keep the number of checkpoints to keep
 * @param workers the workers in rank order
 * @param mask hides the values of secrets in the log and in messages
 * @param code the snapshot from which the engine fills the working folder; empty if the folder is
 *     used as it is
 * @param resumable whether the trial saves checkpoints and continues from them
 * @param image the container image in which workers run; empty for processes of the instance
 * @param measured whether the run measures this attempt: it gets its checkpoint from the store even
 *     if the instance has it
 * @param shared the checkpoints that it shares with other trials
 * @param checkpointEvery units between two checkpoints, 0 for one after the last unit only; empty
 *     if the trial saves as it likes
 * @param trialsPerGpu trials that may share each GPU of its workers, including this one
 * @param metric the metric of the search, which the engine finds in the output or in a file if the
 *     trial makes no reports; empty if all trials make reports
 * @param best the report with the best value of the metric so far, if that is the one that counts
 * @param keepAlive whether its workers may be those of the trial's attempt before, or after it
 * @param digest the digest of the checkpoint to resume from; empty if the journal has none
 */
@RecordBuilder
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
    List<Worker> workers,
    SecretMask mask,
    Optional<CodeSnapshot> code,
    boolean resumable,
    Optional<String> image,
    boolean measured,
    SharedCheckpoints shared,
    OptionalInt checkpointEvery,
    int trialsPerGpu,
    Optional<Metric> metric,
    Optional<BestReport> best,
    KeepAlive keepAlive,
    Optional<String> digest) {
  /** Whether the workers of a trial continue with its next attempt, instead of new ones. */
  public enum KeepAlive {
    /** Every attempt starts its workers, and ends with them. */
    OFF,
    /** After {@code to}, the workers may wait for the next attempt of their trial. */
    WAIT,
    /** The workers of the attempt before may continue; they end after {@code to}. */
    LAST
  }

  /**
   * One worker process.
   *
   * @param lease the lease of its instance
   * @param address its address for the other workers
   * @param slot the slot on the instance: a device number, or on {@code local} a list of cores
   * @param slotIndex the index of the slot on its instance
   * @param devices {@code CUDA_VISIBLE_DEVICES}; empty if the variable remains as it is
   */
  public record Worker(
      String lease, String address, String slot, int slotIndex, Optional<String> devices) {
    /** Creates a worker with {@code CUDA_VISIBLE_DEVICES} as it is. */
    public Worker(String lease, String address, String slot, int slotIndex) {
      this(lease, address, slot, slotIndex, Optional.empty());
    }
  }

  public AttemptSpec {
    Preconditions.atLeast("from", 0, from);
    Preconditions.atLeast("to", from + 1, to);
    config = Collections.unmodifiableMap(new LinkedHashMap<>(config));
    environment = Map.copyOf(environment);
    workers = List.copyOf(workers);
    Preconditions.that(!workers.isEmpty(), "an attempt needs at least one worker");
  }

  /**
   * Returns a builder of an attempt without secrets, without a snapshot and with GPUs of its own,
   * that can resume.
   */
  public static AttemptSpecBuilder builder() {
    return AttemptSpecBuilder.builder()
        .mask(SecretMask.NONE)
        .resumable(true)
        .shared(SharedCheckpoints.NONE)
        .trialsPerGpu(1)
        .keepAlive(KeepAlive.OFF);
  }

  /** Returns the units of the checkpoints that must not be deleted while the attempt runs. */
  public Set<Integer> neededCheckpoints() {
    Set<Integer> needed = new HashSet<>(Set.of(from));
    if (shared.held() > 0) {
      needed.add(shared.held());
    }
    best.ifPresent(report -> needed.add(report.unit()));
    return needed;
  }

  /**
   * Returns whether workers that wait after {@code before}, an attempt of the same trial, can
   * continue with this one: they have its GPUs, its configuration and its state.
   */
  public boolean canContinue(AttemptSpec before) {
    return keepAlive != KeepAlive.OFF
        && before.keepAlive == KeepAlive.WAIT
        && trial == before.trial
        && run.equals(before.run)
        && from == before.to
        && config.equals(before.config)
        && command.equals(before.command)
        && workdir.equals(before.workdir)
        && environment.equals(before.environment)
        && code.equals(before.code)
        && workers.equals(before.workers);
  }

  /** Omits the environment, which may contain secrets. */
  @Override
  public String toString() {
    return "AttemptSpec[" + attempt + ", " + from + ".." + to + ", " + workers + "]";
  }
}

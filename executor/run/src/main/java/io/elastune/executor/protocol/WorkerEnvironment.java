package io.elastune.executor.protocol;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.AttemptSpec.Worker;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates the environment variables that every engine sets for a worker, in addition to those of
 * the system.
 */
public final class WorkerEnvironment {
  /** The variable that marks all processes of an attempt; its value is {@link #mark}. */
  public static final String ATTEMPT = "ELASTUNE_ATTEMPT";

  /** The variable with the path of the report channel, which only rank 0 has. */
  public static final String REPORTS = "ELASTUNE_REPORTS";

  private WorkerEnvironment() {}

  /**
   * Returns the ID of an attempt that is unique across all runs. Workers that may continue with
   * another attempt have the ID of their trial, which has one attempt at a time.
   */
  public static String mark(AttemptSpec spec) {
    boolean lasting = spec.keepAlive() != AttemptSpec.KeepAlive.OFF;
    return spec.run() + "/" + (lasting ? Integer.toString(spec.trial()) : spec.attempt());
  }

  /**
   * Returns the job's variables and those of the trial protocol, which take precedence.
   *
   * @param port a free port on the instance of rank 0
   */
  public static Map<String, String> of(
      AttemptSpec spec, int rank, Path trialFile, String checkpointDir, int port) {
    Worker worker = spec.workers().get(rank);
    List<Worker> before = spec.workers().subList(0, rank);
    Map<String, String> all = new HashMap<>(spec.environment());
    all.put("ELASTUNE_TRIAL_JSON", trialFile.toString());
    all.put("ELASTUNE_CHECKPOINT_DIR", checkpointDir);
    all.put("ELASTUNE_TRIAL", Integer.toString(spec.trial()));
    all.put("ELASTUNE_FROM", Integer.toString(spec.from()));
    all.put("ELASTUNE_TO", Integer.toString(spec.to()));
    all.put("ELASTUNE_SEED", Long.toString(spec.seed()));
    spec.checkpointEvery()
        .ifPresent(units -> all.put("ELASTUNE_CHECKPOINT_EVERY", Integer.toString(units)));
    all.put("RANK", Integer.toString(rank));
    all.put("WORLD_SIZE", Integer.toString(spec.workers().size()));
    all.put("LOCAL_RANK", Long.toString(count(before, worker.lease())));
    all.put("LOCAL_WORLD_SIZE", Long.toString(count(spec.workers(), worker.lease())));
    all.put("MASTER_ADDR", spec.workers().get(0).address());
    all.put("MASTER_PORT", Integer.toString(port));
    worker
        .devices()
        .ifPresent(
            devices -> {
              all.put("CUDA_VISIBLE_DEVICES", devices);
              all.put("CUDA_DEVICE_ORDER", "PCI_BUS_ID"); // the numbers are those of nvidia-smi
            });
    all.put("ELASTUNE_RUN", spec.run());
    all.put("ELASTUNE_LEASE", worker.lease());
    all.put(ATTEMPT, mark(spec));
    return all;
  }

  private static long count(List<Worker> workers, String lease) {
    return workers.stream().filter(worker -> worker.lease().equals(lease)).count();
  }
}

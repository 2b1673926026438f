package io.elastune.executor.protocol;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.AttemptSpec.Worker;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The variables that every engine gives to a worker, besides those of the system. */
public final class WorkerEnvironment {
  /** Marks all processes of an attempt; its value is {@link #mark}. */
  public static final String ATTEMPT = "ELASTUNE_ATTEMPT";

  private WorkerEnvironment() {}

  /** Names an attempt among those of all runs. */
  public static String mark(AttemptSpec spec) {
    return spec.run() + "/" + spec.attempt();
  }

  /**
   * The job's variables and the protocol's, which win.
   *
   * @param port a free port on rank 0's machine
   */
  public static Map<String, String> of(
      AttemptSpec spec, int rank, Path trialFile, String checkpointDir, int port) {
    Worker worker = spec.workers().get(rank);
    List<Worker> before = spec.workers().subList(0, rank);
    Map<String, String> all = new HashMap<>(spec.environment());
    all.put("ELASTUNE_TRIAL_JSON", trialFile.toString());
    all.put("ELASTUNE_CHECKPOINT_DIR", checkpointDir);
    all.put("RANK", Integer.toString(rank));
    all.put("WORLD_SIZE", Integer.toString(spec.workers().size()));
    all.put("LOCAL_RANK", Long.toString(count(before, worker.lease())));
    all.put("LOCAL_WORLD_SIZE", Long.toString(count(spec.workers(), worker.lease())));
    all.put("MASTER_ADDR", spec.workers().get(0).address());
    all.put("MASTER_PORT", Integer.toString(port));
    all.put("CUDA_VISIBLE_DEVICES", Integer.toString(worker.slotIndex()));
    all.put("ELASTUNE_RUN", spec.run());
    all.put("ELASTUNE_LEASE", worker.lease());
    all.put(ATTEMPT, mark(spec));
    return all;
  }

  private static long count(List<Worker> workers, String lease) {
    return workers.stream().filter(worker -> worker.lease().equals(lease)).count();
  }
}

package io.elastune.provisioner.gcp.account;

import io.elastune.provisioner.CloudException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a project is and may. Each method waits for its answer.
 *
 * @implSpec every method throws {@link CloudException} with what went wrong
 */
public interface Directory extends AutoCloseable {
  /**
   * Who is asking.
   *
   * @param who Google's name of the account, as far as its credentials tell
   * @param project the project that is asked of, and billed
   * @param ahead by how much Google's clock is ahead of ours; only whole seconds are known
   */
  record Identity(String who, String project, Duration ahead) {}

  /**
   * How much of something a project may have at once.
   *
   * @param limit the most
   * @param used by anybody's, now
   */
  record Allowance(double limit, double used) {}

  /** Who is asking. */
  Identity identity();

  /** What the project may have in a region, by Google's name of the quota. */
  Map<String, Allowance> quotas(String region);

  /** What the project may have in all regions together, by Google's name of the quota. */
  Map<String, Allowance> quotas();

  /** Machine types with GPUs, built in or attached, with the zones of the region that have each. */
  Map<GpuType, List<String>> gpuTypes(String region);

  /** Of these only those with GPUs built in, for which one list less is read. */
  Map<GpuType, List<String>> builtInTypes(String region);

  @Override
  void close();
}

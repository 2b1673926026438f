package io.elastune.provisioner.gcp.model;

import io.elastune.provisioner.CloudException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Reads the identity, quotas and machine types of a project. Every method blocks until the response
 * arrives.
 *
 * @implSpec every method throws {@link CloudException} with the failure
 */
public interface ProjectApi extends AutoCloseable {
  /**
   * The account that makes the calls.
   *
   * @param principal Google's name of the account, as far as the credentials contain it
   * @param project the project that is called and billed
   * @param ahead how far Google's clock is ahead of the local clock, in whole seconds
   */
  record Identity(String principal, String project, Duration ahead) {}

  /**
   * A quota: how much of a resource a project may use at once.
   *
   * @param limit the highest usage allowed
   * @param used the current usage of all users
   */
  record QuotaLimit(double limit, double used) {}

  /** Returns the account that makes the calls. */
  Identity identity();

  /** Returns the quotas of the project in a region, by Google's metric name. */
  Map<String, QuotaLimit> quotas(String region);

  /** Returns the quotas of the project over all regions, by Google's metric name. */
  Map<String, QuotaLimit> quotas();

  /**
   * Returns the machine types with built-in or attached GPUs, with the zones of the region that
   * have each.
   */
  Map<GpuType, List<String>> gpuTypes(String region);

  /** Returns only the machine types with built-in GPUs, which takes one list call less. */
  Map<GpuType, List<String>> builtInTypes(String region);

  @Override
  void close();
}

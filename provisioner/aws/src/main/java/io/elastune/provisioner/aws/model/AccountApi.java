package io.elastune.provisioner.aws.model;

import io.elastune.provisioner.CloudException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Queries the identity, quotas and zones of an account in one region. Each method blocks until AWS
 * responds.
 *
 * @implSpec every method throws {@link CloudException} with the failure
 */
public interface AccountApi extends AutoCloseable {
  /**
   * The identity of the credentials.
   *
   * @param arn the ARN of the user or role
   * @param ahead how far AWS's clock is ahead of this machine's, in whole seconds
   */
  record Identity(String arn, Duration ahead) {}

  /** Returns the identity of the credentials. */
  Identity identity();

  /** Returns the regions that the account can use. */
  List<String> regions();

  /** Returns the limit of the quota, in vCPUs. */
  int quotaLimit(VcpuQuota quota);

  /** Returns the vCPUs of all running instances of the account that count toward the quota. */
  int quotaUsage(VcpuQuota quota);

  /** Returns the vCPUs of an instance type; empty if the region does not have it. */
  OptionalInt vcpus(String instanceType);

  /** Returns the zones of the region that offer the type. */
  Set<String> zonesOf(String instanceType);

  @Override
  void close();
}

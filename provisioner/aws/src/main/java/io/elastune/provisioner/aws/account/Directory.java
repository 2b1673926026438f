package io.elastune.provisioner.aws.account;

import io.elastune.provisioner.CloudException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What an account is and may, asked in one region. Each method waits for its answer.
 *
 * @implSpec every method throws {@link CloudException} with what went wrong
 */
public interface Directory extends AutoCloseable {
  /**
   * Who is asking.
   *
   * @param arn AWS's name of the user or role
   * @param ahead by how much AWS's clock is ahead of ours; only whole seconds are known
   */
  record Identity(String arn, Duration ahead) {}

  /** Who is asking. */
  Identity identity();

  /** The regions that are open to the account. */
  List<String> regions();

  /** How many virtual processors the quota allows. */
  int allowed(VcpuQuota quota);

  /** How many virtual processors of instances that are up, anybody's, count against the quota. */
  int used(VcpuQuota quota);

  /** The zones of the region that have the type. */
  Set<String> zonesOf(String instanceType);

  @Override
  void close();
}

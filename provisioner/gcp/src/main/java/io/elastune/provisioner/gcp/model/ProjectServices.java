package io.elastune.provisioner.gcp.model;

import io.elastune.provisioner.CloudException;
import java.util.Collection;
import java.util.Set;

/**
 * Reads what other services of Google know about a project: quotas that Compute Engine does not
 * report, and granted permissions. Their APIs may be disabled in a project that can run jobs, so a
 * failure never prevents a run.
 *
 * @implSpec every method makes one call, and throws {@link CloudException} with the failure
 */
public interface ProjectServices {
  /** Returns the quotas of GPU families. Needs {@code cloudquotas.quotas.get}. */
  GpuFamilyQuotas gpuFamilyQuotas();

  /**
   * Returns those of the permissions that are granted on the project itself, thus on all of its
   * resources. Bindings with a condition on the name of a resource do not count.
   */
  Set<String> grantedOnProject(Collection<String> permissions);

  /** Returns those of the permissions that are granted on a service account. */
  Set<String> grantedOnAccount(String serviceAccount, Collection<String> permissions);
}

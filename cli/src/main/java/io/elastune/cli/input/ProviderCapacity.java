package io.elastune.cli.input;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.provisioner.CloudProviders;
import java.util.List;

/** Queries the providers for limits that hold without an account, such as this machine's GPUs. */
public final class ProviderCapacity {
  private ProviderCapacity() {}

  /**
   * Returns the limits on these offers; none on simulated ones.
   *
   * @param now whether to deduct what other runs use at present
   */
  public static List<Quota> of(CliEnvironment cliEnvironment, List<Offer> offers, boolean now) {
    return CloudProviders.all().stream()
        .flatMap(
            provider ->
                provider
                    .capacity(
                        cliEnvironment.cloudContext(),
                        offers.stream()
                            .filter(offer -> offer.provider().equals(provider.name()))
                            .toList(),
                        now)
                    .stream())
        .toList();
  }

  /** Returns whether the limits leave room for an instance of at least one of the offers. */
  public static boolean hasRoom(List<Quota> quotas, List<Offer> offers) {
    return offers.stream()
        .anyMatch(offer -> quotas.stream().allMatch(quota -> quota.maxInstances(offer.name()) > 0));
  }
}

package io.elastune.inputs;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.profile.Profile;
import io.elastune.provisioner.CloudProviders;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Queries the providers for limits that hold without an account, such as this machine's GPUs. */
public final class ProviderCapacity {
  private ProviderCapacity() {}

  /**
   * Returns the limits on these offers; none on simulated ones.
   *
   * @param profiles those whose memory is a limit, too
   * @param now whether to deduct what other runs use at present
   */
  public static List<Quota> of(
      InputEnvironment environment, List<Offer> offers, Collection<Profile> profiles, boolean now) {
    Map<String, Double> workerGb = new TreeMap<>();
    profiles.forEach(one -> one.memoryGb().ifPresent(gb -> workerGb.put(one.gpu(), gb)));
    return CloudProviders.all().stream()
        .flatMap(
            provider ->
                provider
                    .capacity(
                        environment.cloudContext(),
                        offers.stream()
                            .filter(offer -> offer.provider().equals(provider.name()))
                            .toList(),
                        workerGb,
                        now)
                    .stream())
        .toList();
  }

  /**
   * Returns how many instances of an offer exist, as far as this is known without an account and
   * with the providers of this installation.
   */
  static int existing(Offer offer) {
    return CloudProviders.ofLocation(offer.infra())
        .map(it -> it.existing(offer))
        .orElse(Integer.MAX_VALUE);
  }

  /** Returns whether the limits leave room for an instance of at least one of the offers. */
  public static boolean hasRoom(List<Quota> quotas, List<Offer> offers) {
    return offers.stream()
        .anyMatch(offer -> quotas.stream().allMatch(quota -> quota.maxInstances(offer.name()) > 0));
  }
}

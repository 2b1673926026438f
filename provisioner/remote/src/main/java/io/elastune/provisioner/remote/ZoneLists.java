package io.elastune.provisioner.remote;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudFailure;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Knows the zones of each place in which instances are offered. Used in the event loop only. */
final class ZoneLists {
  private final LeaseContext context;
  private final Map<String, List<Optional<String>>> listed = new HashMap<>();
  private final Set<String> pending = new HashSet<>();

  ZoneLists(LeaseContext context) {
    this.context = context;
  }

  /**
   * Returns the zones to try, in order; empty until the cloud has listed them.
   *
   * @param failed receives the failure if they cannot be listed
   */
  Optional<List<Optional<String>>> of(Offer offer, Consumer<CloudFailure> failed) {
    Optional<List<Optional<String>>> known =
        context.api().knownZones(offer).or(() -> Optional.ofNullable(listed.get(offer.infra())));
    if (known.isEmpty() && pending.add(offer.infra())) {
      context
          .asyncCaller()
          .call(
              () -> context.api().zones(offer),
              zones -> listed.put(offer.infra(), zones),
              failure -> {
                pending.remove(offer.infra());
                failed.accept(failure);
              });
    }
    return known;
  }
}

package io.elastune.provisioner.gcp.cloud;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.account.InsertOrder;
import io.elastune.provisioner.gcp.account.MachineShape;
import io.elastune.provisioner.gcp.account.Names;
import io.elastune.provisioner.gcp.account.Place;
import io.elastune.provisioner.gcp.account.RegionSettings;
import io.elastune.provisioner.gcp.node.StartupScript;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is ordered. Tags become labels, by which instances are found, and items of the metadata,
 * which take them to the letter; the time after which a node ends itself is in the metadata only,
 * for the node reads it there, and what is put off in one place cannot differ from another.
 */
final class Orders {
  private static final List<String> TO_THE_LETTER = List.of(Tags.RUN, Tags.OWNER, Tags.LEASE);

  private final ProjectContext context;

  Orders(ProjectContext context) {
    this.context = context;
  }

  /** {@code end}: when it is to end itself, until it is told of another time. */
  InsertOrder order(LeaseRequest request, String zone, int failures, Instant end) {
    Offer offer = request.offer();
    RegionSettings settings = context.settings().get(Place.regionOf(zone));
    if (settings == null) {
      throw new IllegalStateException("no settings of " + zone);
    }
    long expires = end.getEpochSecond();
    Map<String, String> labels = new HashMap<>(request.tags());
    labels.remove(Tags.EXPIRES);
    Map<String, String> metadata = new HashMap<>();
    TO_THE_LETTER.forEach(tag -> metadata.put(tag, request.tags().getOrDefault(tag, "")));
    metadata.put(Tags.EXPIRES, Long.toString(expires));
    metadata.put("enable-guest-attributes", "TRUE");
    metadata.put(
        "startup-script", StartupScript.of(request.setup(), expires, settings.maxLifetime()));
    return new InsertOrder(
        Names.requestId("insert", request.lease(), offer.name(), zone, Integer.toString(failures)),
        Names.instance(request.lease()),
        zone,
        MachineShape.of(offer.instanceType()),
        offer.market(),
        settings,
        policy(request, zone),
        Names.labels(labels),
        metadata);
  }

  /**
   * The policy lies in a region, and what it holds together in one zone; a run that has to go on in
   * the next one has one for it, too. Google has none for machines with attached GPUs.
   */
  private static Optional<String> policy(LeaseRequest request, String zone) {
    boolean builtIn = MachineShape.of(request.offer().instanceType()).accelerator().isEmpty();
    return request.near() && builtIn
        ? Optional.of(Names.instance(request.run() + "-" + zone))
        : Optional.empty();
  }
}

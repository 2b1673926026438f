package io.elastune.provisioner.gcp.cloud;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.model.InsertRequest;
import io.elastune.provisioner.gcp.model.InstancePath;
import io.elastune.provisioner.gcp.model.MachineShape;
import io.elastune.provisioner.gcp.model.RegionSettings;
import io.elastune.provisioner.gcp.model.ResourceNames;
import io.elastune.provisioner.gcp.node.StartupScript;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Creates insert requests from lease requests. Tags become labels, by which instances are found,
 * and metadata items, which take them unchanged. The expiry is only in the metadata, where the node
 * reads it, so that two copies cannot differ.
 */
final class InsertRequestFactory {
  /** The project of Google's Deep Learning VM images, which install the GPU driver on request. */
  private static final String DEEP_LEARNING_IMAGES = "deeplearning-platform-release";

  private static final List<String> UNCHANGED_TAGS = List.of(Tags.RUN, Tags.OWNER, Tags.LEASE);

  private final Map<String, RegionSettings> settingsByRegion;

  InsertRequestFactory(Map<String, RegionSettings> settingsByRegion) {
    this.settingsByRegion = settingsByRegion;
  }

  /** {@code end}: the first expiry, until it is renewed. */
  InsertRequest create(LeaseRequest request, String zone, int failures, Instant end) {
    Offer offer = request.offer();
    RegionSettings settings = settingsByRegion.get(InstancePath.regionOf(zone));
    if (settings == null) {
      throw new IllegalStateException("no settings for " + zone);
    }
    long expires = end.getEpochSecond();
    Map<String, String> labels = new HashMap<>(request.tags());
    labels.remove(Tags.EXPIRES);
    Map<String, String> metadata = new HashMap<>(settings.launch().metadata());
    if (settings.image().contains(DEEP_LEARNING_IMAGES)) {
      metadata.putIfAbsent("install-nvidia-driver", "True");
    }
    UNCHANGED_TAGS.forEach(tag -> metadata.put(tag, request.tags().getOrDefault(tag, "")));
    metadata.put(Tags.EXPIRES, Long.toString(expires));
    metadata.put("enable-guest-attributes", "TRUE");
    metadata.put(
        "startup-script", StartupScript.of(request.setup(), expires, settings.maxLifetime()));
    return new InsertRequest(
        ResourceNames.requestId(
            "insert", request.lease(), offer.name(), zone, Integer.toString(failures)),
        ResourceNames.instanceName(request.lease()),
        zone,
        MachineShape.of(offer.instanceType()),
        offer.market(),
        settings,
        request
            .longest()
            .filter(some -> some.compareTo(settings.maxLifetime()) < 0)
            .orElse(settings.maxLifetime()),
        policy(request, zone),
        ResourceNames.labels(labels),
        metadata);
  }

  /**
   * Returns the placement policy. A policy belongs to a region, but collocates instances of one
   * zone, so each zone of a run has its own. Google has none for instances with attached GPUs.
   */
  private static Optional<String> policy(LeaseRequest request, String zone) {
    boolean builtIn = MachineShape.of(request.offer().instanceType()).accelerator().isEmpty();
    return request.near() && builtIn
        ? Optional.of(ResourceNames.instanceName(request.run() + "-" + zone))
        : Optional.empty();
  }
}

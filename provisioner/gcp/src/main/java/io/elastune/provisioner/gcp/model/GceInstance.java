package io.elastune.provisioner.gcp.model;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.remote.InstanceStage;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * An instance as Compute Engine describes it.
 *
 * @param id Google's numeric ID, which differs for a later instance with the same name
 * @param type the machine type, with the attached GPUs
 * @param status Google's status, for example {@code RUNNING}
 * @param address the IP address in the project's network; empty while it has none
 * @param created when its creation started
 * @param metadata the Elastune items of its metadata
 */
public record GceInstance(
    String id,
    String name,
    String zone,
    String type,
    Market market,
    String status,
    String address,
    Instant created,
    Map<String, String> labels,
    Map<String, String> metadata) {
  public GceInstance {
    labels = Map.copyOf(labels);
    metadata = Map.copyOf(metadata);
  }

  /** Returns its stage, in the terms that all clouds share. */
  public InstanceStage stage() {
    return InstanceStages.of(status);
  }

  /** Returns the zone and the name, because names are unique only within a zone. */
  public String path() {
    return zone + "/" + name;
  }

  /**
   * Returns the value of one of {@link Tags}. Metadata comes first, because it takes any text. An
   * instance that another tool created may have only the label.
   */
  public Optional<String> tag(String tag) {
    return Optional.ofNullable(metadata.get(tag)).or(() -> Optional.ofNullable(labels.get(tag)));
  }
}

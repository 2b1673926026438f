package io.elastune.provisioner.gcp.account;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.Tags;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * An instance as Compute Engine describes it.
 *
 * @param id Google's number for it: another one if one of that name comes again
 * @param type its machine type, with the GPUs that were attached to it
 * @param status Google's word
 * @param address its address in the project's network; empty while it has none
 * @param created when its creation was begun
 * @param metadata what the instance itself can read, of what is ours
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

  /** What becomes of it. */
  public Life life() {
    return Life.of(status);
  }

  /** Its name for people and for {@code gcloud}: names are unique in a zone only. */
  public String path() {
    return zone + "/" + name;
  }

  /**
   * One of {@link Tags}: from its metadata, which takes any text, else from its label, as others
   * may have made it.
   */
  public Optional<String> tag(String tag) {
    return Optional.ofNullable(metadata.get(tag)).or(() -> Optional.ofNullable(labels.get(tag)));
  }
}

package io.elastune.provisioner.gcp.model;

import io.elastune.core.offer.Market;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A request to create one instance.
 *
 * @param requestId the idempotency key: repeating the request with the same ID creates no second
 *     instance
 * @param type the machine type, with the GPUs to attach
 * @param longest the run time after which Google deletes it
 * @param policy the placement policy that collocates it with other instances; empty for none
 * @param labels the labels of the instance and its disk, set by the call that creates them
 * @param metadata the metadata that the instance can read, including its startup script
 */
public record InsertRequest(
    String requestId,
    String name,
    String zone,
    MachineShape type,
    Market market,
    RegionSettings settings,
    Duration longest,
    Optional<String> policy,
    Map<String, String> labels,
    Map<String, String> metadata) {
  public InsertRequest {
    labels = Map.copyOf(labels);
    metadata = Map.copyOf(metadata);
  }

  /** Omits the script and the labels, which are long. */
  @Override
  public String toString() {
    return "InsertOrder[" + zone + "/" + name + ", " + type + ", " + market.word() + "]";
  }
}

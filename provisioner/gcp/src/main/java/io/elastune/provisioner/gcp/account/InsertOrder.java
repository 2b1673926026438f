package io.elastune.provisioner.gcp.account;

import io.elastune.core.offer.Market;
import java.util.Map;
import java.util.Optional;

/**
 * One instance to be made.
 *
 * @param requestId the same order with the same id makes one instance
 * @param type the machine type, with the GPUs to be attached to it
 * @param policy the placement policy by which it stands close to others; empty for none
 * @param labels on it, and on its disk, from the very call that makes it
 * @param metadata what the instance itself can read, its startup script included
 */
public record InsertOrder(
    String requestId,
    String name,
    String zone,
    MachineShape type,
    Market market,
    RegionSettings settings,
    Optional<String> policy,
    Map<String, String> labels,
    Map<String, String> metadata) {
  public InsertOrder {
    labels = Map.copyOf(labels);
    metadata = Map.copyOf(metadata);
  }

  /** Names neither the script nor the labels: both are long. */
  @Override
  public String toString() {
    return "InsertOrder[" + zone + "/" + name + ", " + type + ", " + market.word() + "]";
  }
}

package io.elastune.executor.ray.rented;

import java.time.Duration;
import java.util.Optional;

/**
 * The settings of rented instances that join a Ray cluster.
 *
 * @param headAddress the address of this machine at which instances reach the head
 * @param headPort the port of the head; 0 for any free one
 * @param headPython the Python interpreter of this machine that has Ray
 * @param python the Python interpreter with Ray in the machine image; empty to install Ray
 * @param folder the folder for Elastune's files on instances
 * @param joinTimeout how long a booted instance may take to join the cluster
 */
public record RentedSettings(
    Optional<String> headAddress,
    int headPort,
    Optional<String> headPython,
    Optional<String> python,
    String folder,
    Duration joinTimeout) {
  /** The settings without a section in {@code clouds.yaml}. */
  public static final RentedSettings DEFAULT =
      new RentedSettings(
          Optional.empty(),
          0,
          Optional.empty(),
          Optional.empty(),
          "/var/lib/elastune-ray",
          Duration.ofMinutes(5));

  /** Returns the folder of the agents on instances. */
  public String agentRoot() {
    return folder + "/agents";
  }
}

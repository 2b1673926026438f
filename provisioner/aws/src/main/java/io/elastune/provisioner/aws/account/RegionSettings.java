package io.elastune.provisioner.aws.account;

import io.elastune.core.Check;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How instances are launched in one region.
 *
 * @param image the machine image; may be left to the launch template
 * @param launchTemplate fills in whatever is not given here
 * @param subnets by zone, in the order in which they are tried; empty leaves zone and subnet to EC2
 * @param securityGroups empty leaves them to the launch template or the default group
 * @param instanceProfile what the node itself may do in the account
 * @param key the SSH key pair's name
 * @param bucket where the account keeps checkpoints
 * @param maxLifetime after which a node ends itself whatever its tags say
 */
public record RegionSettings(
    Optional<String> image,
    Optional<String> launchTemplate,
    Map<String, String> subnets,
    List<String> securityGroups,
    Optional<String> instanceProfile,
    Optional<String> key,
    Optional<String> bucket,
    Duration maxLifetime) {
  public RegionSettings {
    subnets = Collections.unmodifiableMap(new LinkedHashMap<>(subnets));
    securityGroups = List.copyOf(securityGroups);
    Check.that(
        image.isPresent() || launchTemplate.isPresent(), "image or launch_template must be given");
    Check.that(!maxLifetime.isNegative() && !maxLifetime.isZero(), "max_lifetime must be above 0");
  }

  /** Zones to try, in order; a single empty one where EC2 is to choose. */
  public List<Optional<String>> zones() {
    return subnets.isEmpty()
        ? List.of(Optional.empty())
        : subnets.keySet().stream().map(Optional::of).toList();
  }
}

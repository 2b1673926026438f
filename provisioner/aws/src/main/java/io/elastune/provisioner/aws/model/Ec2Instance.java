package io.elastune.provisioner.aws.model;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.Tags;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * An instance, as EC2 describes it.
 *
 * @param address its private address; empty while it has none
 * @param launched when EC2 accepted the launch
 * @param reason EC2's reason code for the state; may be empty
 * @param reasonText EC2's explanation of the reason; may be empty
 * @param transition EC2's text for the last requested state change; contains its time
 */
public record Ec2Instance(
    String id,
    String type,
    String zone,
    Market market,
    InstanceState state,
    String address,
    Instant launched,
    String reason,
    String reasonText,
    String transition,
    Map<String, String> tags) {
  public Ec2Instance {
    tags = Map.copyOf(tags);
  }

  /** Returns the lease if this is an Elastune instance. */
  public Optional<String> lease() {
    return Optional.ofNullable(tags.get(Tags.LEASE));
  }

  /** Returns the run if this is an Elastune instance. */
  public Optional<String> run() {
    return Optional.ofNullable(tags.get(Tags.RUN));
  }
}

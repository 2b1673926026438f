package io.elastune.provisioner.aws.account;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.Tags;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * An instance as EC2 describes it.
 *
 * @param address its private address; empty while it has none
 * @param launched when EC2 accepted the launch
 * @param reason EC2's code for why it is in that state; empty without one
 * @param transition EC2's words for the last change that somebody asked for; holds its time
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
    String transition,
    Map<String, String> tags) {
  public Ec2Instance {
    tags = Map.copyOf(tags);
  }

  /** The lease it was launched for, if it is one of ours. */
  public Optional<String> lease() {
    return Optional.ofNullable(tags.get(Tags.LEASE));
  }

  /** The run it belongs to, if it is one of ours. */
  public Optional<String> run() {
    return Optional.ofNullable(tags.get(Tags.RUN));
  }
}

package io.elastune.provisioner.aws.sdk;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.aws.model.Ec2Instance;
import io.elastune.provisioner.aws.model.InstanceState;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceLifecycleType;
import software.amazon.awssdk.services.ec2.model.Tag;

/** Maps SDK instances to {@link Ec2Instance}. */
final class InstanceMapper {
  private InstanceMapper() {}

  static Ec2Instance of(Instance instance) {
    Instant launched = instance.launchTime();
    return new Ec2Instance(
        instance.instanceId(),
        text(instance.instanceTypeAsString()),
        instance.placement() == null ? "" : text(instance.placement().availabilityZone()),
        instance.instanceLifecycle() == InstanceLifecycleType.SPOT ? Market.SPOT : Market.ON_DEMAND,
        state(instance),
        text(instance.privateIpAddress()),
        launched == null ? Instant.EPOCH : launched,
        instance.stateReason() == null ? "" : text(instance.stateReason().code()),
        instance.stateReason() == null ? "" : text(instance.stateReason().message()),
        text(instance.stateTransitionReason()),
        tags(instance));
  }

  /** Returns the state; a missing or unknown state counts as the earliest. */
  private static InstanceState state(Instance instance) {
    String word = instance.state() == null ? "" : text(instance.state().nameAsString());
    return InstanceState.of(word).orElse(InstanceState.PENDING);
  }

  private static Map<String, String> tags(Instance instance) {
    return instance.tags().stream()
        .collect(Collectors.toMap(Tag::key, tag -> text(tag.value()), (first, second) -> first));
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }
}

package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.model.LaunchRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Names and tags the placement groups of runs whose trials span several instances. */
final class PlacementGroups {
  private PlacementGroups() {}

  /** Returns the name of the group; a group is in one zone, so its name contains the zone. */
  static Optional<String> group(LeaseRequest request, Optional<String> zone) {
    return request.near()
        ? Optional.of("elastune-" + request.run() + zone.map(name -> "-" + name).orElse(""))
        : Optional.empty();
  }

  /** Returns the tags of the group. */
  static Map<String, String> tags(LaunchRequest order) {
    Map<String, String> tags = new HashMap<>(order.tags());
    tags.keySet().retainAll(List.of(Tags.RUN, Tags.OWNER));
    return tags;
  }
}

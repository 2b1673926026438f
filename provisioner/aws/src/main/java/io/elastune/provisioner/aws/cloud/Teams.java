package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.account.LaunchOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The placement groups of runs whose trials span several instances. */
final class Teams {
  private Teams() {}

  /** A group lies in one zone; a run that has to go on in the next one has one there, too. */
  static Optional<String> group(LeaseRequest request, Optional<String> zone) {
    return request.near()
        ? Optional.of("elastune-" + request.run() + zone.map(name -> "-" + name).orElse(""))
        : Optional.empty();
  }

  /** What tells whose group it is. */
  static Map<String, String> tags(LaunchOrder order) {
    Map<String, String> tags = new HashMap<>(order.tags());
    tags.keySet().retainAll(List.of(Tags.RUN, Tags.OWNER));
    return tags;
  }
}

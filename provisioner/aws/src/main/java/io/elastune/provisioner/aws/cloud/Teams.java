package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.account.LaunchOrder;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The placement groups of runs whose trials span several instances. */
final class Teams {
  private static final Logger LOG = LoggerFactory.getLogger(Teams.class);

  private final RegionContext context;

  Teams(RegionContext context) {
    this.context = context;
  }

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

  /**
   * When nothing of the run is there any more, its groups go, too, before the answer: whoever has
   * it may end this process. One that stays is empty, and costs nothing.
   */
  void leave(
      String run,
      List<InstanceInfo> there,
      Collection<Rental> rentals,
      Consumer<List<InstanceInfo>> answer) {
    boolean grouped =
        rentals.stream()
            .flatMap(rental -> rental.request().stream())
            .anyMatch(request -> request.near() && request.run().equals(run));
    if (!there.isEmpty() || !grouped) {
      answer.accept(there);
      return;
    }
    context
        .asker()
        .ask(
            () -> {
              context.ec2().removeGroups(Tags.RUN, run);
              return there;
            },
            answer,
            failure -> {
              LOG.warn("a placement group may be left: {}", failure.message());
              answer.accept(there);
            });
  }
}

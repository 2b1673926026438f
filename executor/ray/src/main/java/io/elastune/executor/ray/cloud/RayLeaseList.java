package io.elastune.executor.ray.cloud;

import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.process.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Lists the leases of a run: the agents of the cluster, and what this controller knows. */
final class RayLeaseList {
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final RayCloudContext context;
  private final Collection<RayLease> leases;

  /**
   * Creates a list.
   *
   * @param leases the leases of this controller at any time
   */
  RayLeaseList(RayCloudContext context, Collection<RayLease> leases) {
    this.context = context;
    this.leases = leases;
  }

  /** Emits the leases of a run, as soon as the cluster answers. */
  void list(String run) {
    EventLoop loop = context.connection().loop();
    loop.own(
        EventLoop.Owner.repeated("The list of " + run)
            .then(() -> loop.schedule(RETRY, () -> list(run))),
        () ->
            loop.whenComplete(
                context.connection().link().request(Request.of("agents")),
                (answer, failure) -> {
                  if (answer == null) {
                    loop.schedule(RETRY, () -> list(run));
                  } else {
                    context.emit(new CloudEvent.Listed(run, found(run, answer), context.now()));
                  }
                }));
  }

  private List<InstanceInfo> found(String run, Frame answer) {
    Pattern ofRun = Pattern.compile(Pattern.quote(run) + "-[0-9]+");
    Map<String, String> states = new TreeMap<>();
    for (JsonNode agent : new JsonMapper().readTree(answer.bytes())) {
      states.put(agent.path("lease").asString(""), "held");
    }
    for (RayLease lease : leases) {
      if (lease.state() != RayLease.State.ENDED) {
        states.put(lease.lease(), lease.state().name().toLowerCase(Locale.ROOT));
      }
    }
    List<InstanceInfo> all = new ArrayList<>();
    states.forEach(
        (lease, state) -> {
          if (ofRun.matcher(lease).matches()) {
            all.add(new InstanceInfo(lease, lease, state));
          }
        });
    return all;
  }
}

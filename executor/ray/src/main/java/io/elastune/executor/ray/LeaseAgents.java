package io.elastune.executor.ray;

import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.LeasePlacement;
import io.elastune.executor.ray.link.LinkException;
import io.elastune.executor.ray.link.RayConnection;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/**
 * The agents of the leases that attempts use: finds or creates them. Used on the engine's event
 * loop only.
 */
final class LeaseAgents {
  /**
   * What an agent reports about itself.
   *
   * @param folder the folder of the lease on its node
   * @param ip the address of the node in the cluster
   * @param description its whole answer
   */
  record Agent(String folder, String ip, JsonNode description) {
    /** Returns {@code running}, {@code ended} or {@code unknown}. */
    String stateOf(String attempt) {
      return description.path("attempts").path(attempt).asString("unknown");
    }

    /** Returns the GPUs that the lease holds, as {@code CUDA_VISIBLE_DEVICES} names them. */
    List<String> devices() {
      List<String> devices = new ArrayList<>();
      description.path("devices").forEach(device -> devices.add(device.asString("")));
      return devices;
    }
  }

  /** Each question waits for some seconds: the limit is about half a minute. */
  private static final int MAX_QUESTIONS = 4;

  private static final Duration JOIN_PAUSE = Duration.ofSeconds(1);

  private final RayEngineSettings settings;
  private final RayConnection connection;
  private final RayLink link;
  private final Map<String, CompletableFuture<Agent>> attached = new HashMap<>();

  LeaseAgents(RayEngineSettings settings, RayConnection connection) {
    this.settings = settings;
    this.connection = connection;
    link = connection.link();
  }

  /** Returns the agent of a lease, after creating it if necessary. */
  CompletableFuture<Agent> attach(String lease) {
    CompletableFuture<Agent> known = attached.get(lease);
    if (known != null && !known.isCompletedExceptionally()) {
      return known;
    }
    CompletableFuture<Agent> agent = ask(lease, true);
    attached.put(lease, agent);
    return agent;
  }

  /** Creates the agent of a lease again on the same node, from its existing files. */
  CompletableFuture<Agent> attachAgain(String lease) {
    attached.remove(lease);
    return attach(lease);
  }

  private CompletableFuture<Agent> ask(String lease, boolean create) {
    return askUntilJoined(lease, create, settings.lostAfter().toSeconds() / JOIN_PAUSE.toSeconds());
  }

  /** After a restart of Ray, it takes some seconds until a node is in the cluster again. */
  private CompletableFuture<Agent> askUntilJoined(String lease, boolean create, long retries) {
    return ask(lease, create, MAX_QUESTIONS)
        .exceptionallyCompose(
            failure -> {
              boolean absent =
                  LinkException.causeOf(failure)
                      .filter(e -> e.kind().equals("no-node"))
                      .isPresent();
              if (!absent || retries <= 0) {
                return CompletableFuture.failedFuture(failure);
              }
              CompletableFuture<Void> pause = new CompletableFuture<>();
              connection.loop().schedule(JOIN_PAUSE, () -> pause.complete(null));
              return pause.thenCompose(over -> askUntilJoined(lease, create, retries - 1));
            });
  }

  private CompletableFuture<Agent> ask(String lease, boolean create, int questions) {
    Request request =
        Request.of("attach", lease)
            .with("create", create)
            .with("ttl_s", settings.timeToLive().toSeconds());
    return link.request(connection.placement(lease).addTo(request))
        .thenCompose(answer -> described(lease, create, questions, answer));
  }

  private CompletableFuture<Agent> described(
      String lease, boolean create, int questions, Frame answer) {
    JsonNode ok = answer.ok();
    if (!ok.path("state").asString("").equals("ready")) {
      return questions > 1
          ? ask(lease, create, questions - 1)
          : CompletableFuture.failedFuture(LinkException.pending(lease));
    }
    String ip = ok.path("ip").asString("");
    LeasePlacement placement = connection.placement(lease);
    if (placement.node().isEmpty()) { // a label is safer: another instance may get the address
      connection.place(lease, placement.at(ip));
    }
    return CompletableFuture.completedFuture(new Agent(ok.path("folder").asString(""), ip, ok));
  }
}

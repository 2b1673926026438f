package io.elastune.executor.ray;

import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import java.util.HashMap;
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
  }

  private final RayEngineSettings settings;
  private final RayLink link;
  private final Map<String, CompletableFuture<Agent>> attached = new HashMap<>();
  private final Map<String, String> addresses = new HashMap<>();

  LeaseAgents(RayEngineSettings settings, RayLink link) {
    this.settings = settings;
    this.link = link;
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

  /** Returns the existing agent of a lease with the present state of its attempts. */
  CompletableFuture<Agent> find(String lease) {
    return ask(lease, false);
  }

  /** Creates the agent of a lease again on the same node, from its existing files. */
  CompletableFuture<Agent> attachAgain(String lease) {
    attached.remove(lease);
    return attach(lease);
  }

  private CompletableFuture<Agent> ask(String lease, boolean create) {
    Request request =
        Request.of("attach", lease)
            .with("create", create)
            .with("ttl_s", settings.timeToLive().toSeconds())
            .with("gpus", settings.gpus());
    if (!settings.bridge().address().equals(BridgeSettings.LOOPBACK)) {
      String address = addresses.get(lease);
      request
          .object("node")
          .put(address == null ? "label" : "ip", address == null ? lease : address);
    }
    return link.request(request).thenCompose(answer -> described(lease, create, answer));
  }

  private CompletableFuture<Agent> described(String lease, boolean create, Frame answer) {
    JsonNode ok = answer.ok();
    if (!ok.path("state").asString("").equals("ready")) {
      return ask(lease, create); // pending: each question waits for some seconds
    }
    addresses.put(lease, ok.path("ip").asString(""));
    return CompletableFuture.completedFuture(
        new Agent(ok.path("folder").asString(""), ok.path("ip").asString(""), ok));
  }
}

package io.elastune.executor.ray;

import io.elastune.executor.code.CodeSnapshot;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import tools.jackson.databind.JsonNode;

/**
 * The agents of the leases that attempts use: finds or creates them, and gives each of them the
 * run's code once. Used on the engine's event loop only.
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
  private final Executor files;
  private final Map<String, CompletableFuture<Agent>> attached = new HashMap<>();
  private final Map<String, String> addresses = new HashMap<>();
  private final Map<String, CompletableFuture<String>> codes = new HashMap<>();

  LeaseAgents(RayEngineSettings settings, RayLink link, Executor files) {
    this.settings = settings;
    this.link = link;
    this.files = files;
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
    codes.keySet().removeIf(key -> key.startsWith(lease + " "));
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

  /** Brings the code to a lease, unless it is there, and returns the name of its version. */
  CompletableFuture<String> provide(String lease, CodeSnapshot code) {
    String version = code.manifest().hash().substring(0, 16);
    String key = lease + " " + version;
    CompletableFuture<String> known = codes.get(key);
    if (known != null && !known.isCompletedExceptionally()) {
      return known;
    }
    CompletableFuture<String> made =
        attach(lease)
            .thenCompose(
                agent -> {
                  for (JsonNode present : agent.description().path("code")) {
                    if (present.asString("").equals(version)) {
                      return CompletableFuture.completedFuture(version);
                    }
                  }
                  return send(lease, code, version);
                });
    codes.put(key, made);
    return made;
  }

  private CompletableFuture<String> send(String lease, CodeSnapshot code, String version) {
    String path = "code-" + version + ".tar";
    return CompletableFuture.supplyAsync(() -> archive(code, version), files)
        .thenCompose(file -> new FileTransfer(link, files, lease).put(file, path))
        .thenCompose(
            sent ->
                link.request(Request.of("unpack", lease).with("path", path).with("code", version)))
        .thenApply(unpacked -> version);
  }

  private static Path archive(CodeSnapshot code, String version) {
    return CodeArchive.of(code, code.root().resolveSibling("code-" + version + ".tar"));
  }
}

package io.elastune.executor.ray;

import io.elastune.executor.code.CodeSnapshot;
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
 * Brings the code of a run to the nodes of leases, once to each. Used on the event loop of its link
 * only.
 */
public final class LeaseCode {
  private static final int VERSION_DIGITS = 16;

  private final RayLink link;
  private final Executor files;
  private final Map<String, CompletableFuture<String>> versions = new HashMap<>();

  /**
   * Creates the code of the leases of one controller.
   *
   * @param files reads and writes archives
   */
  public LeaseCode(RayLink link, Executor files) {
    this.link = link;
    this.files = files;
  }

  /**
   * Brings the code to a lease that has an agent, unless it is there, and returns the name of its
   * version. Fails with a {@link io.elastune.executor.ray.link.LinkException}.
   */
  public CompletableFuture<String> provide(String lease, CodeSnapshot code) {
    String version = version(code);
    String key = lease + " " + version;
    CompletableFuture<String> known = versions.get(key);
    if (known != null && !known.isCompletedExceptionally()) {
      return known;
    }
    CompletableFuture<String> made =
        link.request(Request.of("describe", lease))
            .thenCompose(
                agent ->
                    isPresent(agent, version)
                        ? CompletableFuture.completedFuture(version)
                        : send(lease, code, version));
    versions.put(key, made);
    return made;
  }

  /** Forgets what a lease has: its agent was created again. */
  void forget(String lease) {
    versions.keySet().removeIf(key -> key.startsWith(lease + " "));
  }

  private static String version(CodeSnapshot code) {
    return code.manifest().hash().substring(0, VERSION_DIGITS);
  }

  private static boolean isPresent(Frame agent, String version) {
    for (JsonNode present : agent.ok().path("code")) {
      if (present.asString("").equals(version)) {
        return true;
      }
    }
    return false;
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

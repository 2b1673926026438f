package io.elastune.executor.ray.rented;

import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.Tags;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds booting instances among the nodes of the run's Ray cluster. The report of an instance to
 * its cloud may be minutes late, incomplete or unreadable. Used on the event loop only.
 */
final class JoinMonitor {
  private static final Duration INTERVAL = Duration.ofSeconds(2);
  private static final JsonMapper JSON = new JsonMapper();

  private final BootstrapContext context;
  private final Consumer<String> joined;
  private final Set<String> awaited = new HashSet<>();
  private boolean polls;
  private volatile boolean closed;

  /**
   * Creates a monitor without leases.
   *
   * @param joined receives each lease once whose instance is a node of the cluster
   */
  JoinMonitor(BootstrapContext context, Consumer<String> joined) {
    this.context = context;
    this.joined = joined;
  }

  /** Waits for the instance of a lease. */
  void await(String lease) {
    awaited.add(lease);
    if (!polls) {
      polls = true;
      poll();
    }
  }

  /** Waits no longer for the instance of a lease. */
  void forget(String lease) {
    awaited.remove(lease);
  }

  private void poll() {
    if (closed || awaited.isEmpty()) {
      polls = false;
    } else if (context.link().isConnected()) {
      context.loop().whenComplete(context.link().request(Request.of("nodes")), this::answered);
    } else {
      pollLater();
    }
  }

  private void answered(@Nullable Frame answer, @Nullable Throwable failure) {
    pollLater(); // also if the answer cannot be read
    if (answer != null) {
      for (JsonNode node : JSON.readTree(answer.bytes())) {
        String lease = node.path("labels").path(Tags.LEASE).asString("");
        if (node.path("alive").asBoolean(false) && awaited.remove(lease)) {
          joined.accept(lease);
        }
      }
    }
  }

  private void pollLater() {
    context.loop().schedule(INTERVAL, this::poll);
  }

  /** Ends the queries. */
  void close() {
    closed = true;
  }
}

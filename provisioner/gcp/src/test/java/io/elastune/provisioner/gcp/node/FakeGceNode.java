package io.elastune.provisioner.gcp.node;

import com.sun.net.httpserver.HttpExchange;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.remote.FakeNode;
import io.elastune.provisioner.remote.NodeReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A simulated Compute Engine instance: a metadata server, and an endpoint for its deletion. */
final class FakeGceNode extends FakeNode {
  private final Map<String, String> attributes = new ConcurrentHashMap<>();
  private final List<String> reports = new CopyOnWriteArrayList<>();
  private final List<String> deleted = new CopyOnWriteArrayList<>();

  /** The name of the instance. */
  volatile String name = "elastune-node-1";

  /** The address of Compute Engine; empty for that of the metadata server. */
  volatile String compute = "";

  /** Whether the node has a service account. */
  volatile boolean account;

  FakeGceNode(Path root) throws IOException {
    super(root);
  }

  @Override
  protected String script(Optional<NodeSetup> setup, long expires, Duration longest) {
    return StartupScript.of(setup, expires, longest);
  }

  @Override
  protected int boot(String script) throws IOException, InterruptedException {
    attributes.clear(); // guest attributes do not survive a reboot
    return run(Files.writeString(root().resolve("startup-script"), script));
  }

  @Override
  protected Map<String, String> environment(String url) {
    return Map.of("ELASTUNE_METADATA", url, "ELASTUNE_COMPUTE", compute.isEmpty() ? url : compute);
  }

  /** Returns the paths of all deletion requests, with their authorization headers. */
  List<String> deleted() {
    return deleted;
  }

  @Override
  protected Optional<NodeReport> report() {
    return GuestAttributes.report(attributes);
  }

  @Override
  protected List<String> reports() {
    return reports;
  }

  @Override
  protected void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    if (exchange.getRequestMethod().equals("DELETE")) {
      deleted.add(path + " " + exchange.getRequestHeaders().getFirst("Authorization"));
      reply(exchange, "{}");
    } else if (!"Google".equals(exchange.getRequestHeaders().getFirst("Metadata-Flavor"))) {
      reply(exchange, 403, "");
    } else if (exchange.getRequestMethod().equals("PUT")) {
      attributes.put(path.substring(path.lastIndexOf('/') + 1), body);
      reports.add(body);
      reply(exchange, 200, "");
    } else {
      reply(exchange, item(exchange, path.replace("/computeMetadata/v1/", "")));
    }
  }

  private String item(HttpExchange exchange, String path) {
    return switch (path) {
      case "instance/id" -> instance;
      case "instance/network-interfaces/0/ip" -> ADDRESS;
      case "instance/attributes/elastune-expires" -> expiry;
      case "instance/preempted" -> preempted(exchange);
      case "instance/service-accounts/default/token" ->
          account ? "{\"access_token\":\"the-token\",\"expires_in\":3599}" : "";
      case "instance/zone" -> "projects/123/zones/us-central1-a";
      case "instance/name" -> name;
      case "project/project-id" -> "my-project";
      default -> throw new AssertionError(exchange.getRequestURI());
    };
  }

  /**
   * Answers at once if the value differs from the last one; otherwise the server is unreachable.
   */
  private String preempted(HttpExchange exchange) {
    String etag = interrupted ? "b2" : "a1";
    String query = exchange.getRequestURI().getQuery();
    exchange.getResponseHeaders().add("ETag", etag);
    boolean waits = query != null && query.contains("wait_for_change=true");
    if (waits && query.endsWith("last_etag=" + etag)) {
      return ""; // as after a time without a change, so that the test need not wait
    }
    return interrupted ? "TRUE" : "FALSE";
  }
}

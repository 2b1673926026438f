package io.elastune.provisioner.aws.node;

import com.sun.net.httpserver.HttpExchange;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.remote.FakeNode;
import io.elastune.provisioner.remote.NodeReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A simulated EC2 instance: a metadata service (IMDSv2), a console, and cloud-init, which runs boot
 * hooks in its first stage and other scripts in its last.
 */
final class FakeEc2Node extends FakeNode {
  private static final String HOOK = "#cloud-boothook\n";
  private static final String MARK = "ELASTUNE-NODE ";

  /** Whether a service of the image prevents the last stage of cloud-init. */
  boolean hangs;

  FakeEc2Node(Path root) throws IOException {
    super(root);
  }

  @Override
  protected String script(Optional<NodeSetup> setup, long expires, Duration longest) {
    return UserData.script(setup, expires, longest);
  }

  @Override
  protected int boot(String userData) throws IOException, InterruptedException {
    boolean hook = userData.startsWith(HOOK);
    if (!hook && (hangs || Files.exists(root().resolve("part")))) {
      return 0; // the last stage runs scripts only once
    }
    String script = hook ? userData.substring(HOOK.length()) : userData;
    if (!script.startsWith("#!")) {
      throw new AssertionError("cloud-init cannot execute " + script);
    }
    return run(Files.writeString(root().resolve("part"), script));
  }

  @Override
  protected Map<String, String> environment(String url) {
    return Map.of("ELASTUNE_IMDS", url, "ELASTUNE_CONSOLE", root().resolve("console").toString());
  }

  String console() {
    try {
      Path console = root().resolve("console");
      return Files.exists(console) ? Files.readString(console) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected Optional<NodeReport> report() {
    return ConsoleReport.report(console());
  }

  @Override
  protected List<String> reports() {
    return console()
        .lines()
        .filter(line -> line.startsWith(MARK))
        .map(line -> line.substring(MARK.length()))
        .toList();
  }

  @Override
  protected void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String token = exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token");
    if (path.equals("/latest/api/token")) {
      boolean right =
          exchange.getRequestMethod().equals("PUT")
              && exchange.getRequestHeaders().containsKey("X-aws-ec2-metadata-token-ttl-seconds");
      reply(exchange, right ? 200 : 400, right ? "the-token" : "");
    } else if ("the-token".equals(token)) {
      reply(exchange, item(path.replace("/latest/meta-data/", "")));
    } else {
      reply(exchange, 401, "");
    }
  }

  private String item(String path) {
    return switch (path) {
      case "instance-id" -> instance;
      case "local-ipv4" -> ADDRESS;
      case "tags/instance/elastune-expires" -> expiry;
      case "spot/instance-action" ->
          interrupted ? "{\"action\":\"terminate\",\"time\":\"2026-11-22T08:22:00Z\"}" : "";
      default -> throw new AssertionError(path);
    };
  }
}

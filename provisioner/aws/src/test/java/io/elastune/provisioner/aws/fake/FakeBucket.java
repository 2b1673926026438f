package io.elastune.provisioner.aws.fake;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A bucket that evaluates the permissions of each call, and stores nothing. */
public final class FakeBucket implements AutoCloseable {
  private static final String CONTENT =
      "<Result><UploadId>u1</UploadId><IsTruncated>false</IsTruncated></Result>";

  private final HttpServer server;
  private final String name;
  private final List<String> denied = new CopyOnWriteArrayList<>();
  private final List<String> allowed = new CopyOnWriteArrayList<>();
  private volatile FakePolicy policy;

  /** Starts a server. */
  public FakeBucket(String name, FakePolicy policy) throws IOException {
    this.name = name;
    this.policy = policy;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Returns the actions of the denied calls. */
  public Set<String> denied() {
    return Set.copyOf(denied);
  }

  /** Returns the actions of the permitted calls. */
  public Set<String> allowed() {
    return Set.copyOf(allowed);
  }

  /** Replaces the policy and forgets the calls. */
  public void restrict(FakePolicy some) {
    policy = some;
    denied.clear();
    allowed.clear();
  }

  private void handle(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    String[] path = exchange.getRequestURI().getPath().substring(1).split("/", 2);
    String key = path.length == 2 ? path[1] : "";
    String query = String.valueOf(exchange.getRequestURI().getRawQuery());
    String action = action(exchange.getRequestMethod(), query, key.isEmpty());
    String resource = "arn:aws:s3:::" + path[0] + (key.isEmpty() ? "" : "/" + key);
    boolean permitted =
        path[0].equals(name) && policy.allows(new FakePolicy.Access(action, resource, Map.of()));
    (permitted ? allowed : denied).add(action);
    byte[] body =
        (permitted
                ? CONTENT
                : "<Error><Code>AccessDenied</Code><Message>" + action + "</Message></Error>")
            .getBytes(UTF_8);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(permitted ? 200 : 403, head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  /** Returns the action of a call, as in the service authorization reference of Amazon S3. */
  private static String action(String method, String query, boolean ofBucket) {
    boolean upload = query.contains("uploadId=");
    return switch (method) {
      case "GET", "HEAD" ->
          ofBucket
              ? query.contains("uploads=") ? "s3:ListBucketMultipartUploads" : "s3:ListBucket"
              : "s3:GetObject";
      case "DELETE" -> upload ? "s3:AbortMultipartUpload" : "s3:DeleteObject";
      default -> "s3:PutObject";
    };
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

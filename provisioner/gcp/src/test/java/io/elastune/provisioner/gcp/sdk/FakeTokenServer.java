package io.elastune.provisioner.gcp.sdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A local token server and metadata server, which give the same answer to every token request. */
final class FakeTokenServer implements AutoCloseable {
  private final HttpServer server;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private static final String EXPIRED =
      "{\"error\": \"invalid_grant\", \"error_description\": \"reauth related error"
          + " (invalid_rapt)\"}";

  private volatile String expired = "";
  private volatile int status = 200;
  private volatile String answer =
      "{\"access_token\": \"ya29.token\", \"expires_in\": 3600, \"token_type\": \"Bearer\"}";

  FakeTokenServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  String authority() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  String url() {
    return "http://" + authority();
  }

  /** Rejects all token requests. */
  void refuse(int otherStatus, String otherAnswer) {
    status = otherStatus;
    answer = otherAnswer;
  }

  /** Rejects all token requests with this refresh token, as after the end of a login. */
  void expire(String refreshToken) {
    expired = refreshToken;
  }

  /** Returns the paths of all requests. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      boolean isExpired =
          !expired.isEmpty() && form.contains(URLEncoder.encode(expired, StandardCharsets.UTF_8));
      String path = exchange.getRequestURI().getPath();
      requests.add(path);
      boolean isToken = path.endsWith("token");
      String text =
          isToken
              ? (isExpired ? EXPIRED : answer)
              : path.endsWith("project-id") ? "metadata-project" : "default";
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Metadata-Flavor", "Google");
      exchange
          .getResponseHeaders()
          .add("Content-Type", isToken ? "application/json" : "text/plain");
      exchange.sendResponseHeaders(isToken ? (isExpired ? 400 : status) : 200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

package io.elastune.provisioner.remote;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A local HTTP server with fixed responses in place of a cloud. The launcher calls it once to
 * record which classes the first responses load, and archives these classes. This makes the first
 * response of the real cloud faster.
 */
public final class CannedHttpServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CannedHttpServer.class);
  private static final String TARGET = "X-Amz-Target";
  private static final int FINE = 200;
  private static final int NOT_FOUND = 404;

  private final Map<String, String> answers;
  private final String fallback;
  private final HttpServer server;

  /** A request to a cloud whose response is not used. */
  public interface ClientCall {
    Object send();
  }

  /**
   * Starts the server.
   *
   * @param answers responses by a substring of the request's path, target or body
   * @param fallback the response to all other requests, with HTTP status 404
   */
  public CannedHttpServer(Map<String, String> answers, String fallback) throws IOException {
    this.answers = Map.copyOf(answers);
    this.fallback = fallback;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String question =
        exchange.getRequestURI().getPath()
            + "\n"
            + exchange.getRequestHeaders().getFirst(TARGET)
            + "\n"
            + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)
            + "\n";
    String match =
        answers.keySet().stream()
            .filter(question::contains)
            .findFirst()
            .map(answers::get)
            .orElse("");
    byte[] bytes = (match.isEmpty() ? fallback : match).getBytes(StandardCharsets.UTF_8);
    boolean headOnly = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(
        match.isEmpty() ? NOT_FOUND : FINE, headOnly ? -1 : Math.max(1, bytes.length));
    if (!headOnly) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  /** Sends the requests one after the other and logs their results. */
  public static void sendAll(ClientCall... clientCalls) {
    for (ClientCall clientCall : clientCalls) {
      try {
        LOG.debug("{}", clientCall.send());
      } catch (RuntimeException e) {
        LOG.debug("request failed", e);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

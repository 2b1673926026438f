package io.elastune.provisioner.aws.moto;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.elastune.provisioner.aws.testing.ScriptedSetup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proxy that adds what moto lacks: it does not forward a launch with a known client token again,
 * and it lets nodes report the result of their setup on their console.
 */
final class MotoProxy implements AutoCloseable {
  /** The instance type of the contract suite, and below the type that moto knows. */
  private static final String TYPE = "contract";

  private static final String KNOWN_TYPE = "g5.xlarge";
  private static final Pattern INSTANCE = Pattern.compile("<instanceId>(i-[0-9a-f]+)</instanceId>");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpClient client = HttpClient.newHttpClient();
  private final String moto;
  private final Map<String, Answer> byToken = new ConcurrentHashMap<>();
  private final Map<String, String> userData = new ConcurrentHashMap<>();

  private record Answer(int status, String text) {}

  MotoProxy(String moto) throws IOException {
    this.moto = moto;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Resets all launches. */
  void forget() throws IOException, InterruptedException {
    HttpRequest reset =
        HttpRequest.newBuilder(URI.create(moto + "/moto-api/reset"))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    client.send(reset, HttpResponse.BodyHandlers.discarding());
    byToken.clear();
    userData.clear();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Answer answer =
        switch (field(body, "Action")) {
          case "RunInstances" ->
              byToken.computeIfAbsent(field(body, "ClientToken"), t -> launched(exchange, body));
          case "GetConsoleOutput" -> console(field(body, "InstanceId"));
          default -> forwarded(exchange, body);
        };
    String text = answer.text().replace(KNOWN_TYPE, TYPE);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "text/xml;charset=UTF-8");
    exchange.sendResponseHeaders(answer.status(), bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private Answer launched(HttpExchange exchange, String body) {
    Answer answer =
        forwarded(exchange, body.replace("InstanceType=" + TYPE, "InstanceType=" + KNOWN_TYPE));
    Matcher id = INSTANCE.matcher(answer.text());
    if (id.find()) {
      userData.put(id.group(1), field(body, "UserData"));
    }
    return answer;
  }

  private Answer console(String id) {
    byte[] script = Base64.getDecoder().decode(userData.getOrDefault(id, ""));
    String told = ScriptedSetup.consoleText(new String(script, StandardCharsets.UTF_8));
    String output = Base64.getEncoder().encodeToString(told.getBytes(StandardCharsets.UTF_8));
    return new Answer(
        200,
        "<GetConsoleOutputResponse><requestId>proxy</requestId><instanceId>"
            + id
            + "</instanceId><output>"
            + output
            + "</output></GetConsoleOutputResponse>");
  }

  private Answer forwarded(HttpExchange exchange, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(moto + "/"))
            .POST(HttpRequest.BodyPublishers.ofString(body));
    for (String header : new String[] {"Authorization", "X-Amz-Date", "Content-Type"}) {
      String value = exchange.getRequestHeaders().getFirst(header);
      if (value != null) {
        request.header(header, value);
      }
    }
    try {
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Answer(answer.statusCode(), answer.body());
    } catch (IOException e) {
      return new Answer(503, "");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String field(String body, String name) {
    for (String pair : body.split("&", -1)) {
      if (pair.startsWith(name + "=")) {
        return URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8);
      }
    }
    return "";
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}

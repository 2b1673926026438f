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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A proxy that adds what moto lacks: it does not forward a launch with a known client token again,
 * and it lets nodes report the result of their setup on their console. Prices and quotas come from
 * another server, because moto has none. Wildcards of instance types are removed, because moto
 * matches nothing with them.
 */
public final class MotoProxy implements AutoCloseable {
  /** An instance type that moto knows. */
  private static final String KNOWN_TYPE = "g5.xlarge";

  private static final String TARGET = "X-Amz-Target";
  private static final Pattern INSTANCE = Pattern.compile("<instanceId>(i-[0-9a-f]+)</instanceId>");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpClient client = HttpClient.newHttpClient();
  private final String moto;
  private final Optional<String> prices;
  private final String type;
  private final Map<String, Answer> byToken = new ConcurrentHashMap<>();
  private final Map<String, String> userData = new ConcurrentHashMap<>();

  private record Answer(int status, String text) {}

  private MotoProxy(String moto, Optional<String> prices, String type) throws IOException {
    this.moto = moto;
    this.prices = prices;
    this.type = type;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Creates a proxy that renames the instance type of the contract suite, which moto lacks. */
  static MotoProxy forContract(String moto) throws IOException {
    return new MotoProxy(moto, Optional.empty(), "contract");
  }

  /**
   * Creates a proxy for commands.
   *
   * @param moto the address of moto
   * @param prices the address of a server with a price list, spot prices and quotas
   */
  public static MotoProxy forAccount(String moto, String prices) throws IOException {
    return new MotoProxy(moto, Optional.of(prices), KNOWN_TYPE);
  }

  /** Returns the endpoint of all services. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Resets moto with all its resources. */
  public void forget() throws IOException {
    HttpRequest reset =
        HttpRequest.newBuilder(URI.create(moto + "/moto-api/reset"))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    try {
      client.send(reset, HttpResponse.BodyHandlers.discarding());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    byToken.clear();
    userData.clear();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String target = exchange.getRequestHeaders().getFirst(TARGET);
    String action =
        target == null ? field(body, "Action") : target.substring(target.indexOf('.') + 1);
    Answer answer =
        switch (action) {
          case "RunInstances" ->
              field(body, "DryRun").equals("true")
                  ? forwarded(exchange, moto, body)
                  : byToken.computeIfAbsent(
                      field(body, "ClientToken"), t -> launched(exchange, body));
          case "GetConsoleOutput" ->
              field(body, "DryRun").equals("true")
                  ? forwarded(exchange, moto, body)
                  : console(field(body, "InstanceId"));
          case "GetProducts", "GetServiceQuota", "DescribeSpotPriceHistory" ->
              forwarded(exchange, prices.orElse(moto), body);
          case "DescribeInstanceTypeOfferings" ->
              forwarded(exchange, moto, body.contains("*") ? withoutFilters(body) : body);
          default -> forwarded(exchange, moto, body);
        };
    byte[] bytes = answer.text().replace(KNOWN_TYPE, type).getBytes(StandardCharsets.UTF_8);
    exchange
        .getResponseHeaders()
        .add("Content-Type", target == null ? "text/xml;charset=UTF-8" : "application/json");
    exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static String withoutFilters(String body) {
    return Stream.of(body.split("&", -1))
        .filter(pair -> !pair.startsWith("Filter."))
        .collect(Collectors.joining("&"));
  }

  private Answer launched(HttpExchange exchange, String body) {
    Answer answer =
        forwarded(
            exchange, moto, body.replace("InstanceType=" + type, "InstanceType=" + KNOWN_TYPE));
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

  private Answer forwarded(HttpExchange exchange, String to, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(to + "/"))
            .POST(HttpRequest.BodyPublishers.ofString(body));
    for (String header : List.of("Authorization", "X-Amz-Date", "Content-Type", TARGET)) {
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

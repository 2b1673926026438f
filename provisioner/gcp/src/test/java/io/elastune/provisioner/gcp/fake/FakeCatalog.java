package io.elastune.provisioner.gcp.fake;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A local price catalog with three items per page that accepts only one API key. */
public final class FakeCatalog implements AutoCloseable {
  public static final String KEY = "AIza-a-secret";

  private static final int PAGE = 3;
  private static final String PATH = "/v1/services/6F81-5844-456A/skus";

  private final HttpServer server;
  private final List<ObjectNode> items = new CopyOnWriteArrayList<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();

  public FakeCatalog() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Returns the URL of every request. */
  public List<String> requestedUrls() {
    return List.copyOf(asked);
  }

  /** Adds an item that is sold in us-central1 and one more region. */
  public void addItem(String description, String usage, String unit, double usd) {
    long units = (long) usd;
    ObjectNode item = JsonMapper.shared().createObjectNode();
    item.put("description", description);
    item.putObject("category").put("resourceFamily", "Compute").put("usageType", usage);
    item.putArray("serviceRegions").add("us-central1").add("us-east1");
    ArrayNode timeline = item.putArray("pricingInfo");
    price(timeline.addObject(), unit, 1000, 0); // an earlier price
    price(timeline.addObject(), unit, units, Math.round((usd - units) * 1e9));
    items.add(item);
  }

  private static void price(ObjectNode info, String unit, long units, long nanos) {
    info.putObject("pricingExpression")
        .put("usageUnit", unit)
        .putArray("tieredRates")
        .addObject()
        .put("startUsageAmount", 0)
        .putObject("unitPrice")
        .put("currencyCode", "USD")
        .put("units", Long.toString(units))
        .put("nanos", nanos);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String address = exchange.getRequestURI().toString();
      asked.add(address);
      boolean known = KEY.equals(exchange.getRequestHeaders().getFirst("X-Goog-Api-Key"));
      String answer = known ? page(exchange.getRequestURI().getQuery()) : refusal();
      byte[] body = answer.getBytes(StandardCharsets.UTF_8);
      boolean found = exchange.getRequestURI().getPath().equals(PATH);
      exchange.sendResponseHeaders(found ? (known ? 200 : 400) : 404, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private String page(String query) {
    int from =
        Arrays.stream(query.split("&"))
            .filter(part -> part.startsWith("pageToken="))
            .mapToInt(part -> Integer.parseInt(part.substring("pageToken=".length())))
            .findFirst()
            .orElse(0);
    int to = Math.min(items.size(), from + PAGE);
    ObjectNode page = JsonMapper.shared().createObjectNode();
    page.putArray("skus").addAll(new ArrayList<>(items.subList(from, to)));
    page.put("nextPageToken", to < items.size() ? Integer.toString(to) : "");
    return page.toString();
  }

  private static String refusal() {
    return """
        {"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.",
          "status": "INVALID_ARGUMENT", "details": [{"reason": "API_KEY_INVALID"}]}}
        """;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

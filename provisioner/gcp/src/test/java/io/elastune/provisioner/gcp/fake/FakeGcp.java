package io.elastune.provisioner.gcp.fake;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.elastune.provisioner.remote.CallThrottle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * A local HTTP server that simulates Google Cloud. Clients use it when their Compute Engine
 * endpoint is {@link #url}. It validates every request and response against the discovery document,
 * and rejects and records deviations.
 */
public final class FakeGcp implements AutoCloseable {
  private static final Duration STALE = Duration.ofMillis(300);
  private static final String PREFIX = "/compute/v1/";

  private final InstantSource time;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final DiscoveryDocument discoveryDocument = new DiscoveryDocument();
  private final FakeCompute compute;
  private final FakeLists lists;
  private final FakeProjectServices services = new FakeProjectServices();
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final List<String> violations = new CopyOnWriteArrayList<>();
  private final Map<String, CallThrottle> throttles = new ConcurrentHashMap<>();
  private final Map<String, ApiError> refused = new ConcurrentHashMap<>();
  private volatile Function<String, Fault> faults = method -> Fault.NONE;
  private volatile Set<String> denied = Set.of();
  private volatile Optional<Set<String>> allowed = Optional.empty();
  private final Map<String, IamCondition> conditions = new ConcurrentHashMap<>();

  /** Starts the server. */
  public FakeGcp(InstantSource time) throws IOException {
    this.time = time;
    compute = new FakeCompute(time);
    lists = new FakeLists(compute);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  public FakeCompute compute() {
    return compute;
  }

  public FakeProjectServices services() {
    return services;
  }

  /** Sets the function that returns the fault of each call, by its method. */
  public void faults(Function<String, Fault> some) {
    faults = some;
  }

  /** Denies these permissions, for example {@code compute.instances.create}. */
  public void deny(Set<String> permissions) {
    denied = Set.copyOf(permissions);
  }

  /** Allows only these permissions. */
  public void allow(Set<String> permissions) {
    allowed = Optional.of(Set.copyOf(permissions));
  }

  /** Allows these permissions, once allowed, only on resources for which the condition holds. */
  public void restrict(Set<String> permissions, String condition) {
    permissions.forEach(some -> conditions.put(some, IamCondition.parse(condition)));
  }

  /** Returns whether a permission is granted on any resource. */
  public boolean allows(String permission) {
    return !denied.contains(permission)
        && allowed.map(some -> some.contains(permission)).orElse(true);
  }

  private boolean allows(String permission, FakeRequest fakeRequest) {
    IamCondition condition = conditions.get(permission);
    return allows(permission)
        && (condition == null
            || condition.holds(RequiredPermissions.resource(permission, fakeRequest)));
  }

  /** Rejects all later calls of a method with an error. */
  public void refuse(String method, int status, String reason, String message) {
    refused.put(method, new ApiError(status, reason, message));
  }

  /** Limits the rate of calls of a method. */
  public void throttle(String method, double capacity, double perSecond) {
    throttles.put(method, new CallThrottle(capacity, perSecond));
  }

  /** Returns the number of calls of a method so far, including rejected ones. */
  public long calls(String method) {
    return calls.stream().filter(method::equals).count();
  }

  public List<String> calls() {
    return List.copyOf(calls);
  }

  /** Returns the deviations of requests and responses from the discovery document. */
  public List<String> violations() {
    return List.copyOf(violations);
  }

  /** Returns how many responses had a next page. */
  public int pagesServed() {
    return lists.pagesServed();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String path = exchange.getRequestURI().getRawPath();
      if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.sendResponseHeaders(404, -1); // the caller reads only the Date header
      } else if (path.startsWith("/batch/")) {
        batch(exchange, body);
      } else {
        String query = Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
        single(exchange, exchange.getRequestMethod(), path, query, body);
      }
    } finally {
      exchange.close();
    }
  }

  private void single(HttpExchange exchange, String verb, String path, String query, String body)
      throws IOException {
    Fault fault = Fault.NONE;
    try {
      Optional<String> other =
          services.answer(
              verb,
              path,
              body,
              permission -> allows(permission) && !conditions.containsKey(permission));
      if (other.isPresent()) {
        reply(exchange, 200, other.get(), false);
        return;
      }
      FakeRequest fakeRequest = request(verb, path, query, body);
      calls.add(fakeRequest.method());
      fault = faults.apply(fakeRequest.method());
      permit(fakeRequest);
      if (fault == Fault.LOST_BEFORE) {
        return;
      }
      String answer = effect(fakeRequest, fault).toString();
      if (fault == Fault.LOST_AFTER) {
        return;
      }
      reply(exchange, 200, answer, fault == Fault.TORN);
    } catch (ApiError e) {
      if (fault != Fault.LOST_AFTER) {
        reply(exchange, e.status(), e.json(), false);
      }
    }
  }

  private FakeRequest request(String verb, String path, String query, String body) {
    String plain = path.startsWith(PREFIX) ? path.substring(PREFIX.length()) : path;
    DiscoveryDocument.Call call =
        discoveryDocument
            .call(verb, plain)
            .orElseThrow(
                () -> {
                  violations.add("no such call: " + verb + " " + path);
                  return new ApiError(404, "notFound", "no such call: " + verb + " " + path);
                });
    Map<String, String> parameters = parameters(query);
    JsonNode content =
        body.isBlank() ? MissingNode.getInstance() : JsonMapper.shared().readTree(body);
    List<String> problems = new ArrayList<>(discoveryDocument.problems(call, parameters));
    problems.addAll(discoveryDocument.request(call, content));
    if (!problems.isEmpty()) {
      violations.addAll(problems);
      throw new ApiError(400, "invalid", String.join("; ", problems));
    }
    return new FakeRequest(call, parameters, content, url());
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String pair : query.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      if (parts.length == 2) {
        parameters.put(decoded(parts[0]), decoded(parts[1]));
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private void permit(FakeRequest fakeRequest) {
    for (String permission : RequiredPermissions.of(fakeRequest)) {
      if (!allows(permission, fakeRequest)) {
        throw new ApiError(
            403,
            "forbidden",
            "Required '%s' permission for 'projects/%s'"
                .formatted(permission, fakeRequest.path("project")));
      }
    }
    ApiError refusal = refused.get(fakeRequest.method());
    if (refusal != null) {
      throw refusal;
    }
    CallThrottle throttle = throttles.get(fakeRequest.method());
    if (throttle != null && !throttle.take(time.instant())) {
      throw ApiError.throttled();
    }
  }

  private JsonNode effect(FakeRequest fakeRequest, Fault fault) {
    if (fault == Fault.THROTTLED) {
      throw ApiError.throttled();
    }
    if (fault == Fault.ERROR_BEFORE) {
      throw ApiError.internal();
    }
    JsonNode answer = answer(fakeRequest, fault);
    if (fault == Fault.ERROR_AFTER) {
      throw ApiError.internal();
    }
    List<String> problems = discoveryDocument.response(fakeRequest.call(), answer);
    violations.addAll(problems);
    return answer;
  }

  private JsonNode answer(FakeRequest fakeRequest, Fault fault) {
    Instant now = time.instant();
    boolean fails = fault == Fault.OPERATION_FAILS;
    return switch (fakeRequest.method()) {
      case "compute.instances.insert" -> compute.insert(fakeRequest, fault);
      case "compute.instances.delete" -> compute.delete(fakeRequest, fails);
      case "compute.instances.get" -> compute.get(fakeRequest);
      case "compute.disks.get" -> compute.disk(fakeRequest);
      case "compute.instances.setMetadata" -> compute.setMetadata(fakeRequest, fails);
      case "compute.instances.getGuestAttributes" -> compute.guestAttributes(fakeRequest);
      case "compute.zoneOperations.get", "compute.zoneOperations.wait" ->
          compute.operation(fakeRequest);
      case "compute.instances.aggregatedList" ->
          lists.instances(
              fakeRequest,
              fault == Fault.EMPTY ? Instant.EPOCH : fault == Fault.STALE ? now.minus(STALE) : now,
              fault == Fault.UNREACHABLE);
      default -> compute.policies().answer(fakeRequest).orElseGet(() -> lists.answer(fakeRequest));
    };
  }

  /** Handles a batch of calls, as {@code gcloud} sends them. */
  private void batch(HttpExchange exchange, String body) throws IOException {
    BatchRequest batchRequest =
        BatchRequest.read(exchange.getRequestHeaders().getFirst("Content-Type"), body);
    StringBuilder answers = new StringBuilder();
    for (BatchRequest.Part part : batchRequest.parts()) {
      int status = 200;
      String answer;
      try {
        FakeRequest fakeRequest = request(part.verb(), part.path(), part.query(), part.body());
        calls.add(fakeRequest.method());
        permit(fakeRequest);
        answer = effect(fakeRequest, Fault.NONE).toString();
      } catch (ApiError e) {
        status = e.status();
        answer = e.json();
      }
      answers.append(BatchRequest.answer(part, status, answer));
    }
    byte[] bytes = (answers + BatchRequest.END).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", BatchRequest.TYPE);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static void reply(HttpExchange exchange, int status, String text, boolean torn)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json; charset=UTF-8");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes, 0, torn ? bytes.length / 2 : bytes.length);
    exchange.getResponseBody().flush();
  }
}

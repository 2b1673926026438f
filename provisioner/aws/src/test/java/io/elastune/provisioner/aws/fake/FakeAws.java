package io.elastune.provisioner.aws.fake;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.elastune.provisioner.remote.CallThrottle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A fake AWS over local HTTP. The real SDK calls it when the system property {@code
 * aws.endpointUrl}, or the variable {@code AWS_ENDPOINT_URL}, is set to {@link #url}.
 */
public final class FakeAws implements AutoCloseable {
  private static final Duration STALE = Duration.ofMillis(300);
  private static final CountDownLatch OPEN = new CountDownLatch(0);
  private static final int NO_REPLY = -1;

  private final InstantSource time;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final FakeEc2 ec2;
  private final FakeMarket market = new FakeMarket();
  private final FakeAccount account = new FakeAccount(market);
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final Map<String, CallThrottle> throttles = new ConcurrentHashMap<>();
  private final Map<String, String> buckets = new ConcurrentHashMap<>();
  private volatile Function<String, Fault> faults = action -> Fault.NONE;
  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
  private final Set<String> deniedRegions = ConcurrentHashMap.newKeySet();
  private final Set<String> expiredKeys = ConcurrentHashMap.newKeySet();
  private final Map<String, ApiError> refused = new ConcurrentHashMap<>();
  private final FakePermissions permissions;

  /** Starts the server. */
  public FakeAws(InstantSource time) throws IOException {
    this.time = time;
    ec2 = new FakeEc2(time);
    permissions = new FakePermissions(ec2::tagsOf);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  public FakeEc2 ec2() {
    return ec2;
  }

  public FakeAccount account() {
    return account;
  }

  public FakeMarket market() {
    return market;
  }

  /** Sets the function that returns the fault of each call, by action. */
  public void faults(Function<String, Fault> some) {
    faults = some;
  }

  /** Denies actions to these credentials, e.g. {@code ec2:RunInstances}. */
  public void deny(Set<String> actions) {
    permissions.deny(actions);
  }

  /** Rejects all requests that are signed for a region, as AWS does before it is enabled. */
  public void denyRegion(String region) {
    deniedRegions.add(region);
  }

  /** Rejects all requests that are signed with this access key, as AWS does after its expiry. */
  public void expire(String accessKey) {
    expiredKeys.add(accessKey);
  }

  /** Accepts requests that are signed with this access key again. */
  public void renew(String accessKey) {
    expiredKeys.remove(accessKey);
  }

  /** Makes an action fail with this error code from now on. */
  public void refuse(String action, String code, String message) {
    refused.put(action, new ApiError(400, code, message));
  }

  /** Denies all actions that the policy does not allow and that need a permission. */
  public void allow(FakePolicy policy) {
    permissions.allow(policy);
  }

  /** Returns whether these credentials allow the action on any resource. */
  public boolean allows(String permission) {
    return permissions.knows(permission);
  }

  /** Returns what all calls so far have needed. */
  public Set<FakePolicy.Access> accesses() {
    return permissions.seen();
  }

  /** Adds a bucket without read access. */
  public void bucket(String name, String region) {
    buckets.put(name, region);
  }

  /** Limits the rate of an action, as EC2 does. */
  public void throttle(String action, double capacity, double perSecond) {
    throttles.put(action, new CallThrottle(capacity, perSecond));
  }

  /**
   * Holds the calls of an action until this many of them are in progress at the same time. Calls
   * that wait for a minute fail.
   */
  public void holdUntil(String action, int calls) {
    gates.put(action, new CountDownLatch(calls));
  }

  /** Returns the actions called so far, in order, including refused ones. */
  public List<String> calls() {
    return List.copyOf(calls);
  }

  public long calls(String action) {
    return calls.stream().filter(action::equals).count();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    if (exchange.getRequestMethod().equals("HEAD")) {
      headBucket(exchange);
      return;
    }
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    Query query = target == null ? Query.parse(body) : Query.json(target, body);
    calls.add(query.action());
    Fault fault = faults.apply(query.action());
    try {
      answer(exchange, query, fault);
    } catch (ApiError e) {
      reply(exchange, e.status(), target == null ? e.xml(query.action()) : e.json());
    } finally {
      exchange.close();
    }
  }

  private void headBucket(HttpExchange exchange) throws IOException {
    String region = buckets.get(exchange.getRequestURI().getPath().substring(1));
    if (region != null) {
      exchange.getResponseHeaders().add("x-amz-bucket-region", region);
    }
    exchange.sendResponseHeaders(region == null ? 404 : 403, NO_REPLY);
    exchange.close();
  }

  private void answer(HttpExchange exchange, Query query, Fault fault) throws IOException {
    requireRegion(exchange);
    permissions.require(query);
    awaitOthers(query.action());
    hold(query.action());
    ApiError refusal = refused.get(query.action());
    if (refusal != null) {
      throw refusal;
    }
    switch (fault) {
      case THROTTLED -> throw throttled();
      case ERROR_BEFORE -> throw internal();
      case LOST_BEFORE -> hangUp(exchange);
      case LOST_AFTER -> {
        effect(query, fault);
        hangUp(exchange);
      }
      case TORN -> tear(exchange, identified(effect(query, fault)));
      case ERROR_AFTER -> {
        effect(query, fault);
        throw internal();
      }
      default -> reply(exchange, 200, identified(effect(query, fault)));
    }
  }

  /** The signature names the region: {@code Credential=ID/DATE/REGION/SERVICE/aws4_request}. */
  private void requireRegion(HttpExchange exchange) {
    String signature =
        Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Authorization"), "");
    if (expiredKeys.stream().anyMatch(key -> signature.contains("Credential=" + key + "/"))) {
      throw new ApiError(
          400, "ExpiredToken", "The security token included in the request is expired");
    }
    if (deniedRegions.stream().anyMatch(region -> signature.contains("/" + region + "/"))) {
      throw new ApiError(
          401, "AuthFailure", "AWS was not able to validate the provided access credentials");
    }
  }

  /** Returns the action; EC2 and other services name it in different places. */
  private static String identified(String answer) {
    return answer.startsWith("{") || answer.startsWith("<GetCallerIdentity")
        ? answer
        : answer.replaceFirst(">", ">" + Xml.element("requestId", "fake"));
  }

  private void awaitOthers(String action) {
    CountDownLatch gate = gates.getOrDefault(action, OPEN);
    gate.countDown();
    try {
      if (!gate.await(1, TimeUnit.MINUTES)) {
        throw internal();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void hold(String action) {
    CallThrottle throttle = throttles.get(action);
    if (throttle != null && !throttle.take(time.instant())) {
      throw throttled();
    }
  }

  private static ApiError throttled() {
    return new ApiError(503, "RequestLimitExceeded", "Request limit exceeded.");
  }

  private static ApiError internal() {
    return new ApiError(500, "InternalError", "An internal error has occurred");
  }

  private String effect(Query query, Fault fault) {
    Instant now = time.instant();
    CallLimits.check(query);
    if (!query.action().equals("RunInstances") && query.text("DryRun").equals("true")) {
      ec2.requireKnown(query);
      throw new ApiError(412, "DryRunOperation", "Request would have succeeded");
    }
    return switch (query.action()) {
      case "RunInstances" -> ec2.run(query, fault);
      case "TerminateInstances" -> ec2.terminate(query);
      case "CreateTags" -> ec2.tag(query);
      case "GetConsoleOutput" -> ec2.consoleOf(query);
      case "GetCallerIdentity",
          "GetServiceQuota",
          "DescribeRegions",
          "DescribeInstanceTypeOfferings" ->
          account.answer(query);
      case "CreatePlacementGroup", "DeletePlacementGroup", "DescribePlacementGroups" ->
          ec2.groups().answer(query);
      case "DescribeVolumes", "DescribeNetworkInterfaces" -> ec2.resources(query);
      case "DescribeInstanceAttribute" -> ec2.attribute(query);
      case "DescribeSpotInstanceRequests" -> ec2.spotRequests(query);
      case "DescribeInstanceTypes", "DescribeSpotPriceHistory", "GetProducts" ->
          market.answer(query);
      case "DescribeInstances" ->
          fault == Fault.EMPTY
              ? ec2.describe(query, Instant.EPOCH)
              : ec2.describe(query, fault == Fault.STALE ? now.minus(STALE) : now);
      default -> throw new ApiError(400, "InvalidAction", query.action() + " is not known here");
    };
  }

  /** Closes the connection without a response. */
  private static void hangUp(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 1000); // of which nothing is sent
    exchange.getResponseBody().flush();
  }

  /** Sends the first half of a response and closes the connection. */
  private static void tear(HttpExchange exchange, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    describe(exchange, text);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes, 0, bytes.length / 2);
    exchange.getResponseBody().flush();
  }

  private static void describe(HttpExchange exchange, String text) {
    boolean json = text.startsWith("{");
    exchange
        .getResponseHeaders()
        .add("Content-Type", json ? "application/x-amz-json-1.1" : "text/xml;charset=UTF-8");
  }

  private static void reply(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    describe(exchange, text);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? NO_REPLY : bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}

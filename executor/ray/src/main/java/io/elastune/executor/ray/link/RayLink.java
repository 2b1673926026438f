package io.elastune.executor.ray.link;

import io.elastune.provisioner.process.EventLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The connection of a controller to the agents of its leases. It starts the bridge again whenever
 * that has ended or does not answer in time, and then repeats all requests that have no answer.
 *
 * <p>Used on its event loop, on which it also completes requests and calls the listener. Only
 * {@link #request} may be called on every thread: transfers read and write files on others.
 */
public final class RayLink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RayLink.class);
  private static final Duration HELLO_DEADLINE = Duration.ofSeconds(75);
  private static final Duration FIRST_DELAY = Duration.ofMillis(500);
  private static final Duration MAX_DELAY = Duration.ofSeconds(10);
  private static final long HELLO = 0;

  /** Kinds of failures that a new bridge would have too. */
  private static final Set<String> FINAL = Set.of("version", "auth", "no-ray", "bad-request");

  /** Receives what the bridge reports. */
  public interface Listener {
    /** A new bridge is connected; it follows no attempt yet. */
    void connected();

    /** An event of the bridge. */
    void event(Frame event);

    /**
     * This process was suspended: nodes had nothing to answer in that time, so it does not count as
     * their silence.
     */
    default void suspended(Duration by) {}

    /** The cloud has confirmed that the instance of a lease has ended: nothing runs there. */
    default void instanceEnded(String lease) {}
  }

  private static final class Pending {
    private final Request request;
    private final CompletableFuture<Frame> answer = new CompletableFuture<>();
    private int sent;
    private boolean waiting;

    Pending(Request request) {
      this.request = request;
    }

    /** Returns the number of this transmission. */
    int send() {
      waiting = true;
      return ++sent;
    }

    boolean waitsFor(int transmission) {
      return waiting && sent == transmission;
    }
  }

  private final BridgeSettings settings;
  private final EventLoop loop;
  private final Listener listener;
  private final Map<Long, Pending> pending = new LinkedHashMap<>();
  private @Nullable BridgeProcess bridge;
  private Optional<LinkException> refusal = Optional.empty();
  private String problem = "the bridge has not started";
  private Duration delay = FIRST_DELAY;
  private boolean connected;
  private boolean failsFast;
  private boolean closed;
  private int generation;
  private long lastId = HELLO;

  /** Creates a connection without a bridge. */
  public RayLink(BridgeSettings settings, EventLoop loop, Listener listener) {
    this.settings = settings;
    this.loop = loop;
    this.listener = listener;
  }

  /** Fails all requests when the first bridge cannot connect, for queries without a run. */
  public void failFast() {
    failsFast = true;
  }

  /** Starts the first bridge. */
  public void open() {
    connect();
  }

  /** Returns whether a bridge is connected. */
  public boolean isConnected() {
    return connected;
  }

  /** Returns the process ID of the bridge, if one is running. */
  public Optional<Long> bridgePid() {
    return Optional.ofNullable(bridge).map(BridgeProcess::pid);
  }

  /** Sends a request. Fails with a {@link LinkException}. */
  public CompletableFuture<Frame> request(Request request) {
    Pending made = new Pending(request);
    loop.execute(error -> made.answer.completeExceptionally(unsent(error)), () -> request(made));
    return made.answer;
  }

  private static LinkException unsent(Throwable error) {
    return new LinkException(LinkException.UNREACHABLE, "it could not be sent: " + error);
  }

  private void request(Pending made) {
    if (closed) {
      made.answer.completeExceptionally(
          new LinkException(LinkException.UNREACHABLE, "the engine is closed"));
      return;
    }
    if (refusal.isPresent()) {
      made.answer.completeExceptionally(refusal.get());
      return;
    }
    long id = ++lastId;
    pending.put(id, made);
    Duration most = max(settings.patience(), made.request.deadline());
    loop.scheduleDeadline(most, () -> giveUp(id));
    if (connected) {
      send(id, made);
    }
  }

  /** Runs a task that sends requests on the event loop. Usable on every thread. */
  public <T> CompletableFuture<T> onLoop(Supplier<CompletableFuture<T>> task) {
    return CompletableFuture.completedFuture(task).thenComposeAsync(Supplier::get, loop);
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private void giveUp(long id) {
    Pending failed = pending.remove(id);
    if (failed != null) {
      String message = failed.request + " was not answered: " + problem;
      failed.answer.completeExceptionally(new LinkException(LinkException.UNREACHABLE, message));
    }
  }

  private void send(long id, Pending next) {
    if (bridge == null) {
      return;
    }
    bridge.send(next.request.frame(id));
    int transmission = next.send();
    watch(() -> pending.get(id) == next && next.waitsFor(transmission), next.request.deadline());
  }

  /** A bridge that does not answer in time is killed; it has nothing to lose. */
  private void watch(BooleanSupplier isWaiting, Duration deadline) {
    int started = generation;
    loop.scheduleDeadline(
        deadline,
        () -> {
          if (started == generation && bridge != null && isWaiting.getAsBoolean()) {
            LOG.warn("The bridge did not answer for {} s; restarting it", deadline.toSeconds());
            bridge.kill();
          }
        });
  }

  private void connect() {
    if (closed || refusal.isPresent()) {
      return;
    }
    int started = ++generation;
    try {
      bridge =
          BridgeProcess.start(
              settings,
              frame -> loop.execute(() -> received(started, frame)),
              reason -> loop.execute(() -> ended(started, reason)));
    } catch (IOException | RuntimeException | Error e) { // such as no memory for a thread
      problem = "the bridge could not be started: " + e.getMessage();
      ended(started, String.valueOf(e.getMessage()));
      return;
    }
    Request hello =
        Request.of("hello")
            .with("protocol", Frame.PROTOCOL)
            .with("address", settings.address())
            .with("root", settings.root())
            .with("run", settings.run())
            .with("epoch", settings.epoch())
            .bytes(BridgeProcess.shim());
    settings.environment().forEach(hello.object("environment")::put);
    bridge.send(hello.frame(HELLO));
    watch(() -> !connected, HELLO_DEADLINE);
  }

  private void ended(int started, String reason) {
    if (closed || started != generation || refusal.isPresent()) {
      return;
    }
    generation++;
    if (failsFast) {
      refuse(new LinkException(LinkException.UNREACHABLE, "the bridge ended: " + reason));
      return;
    }
    if (connected) {
      problem = "the bridge ended: " + reason;
      LOG.info("The bridge ended ({}); starting it again", reason);
    }
    connected = false;
    bridge = null;
    loop.schedule(delay, this::connect);
    delay = delay.multipliedBy(2).compareTo(MAX_DELAY) < 0 ? delay.multipliedBy(2) : MAX_DELAY;
  }

  private void received(int started, Frame frame) {
    if (started != generation || closed) {
      return;
    }
    JsonNode id = frame.header().path("re");
    if (id.isMissingNode()) {
      listener.event(frame);
    } else if (id.asLong(-1) == HELLO) {
      greeted(frame);
    } else {
      answered(id.asLong(-1), frame);
    }
  }

  private void greeted(Frame frame) {
    JsonNode error = frame.header().path("error");
    if (error.isMissingNode()) {
      connected = true;
      delay = FIRST_DELAY;
      pending.forEach(this::send);
      listener.connected();
      return;
    }
    LinkException failure = exception(error);
    problem = failure.getMessage() == null ? "" : failure.getMessage();
    LOG.warn("The bridge cannot connect: {}", problem);
    if (failsFast || FINAL.contains(failure.kind())) {
      refuse(failure);
    }
    if (bridge != null) {
      bridge.kill();
    }
  }

  private void refuse(LinkException failure) {
    refusal = Optional.of(failure);
    List<Pending> all = List.copyOf(pending.values());
    pending.clear();
    all.forEach(next -> next.answer.completeExceptionally(failure));
  }

  private void answered(long id, Frame frame) {
    JsonNode error = frame.header().path("error");
    Pending known = pending.get(id);
    if (known != null && isTemporary(known.request, error.path("kind").asString(""))) {
      known.waiting = false;
      problem = error.path("message").asString("");
      loop.schedule(FIRST_DELAY, () -> repeat(id));
      return;
    }
    Pending done = pending.remove(id);
    if (done == null) {
      return; // given up
    }
    if (error.isMissingNode()) {
      done.answer.complete(frame);
    } else {
      done.answer.completeExceptionally(exception(error));
    }
  }

  /** The users create agents again that have ended with the head or a node's raylet. */
  private static boolean isTemporary(Request request, String kind) {
    return kind.startsWith("agent-") || (kind.equals("no-agent") && !request.op().equals("attach"));
  }

  private void repeat(long id) {
    Pending next = pending.get(id);
    if (next != null && connected) {
      send(id, next);
    }
  }

  private static LinkException exception(JsonNode error) {
    return new LinkException(
        error.path("kind").asString(""),
        error.path("message").asString(""),
        error.path("node").asString(""));
  }

  /** Ends the bridge. Agents and workers are not affected. */
  @Override
  public void close() {
    closed = true;
    connected = false;
    if (bridge != null) {
      bridge.close();
    }
  }
}

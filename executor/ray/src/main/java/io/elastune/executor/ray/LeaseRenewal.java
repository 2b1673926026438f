package io.elastune.executor.ray;

import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.process.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * Renews the leases of all attempts, for a node without a renewal ends its workers, and monitors
 * the contact to the nodes. Used on the engine's event loop only.
 */
final class LeaseRenewal {
  private static final Duration MAX_INTERVAL = Duration.ofSeconds(5);
  private static final int RENEWALS_PER_TIME_TO_LIVE = 6;

  /** Renewals without an answer after which a node counts as unreachable. */
  private static final int UNANSWERED = 2;

  /** Receives changes of the contact to the node of a lease. */
  interface Listener {
    /** There is no contact since {@code since}. Called once until there is contact again. */
    void unreachable(String lease, Instant since);

    /** There is contact again. */
    void reachable(String lease);

    /** There was no contact for so long that the workers have ended, or the node. */
    void lost(String lease);

    /** The node answers, and the agent of the lease does not exist or not answer. */
    void withoutAgent(String lease);
  }

  private final RayEngineSettings settings;
  private final RayContext context;
  private final Supplier<Set<String>> leases;
  private final Supplier<Duration> timeToLive;
  private final Listener listener;
  private final Map<String, Instant> contacts = new HashMap<>();
  private final Set<String> unreachable = new HashSet<>();
  private final Runnable suspensionCheck;
  private volatile boolean closed;

  /**
   * Creates the renewal of an engine.
   *
   * @param leases returns the leases of all present attempts
   * @param timeToLive returns how long workers continue without a renewal
   * @param suspensionCheck calls {@link #suspended} if this process was suspended
   */
  LeaseRenewal(
      RayEngineSettings settings,
      RayContext context,
      Supplier<Set<String>> leases,
      Supplier<Duration> timeToLive,
      Runnable suspensionCheck,
      Listener listener) {
    this.settings = settings;
    this.context = context;
    this.leases = leases;
    this.timeToLive = timeToLive;
    this.listener = listener;
    this.suspensionCheck = suspensionCheck;
  }

  /** Renews now, and repeatedly from now on. */
  void start() {
    if (closed) {
      return;
    }
    context.loop().schedule(interval(), this::start);
    renew();
  }

  /** Renews nothing from now on. Usable on every thread. */
  void close() {
    closed = true;
  }

  private Duration interval() {
    Duration interval = settings.timeToLive().dividedBy(RENEWALS_PER_TIME_TO_LIVE);
    return interval.compareTo(MAX_INTERVAL) < 0 ? interval : MAX_INTERVAL;
  }

  /** Renews all leases that are in use. */
  void renew() {
    context.loop().own(EventLoop.Owner.repeated("A renewal of leases"), this::renewAll);
  }

  private void renewAll() {
    Set<String> present = leases.get();
    contacts.keySet().retainAll(present);
    unreachable.retainAll(present);
    suspensionCheck.run();
    present.forEach(lease -> contacts.computeIfAbsent(lease, x -> context.now()));
    Map.copyOf(contacts).forEach(this::check);
    if (present.isEmpty() || !context.link().isConnected()) {
      return;
    }
    Request request =
        Request.of("renew")
            .with("ttl_s", timeToLive.get().toMillis() / 1000.0)
            .with("leases", present);
    context
        .loop()
        .whenComplete(
            context.link().request(request),
            (answer, failure) -> {
              if (answer != null) { // else the silence of the nodes counts
                renewed(List.copyOf(present), answer);
              }
            });
  }

  /** This process was suspended: that is not the silence of any node. */
  void suspended(Duration by) {
    Instant now = context.now();
    contacts.replaceAll((lease, at) -> at.plus(by).isBefore(now) ? at.plus(by) : now);
  }

  private void check(String lease, Instant contact) {
    Duration silence = Duration.between(contact, context.now());
    Duration most = context.link().isConnected() ? settings.lostAfter() : settings.timeToLive();
    if (silence.compareTo(most) > 0) {
      listener.lost(lease);
    } else if (silence.compareTo(interval().multipliedBy(UNANSWERED)) > 0
        && unreachable.add(lease)) {
      listener.unreachable(lease, contact);
    }
  }

  private void renewed(List<String> asked, Frame answer) {
    JsonNode failed = answer.ok().path("failed");
    for (String lease : asked) {
      if (failed.path(lease).isMissingNode()) {
        contact(lease);
      } else {
        listener.withoutAgent(lease);
      }
    }
  }

  /** Records that the agent of a lease has sent something. */
  void contact(String lease) {
    if (contacts.computeIfPresent(lease, (x, before) -> context.now()) != null
        && unreachable.remove(lease)) {
      listener.reachable(lease);
    }
  }
}

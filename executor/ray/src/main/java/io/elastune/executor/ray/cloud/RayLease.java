package io.elastune.executor.ray.cloud;

import io.elastune.core.time.Durations;
import io.elastune.executor.ray.InstanceChecks;
import io.elastune.executor.ray.cloud.LeaseRecords.LeaseRecord;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.LeasePlacement;
import io.elastune.executor.ray.link.LinkException;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.NodePreparation;
import io.elastune.provisioner.PreparationFailure;
import io.elastune.provisioner.RefusalReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * One lease from its request to its confirmed end. The request is a pending actor; its placement by
 * Ray is the start of the lease. Used on the event loop only.
 */
final class RayLease {
  private static final Logger LOG = LoggerFactory.getLogger(RayLease.class);
  private static final Duration RETRY = Duration.ofSeconds(2);

  /** The state of a lease, as {@code list} reports it. */
  enum State {
    PENDING,
    SETUP,
    READY,
    FAILED,
    ENDING,
    ENDED
  }

  private final RayCloudContext context;
  private final LeaseRequest request;
  private final AgentRequests agent;
  private final InstanceChecks checks = new InstanceChecks();
  private final Instant requested;
  private State state = State.PENDING;
  private boolean waiting;
  private boolean adopted;
  private boolean leaving;

  /** Whether a check has begun, which ends with the answer of the agent. */
  private boolean isChecked;

  /** Whether that check has reached the GPUs of the node. */
  private boolean isAccepting;

  private Optional<LeaseRecord> stored = Optional.empty();
  private Optional<CloudEvent.Refused> refusal = Optional.empty();
  private String ip = "";
  private List<String> devices = List.of();
  private Instant heard;

  RayLease(RayCloudContext context, LeaseRequest request) {
    this.context = context;
    this.request = request;
    agent = new AgentRequests(context, request);
    requested = context.now();
    heard = requested;
  }

  String lease() {
    return request.lease();
  }

  State state() {
    return state;
  }

  /** Returns whether an agent holds the lease, which must be renewed. */
  boolean isHeld() {
    return state == State.SETUP || state == State.READY || state == State.FAILED;
  }

  /** Creates the agent, or finds the one of a repeated request. */
  void request(LeasePlacement placement) {
    if (state == State.PENDING) { // not released meanwhile
      context.connection().place(lease(), placement);
      ask(true);
    }
  }

  /** Continues the lease of an earlier controller. */
  void adopt(LeasePlacement placement) {
    if (state != State.PENDING) {
      return; // released meanwhile
    }
    adopted = true;
    context.connection().place(lease(), placement);
    stored = context.records().find(lease());
    stored.ifPresent(this::reportRunning);
    if (stored.flatMap(LeaseRecord::ended).isPresent()) {
      state = State.ENDED;
      repeatEnd();
    } else {
      ask(false);
    }
  }

  /**
   * Reports the state again. Trials may have been lost on its node, so it is ready only if its
   * agent answers; an agent that never does loses the lease by its renewals.
   */
  void check() {
    stored.ifPresent(this::reportRunning);
    if (state == State.ENDED) {
      repeatEnd();
    } else if (state == State.READY && !leaving && !waiting && !isAccepting) {
      if (isChecked || checks.tryBegin(context.now())) {
        isChecked = true;
        attach(false, (answer, failure) -> checked(answer));
      } else {
        lose(LossReason.FAILED, checks.exceeded());
      }
    }
  }

  private void checked(@Nullable Frame answer) {
    if (answer != null && AgentRequests.isReady(answer)) {
      found(answer.ok());
      if (state == State.READY) {
        isAccepting = true;
        whenDone(preparation(true, State.READY).check(), this::accepted);
      }
    }
  }

  private void accepted(Optional<PreparationFailure> refused) {
    isAccepting = false;
    if (state != State.READY) {
      return;
    }
    isChecked = false;
    if (refused.isPresent()) {
      context.avoid(ip);
      PreparationFailure failure = refused.get();
      lose(LossReason.FAILED, failure.step().label() + ": " + failure.message());
    } else {
      ready(NodePreparation.UNKNOWN);
    }
  }

  private void ask(boolean create) {
    attach(
        create,
        (answer, failure) -> {
          if (answer == null) {
            failed(failure);
          } else if (AgentRequests.isReady(answer)) {
            found(answer.ok());
          } else if (context.now().isAfter(requested.plus(context.queueLimit()))
              && stored.isEmpty()) {
            refuse(
                RefusalReason.CAPACITY,
                "no node of the Ray cluster"
                    + agent.excepted()
                    + " has had "
                    + agent.wanted()
                    + " free within "
                    + Durations.format(context.queueLimit())
                    + ". Set node_start of the cluster in clouds.yaml if an autoscaler adds nodes");
          } else {
            ask(create);
          }
        });
  }

  /** Creates the agent again on its node, where its files are. */
  private void askAgain() {
    attach(
        true,
        (answer, failure) -> {
          if (answer != null && AgentRequests.isReady(answer)) {
            found(answer.ok());
          }
        });
  }

  /** A lease that was released meanwhile ignores the answer. */
  private void attach(boolean create, BiConsumer<@Nullable Frame, @Nullable Throwable> answered) {
    waiting = true;
    agent.attach(
        create,
        (answer, failure) -> {
          waiting = false;
          if (state == State.ENDING) {
            detach();
          } else {
            answered.accept(answer, failure);
          }
        });
  }

  private void failed(@Nullable Throwable failure) {
    String kind = AgentRequests.kind(failure);
    String message = AgentRequests.message(failure);
    switch (kind) {
      case "no-agent" -> {
        if (adopted) {
          end();
        } else {
          refuse(RefusalReason.CAPACITY, message);
        }
      }
      case LinkException.UNSAFE -> {
        context.avoid(AgentRequests.node(failure));
        if (stored.isPresent()) {
          lose(LossReason.FAILED, message);
        } else {
          refuse(RefusalReason.CAPACITY, message);
        }
      }
      case "auth" -> refuseUnsent(RefusalReason.PERMISSION, message);
      case "version", "no-ray", "bad-request" -> refuseUnsent(RefusalReason.INVALID, message);
      default -> {
        if (adopted) {
          LOG.warn("Lease {} is not yet adopted: {}", lease(), message);
          context.connection().loop().schedule(RETRY, () -> retryAdoption());
        } else {
          refuse(RefusalReason.CAPACITY, message);
        }
      }
    }
  }

  private void retryAdoption() {
    if (state == State.PENDING && !waiting) {
      ask(false);
    }
  }

  private void found(JsonNode described) {
    heard = context.now();
    String instance = described.path("instance").asString("");
    ip = described.path("ip").asString("");
    List<String> given = new ArrayList<>();
    described.path("devices").forEach(device -> given.add(device.asString("")));
    devices = List.copyOf(given);
    if (stored.isPresent() && !stored.get().instance().equals(instance)) {
      lose(LossReason.FAILED, "the node of lease " + lease() + " has lost its files");
      return;
    }
    context.connection().place(lease(), context.connection().placement(lease()).at(ip));
    if (stored.isEmpty()) {
      Instant at = heard.minusMillis(described.path("age_ms").asLong(0));
      LeaseRecord first = new LeaseRecord(instance, at, Optional.empty());
      context.records().save(lease(), first);
      stored = Optional.of(first);
      reportRunning(first);
    }
    if (state == State.PENDING) {
      setUp();
    }
  }

  private void reportRunning(LeaseRecord known) {
    context.emit(new CloudEvent.Running(lease(), lease(), known.running()));
  }

  private void setUp() {
    state = State.SETUP;
    whenDone(preparation(adopted, State.SETUP).run(), this::prepared);
  }

  /** A failure of what is awaited is one of the lease. */
  private <T> void whenDone(CompletableFuture<T> future, Consumer<T> next) {
    context
        .connection()
        .loop()
        .whenComplete(
            future,
            (result, failure) -> {
              if (result == null) {
                broken(failure == null ? new IllegalStateException("no result") : failure);
              } else {
                next.accept(result);
              }
            });
  }

  /**
   * Ends the lease after an error in the work on it, whatever it was. A release is repeated until
   * the cluster confirms it.
   */
  void broken(Throwable error) {
    LOG.warn("Lease {} cannot be used: {}", lease(), error.toString());
    String message = "lease " + lease() + " could not be prepared: " + error;
    if (state == State.ENDING) {
      context.connection().loop().schedule(RETRY, this::detach);
    } else if (state != State.ENDED && stored.isPresent()) {
      lose(LossReason.FAILED, message);
    } else if (state != State.ENDED) {
      refuse(RefusalReason.CAPACITY, message);
    }
  }

  /** Runs a command for this lease: whatever fails in it ends the lease. */
  void own(Runnable command) {
    context.connection().loop().own(this::broken, command);
  }

  /** Trials of an earlier controller may run on a node that is adopted. */
  private LeasePreparation preparation(boolean inUse, State during) {
    return new LeasePreparation(context, request, devices, inUse, () -> state == during);
  }

  private void prepared(LeasePreparation.Result result) {
    if (state != State.SETUP) {
      return;
    }
    if (result instanceof LeasePreparation.Result.Refused refused) {
      state = State.FAILED;
      context.avoid(ip);
      context.emit(refused.failure().event(lease(), context.now()));
    } else if (result instanceof LeasePreparation.Result.Prepared prepared) {
      ready(prepared.preparation());
    }
  }

  private void ready(NodePreparation preparation) {
    state = State.READY;
    context.emit(new CloudEvent.Ready(lease(), node(), context.now(), preparation));
  }

  /** A worker sees only the devices that Ray has given to the agent of its lease. */
  private Node node() {
    int count = request.offer().gpus();
    if (devices.size() >= count) {
      return new Node(ip, devices.subList(0, count), devices.subList(0, count));
    }
    List<String> slots = new ArrayList<>();
    for (int slot = 0; slot < count; slot++) {
      slots.add(Integer.toString(slot));
    }
    return new Node(ip, slots, Collections.nCopies(count, ""));
  }

  /** The agent has answered a renewal. */
  void renewed() {
    heard = context.now();
  }

  /** The controller was suspended: its agent had nothing to answer. */
  void suspended(Duration by) {
    Instant later = heard.plus(by);
    heard = later.isBefore(context.now()) ? later : context.now();
  }

  /** The agent has not answered a renewal. */
  void notRenewed(String kind) {
    if (!isHeld()) {
      return;
    }
    if (context.now().isAfter(heard.plus(context.lostAfter()))) {
      LossReason reason =
          leaving
              ? LossReason.PREEMPTED
              : kind.equals("no-agent") ? LossReason.FAILED : LossReason.LOST_CONTACT;
      lose(reason, "the node " + ip + " of lease " + lease() + " does not answer");
    } else if (kind.equals("no-agent") && !waiting) {
      askAgain();
    }
  }

  /** Its node will end soon. */
  void checkDrain(List<ClusterNode> nodes) {
    boolean draining = nodes.stream().anyMatch(node -> node.ip().equals(ip) && node.draining());
    if (isHeld() && draining && !leaving) {
      leaving = true;
      String message = "the Ray cluster drains node " + ip;
      context.emit(new CloudEvent.Leaving(lease(), message, context.now()));
    }
  }

  private void lose(LossReason reason, String message) {
    context.emit(new CloudEvent.Lost(lease(), reason, message, context.now()));
    state = State.ENDING;
    detach();
  }

  private void refuse(RefusalReason reason, String message) {
    refusal = Optional.of(new CloudEvent.Refused(lease(), reason, message, context.now()));
    state = State.ENDING;
    detach();
  }

  /** No bridge has connected: nothing was requested. */
  private void refuseUnsent(RefusalReason reason, String message) {
    state = State.ENDED;
    context.forget(lease());
    context.emit(new CloudEvent.Refused(lease(), reason, message, context.now()));
  }

  /** Ends the lease in any state. */
  void release() {
    if (state == State.ENDED) {
      repeatEnd();
    } else if (state != State.ENDING) {
      state = State.ENDING;
      if (!waiting) {
        detach();
      }
    }
  }

  private void detach() {
    boolean pending = stored.isEmpty();
    agent.detach(
        pending || isNodeGone(),
        failure -> {
          if (failure == null) {
            end();
          } else {
            LOG.warn("Lease {} is not yet released: {}", lease(), AgentRequests.message(failure));
            context.connection().loop().schedule(RETRY, this::detach);
          }
        });
  }

  /**
   * Returns whether its workers have ended: its node has, or no controller has renewed the lease.
   */
  private boolean isNodeGone() {
    boolean expired = context.now().isAfter(heard.plus(request.deadMan()).plus(RETRY));
    return expired || context.isDead(ip);
  }

  private void end() {
    if (state == State.ENDED) {
      return;
    }
    state = State.ENDED;
    if (refusal.isPresent()) {
      context.forget(lease());
      context.emit(refusal.get());
      return;
    }
    Instant at = context.now();
    stored =
        stored.map(known -> new LeaseRecord(known.instance(), known.running(), Optional.of(at)));
    stored.ifPresent(known -> context.records().save(lease(), known));
    reportTerminated(at);
  }

  private void repeatEnd() {
    reportTerminated(stored.flatMap(LeaseRecord::ended).orElseGet(context::now));
  }

  private void reportTerminated(Instant at) {
    context.emit(new CloudEvent.Terminated(lease(), stored.map(LeaseRecord::running), at));
  }
}

package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Terminates instances. Only what the cloud lists afterwards proves that they have ended: as long
 * as it lists them, their termination is requested again. Used in the event loop only.
 */
final class Terminator {
  private static final Logger LOG = LoggerFactory.getLogger(Terminator.class);

  private final LeaseContext context;
  private final PendingOperations pendingOperations;

  /** Receives the id of each instance whose termination the cloud has answered, and its end. */
  private final BiConsumer<String, Optional<Instant>> answered;

  private final Map<String, Termination> terminations = new LinkedHashMap<>();

  private static final class Termination {
    private final String id;
    private final String uid;
    private State state = State.QUEUED;

    /** Counts the requests that the cloud has answered, to which it would repeat its response. */
    private int attempt;

    private Instant due = Instant.EPOCH;

    /** Whether a call for several instances failed, so that each is terminated alone. */
    private boolean alone;

    Termination(String id, String uid) {
      this.id = id;
      this.uid = uid;
    }
  }

  private enum State {
    QUEUED,
    PENDING,
    ANSWERED
  }

  Terminator(
      LeaseContext context,
      PendingOperations pendingOperations,
      BiConsumer<String, Optional<Instant>> answered) {
    this.context = context;
    this.pendingOperations = pendingOperations;
    this.answered = answered;
  }

  /**
   * Queues the termination of an instance, unless it is in progress or was requested a moment ago.
   *
   * @param uid distinguishes it from an earlier instance with the same id
   */
  void terminate(String id, String uid) {
    Termination some = terminations.get(id);
    if (some == null || !some.uid.equals(uid)) {
      terminations.put(id, new Termination(id, uid));
    } else if (some.state == State.ANSWERED && !context.now().isBefore(some.due)) {
      some.state = State.QUEUED;
    }
  }

  /** Forgets an instance that is being terminated or has ended. */
  void forget(String id) {
    terminations.remove(id);
  }

  /** Sends the terminations that are due, within the rate limit. */
  void flush() {
    if (isCollecting()) {
      return;
    }
    Instant now = context.now();
    List<Termination> due =
        terminations.values().stream()
            .filter(some -> some.state == State.QUEUED && !now.isBefore(some.due))
            .toList();
    for (List<Termination> batch : batches(due)) {
      if (!context.limits().changes().tryAcquire(now)) {
        return;
      }
      send(batch);
    }
  }

  /** Returns whether to collect terminations for one call while another call is in progress. */
  private boolean isCollecting() {
    return context.api().batchSize() > 1
        && terminations.values().stream().anyMatch(some -> some.state == State.PENDING);
  }

  private List<List<Termination>> batches(List<Termination> due) {
    List<List<Termination>> batches = new ArrayList<>();
    List<Termination> together = new ArrayList<>();
    for (Termination some : due) {
      if (some.alone) {
        batches.add(List.of(some));
      } else {
        together.add(some);
      }
    }
    batches.addAll(Batches.of(together, context.api().batchSize()));
    return batches;
  }

  private void send(List<Termination> batch) {
    batch.forEach(some -> some.state = State.PENDING);
    List<String> ids = batch.stream().map(some -> some.id).toList();
    String token = batch.get(0).uid + "/" + batch.get(0).attempt;
    context
        .asyncCaller()
        .call(
            () -> context.api().terminate(ids, token),
            begun ->
                begun.ifPresentOrElse(
                    operation -> pendingOperations.add(operation, over -> ended(batch, over)),
                    () -> answered(batch, Optional.empty())),
            failure -> failed(batch, failure));
  }

  private void ended(List<Termination> batch, RemoteOperation operation) {
    if (operation.hasSucceeded()) {
      answered(batch, operation.ended());
    } else {
      batch.forEach(some -> some.attempt++);
      warn(batch, operation.failure());
      retry(batch);
    }
  }

  private void failed(List<Termination> batch, CloudFailure failure) {
    if (failure instanceof CloudFailure.Throttled) {
      context.limits().changes().pause(context.now(), context.pace().throttlePause());
    } else if (failure instanceof CloudFailure.Invalid && batch.size() == 1) {
      answered(batch, Optional.empty()); // it does not exist, or cannot be terminated yet
      return;
    } else {
      warn(batch, Optional.of(failure));
    }
    if (failure instanceof CloudFailure.Invalid) {
      batch.forEach(some -> some.alone = true); // one unknown id makes the whole call fail
      batch.forEach(some -> some.state = State.QUEUED);
    } else {
      retry(batch);
    }
  }

  private static void warn(List<Termination> batch, Optional<CloudFailure> failure) {
    LOG.warn(
        "Termination of {} is not confirmed: {}",
        batch.stream().map(some -> some.id).toList(),
        failure.map(CloudFailure::message).orElse(""));
  }

  private void answered(List<Termination> batch, Optional<Instant> at) {
    for (Termination some : batch) {
      some.state = State.ANSWERED;
      some.attempt++;
      some.due = context.now().plus(context.pace().retryInterval());
      answered.accept(some.id, at);
    }
  }

  private void retry(List<Termination> batch) {
    for (Termination some : batch) {
      some.state = State.QUEUED;
      some.due = context.now().plus(context.pace().retryInterval());
    }
  }
}

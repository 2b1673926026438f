package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.model.Operation;
import io.elastune.provisioner.gcp.model.ResourceNames;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes instances until Google confirms it: the operation must succeed, and a lookup by name must
 * then find no instance.
 */
final class Terminator {
  private static final Logger LOG = LoggerFactory.getLogger(Terminator.class);

  private final ProjectContext context;
  private final PendingOperations pendingOperations;
  private final DeletionListener deletionListener;
  private final Map<String, Deletion> deletions = new LinkedHashMap<>();

  /** Receives confirmed deletions. */
  interface DeletionListener {
    /**
     * Reports that an instance no longer exists.
     *
     * @param at when it ended, if known
     */
    void onDeleted(String zone, String name, Optional<Instant> at);
  }

  private static final class Deletion {
    private final String zone;
    private final String name;
    private final String what;
    private int attempt;
    private boolean underWay;
    private Instant due = Instant.EPOCH;

    Deletion(String zone, String name, String what) {
      this.zone = zone;
      this.name = name;
      this.what = what;
    }
  }

  Terminator(
      ProjectContext context,
      PendingOperations pendingOperations,
      DeletionListener deletionListener) {
    this.context = context;
    this.pendingOperations = pendingOperations;
    this.deletionListener = deletionListener;
  }

  /**
   * Starts to delete an instance, unless a deletion is in progress.
   *
   * @param what distinguishes it from earlier instances with the same name
   */
  void delete(String zone, String name, String what) {
    deletions.computeIfAbsent(zone + "/" + name, path -> new Deletion(zone, name, what));
  }

  /** Sends the deletions that are due, within the rate limit. */
  void flush() {
    Instant now = context.now();
    List<Deletion> due =
        deletions.values().stream()
            .filter(some -> !some.underWay && !now.isBefore(some.due))
            .takeWhile(some -> context.changes().tryAcquire(now))
            .toList();
    due.forEach(this::send);
  }

  private void send(Deletion some) {
    some.underWay = true;
    String id =
        ResourceNames.requestId(
            "delete", some.zone, some.name, some.what, Integer.toString(some.attempt));
    context
        .asyncCaller()
        .call(
            () -> context.compute().delete(some.zone, some.name, id),
            begun -> pendingOperations.add(begun, over -> ended(some, over)),
            failure -> failed(some, failure));
  }

  private void ended(Deletion some, Operation operation) {
    if (operation.hasSucceeded()) {
      confirm(some, operation.ended());
    } else {
      LOG.warn("Deleting {} failed: {}", some.name, operation.failure().orElseThrow().message());
      some.attempt++; // Google would repeat its response to the same ID
      retryAfter(some, context.pace().deleteRetryInterval());
    }
  }

  private void failed(Deletion some, CloudFailure failure) {
    if (failure instanceof CloudFailure.Invalid) { // it does not exist, or cannot be deleted yet
      confirm(some, Optional.empty());
      return;
    }
    if (failure instanceof CloudFailure.Throttled) {
      context.changes().pause(context.now(), context.pace().throttlePause());
    } else {
      LOG.warn("Deletion of {} is not confirmed: {}", some.name, failure.message());
    }
    retryAfter(some, context.pace().deleteRetryInterval());
  }

  private void confirm(Deletion some, Optional<Instant> at) {
    context
        .asyncCaller()
        .call(
            () -> context.compute().find(some.zone, some.name),
            found -> {
              if (found.isPresent()) {
                some.attempt++;
                retryAfter(some, context.pace().deleteRetryInterval());
              } else {
                deletions.remove(some.zone + "/" + some.name);
                deletionListener.onDeleted(some.zone, some.name, at);
              }
            },
            failure -> retryAfter(some, context.pace().deleteRetryInterval()));
  }

  private void retryAfter(Deletion some, Duration time) {
    some.underWay = false;
    some.due = context.now().plus(time);
  }
}

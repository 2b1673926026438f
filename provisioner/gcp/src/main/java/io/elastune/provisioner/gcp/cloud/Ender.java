package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.account.Names;
import io.elastune.provisioner.gcp.account.Operation;
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
final class Ender {
  private static final Logger LOG = LoggerFactory.getLogger(Ender.class);

  private final ProjectContext context;
  private final Awaited awaited;
  private final Gone gone;
  private final Map<String, Deletion> deletions = new LinkedHashMap<>();

  /** Receives confirmed deletions. */
  interface Gone {
    /**
     * Reports that an instance no longer exists.
     *
     * @param at when it ended, if known
     */
    void gone(String zone, String name, Optional<Instant> at);
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

  Ender(ProjectContext context, Awaited awaited, Gone gone) {
    this.context = context;
    this.awaited = awaited;
    this.gone = gone;
  }

  /**
   * Starts to delete an instance, unless a deletion is in progress.
   *
   * @param what distinguishes it from earlier instances with the same name
   */
  void end(String zone, String name, String what) {
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
        Names.requestId("delete", some.zone, some.name, some.what, Integer.toString(some.attempt));
    context
        .asker()
        .call(
            () -> context.compute().delete(some.zone, some.name, id),
            begun -> awaited.add(begun, over -> ended(some, over)),
            failure -> failed(some, failure));
  }

  private void ended(Deletion some, Operation operation) {
    if (operation.hasSucceeded()) {
      confirm(some, operation.ended());
    } else {
      LOG.warn("Deleting {} failed: {}", some.name, operation.failure().orElseThrow().message());
      some.attempt++; // Google would repeat its response to the same ID
      retryAfter(some, context.pace().again());
    }
  }

  private void failed(Deletion some, CloudFailure failure) {
    if (failure instanceof CloudFailure.Invalid) { // it does not exist, or cannot be deleted yet
      confirm(some, Optional.empty());
      return;
    }
    if (failure instanceof CloudFailure.Throttled) {
      context.changes().pause(context.now(), context.pace().backOff());
    } else {
      LOG.warn("Deletion of {} is not confirmed: {}", some.name, failure.message());
    }
    retryAfter(some, context.pace().again());
  }

  private void confirm(Deletion some, Optional<Instant> at) {
    context
        .asker()
        .call(
            () -> context.compute().find(some.zone, some.name),
            found -> {
              if (found.isPresent()) {
                some.attempt++;
                retryAfter(some, context.pace().again());
              } else {
                deletions.remove(some.zone + "/" + some.name);
                gone.gone(some.zone, some.name, at);
              }
            },
            failure -> retryAfter(some, context.pace().again()));
  }

  private void retryAfter(Deletion some, Duration time) {
    some.underWay = false;
    some.due = context.now().plus(time);
  }
}

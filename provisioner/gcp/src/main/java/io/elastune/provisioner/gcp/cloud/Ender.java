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
 * Deletes instances until Google says that they are no more: the operation has to end well, and
 * whoever then asks for the instance has to be told that there is none.
 */
final class Ender {
  private static final Logger LOG = LoggerFactory.getLogger(Ender.class);

  private final ProjectContext context;
  private final Awaited awaited;
  private final Gone gone;
  private final Map<String, Deletion> deletions = new LinkedHashMap<>();

  /** Is told that an instance is no more. */
  interface Gone {
    /**
     * Tells.
     *
     * @param at when it ended, where that is known
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
   * Deletes that instance, unless that is under way.
   *
   * @param what tells it from others that had its name before
   */
  void end(String zone, String name, String what) {
    deletions.computeIfAbsent(zone + "/" + name, path -> new Deletion(zone, name, what));
  }

  /** Sends what is due, as far as Google's limits allow. */
  void flush() {
    Instant now = context.now();
    List<Deletion> due =
        deletions.values().stream()
            .filter(some -> !some.underWay && !now.isBefore(some.due))
            .takeWhile(some -> context.changes().take(now))
            .toList();
    due.forEach(this::send);
  }

  private void send(Deletion some) {
    some.underWay = true;
    String id =
        Names.requestId("delete", some.zone, some.name, some.what, Integer.toString(some.attempt));
    context
        .asker()
        .ask(
            () -> context.compute().delete(some.zone, some.name, id),
            begun -> awaited.add(begun, over -> over(some, over)),
            failure -> failed(some, failure));
  }

  private void over(Deletion some, Operation operation) {
    if (operation.hasSucceeded()) {
      confirm(some, operation.ended());
    } else {
      LOG.warn("deleting {} failed: {}", some.name, operation.failure().orElseThrow().message());
      some.attempt++; // with the same id Google would give the same answer
      later(some, context.pace().again());
    }
  }

  private void failed(Deletion some, CloudFailure failure) {
    if (failure instanceof CloudFailure.Invalid) { // there is none, or it is not ready for that
      confirm(some, Optional.empty());
      return;
    }
    if (failure instanceof CloudFailure.Throttled) {
      context.changes().close(context.now(), context.pace().backOff());
    } else {
      LOG.warn("deleting {} is not confirmed: {}", some.name, failure.message());
    }
    later(some, context.pace().again());
  }

  private void confirm(Deletion some, Optional<Instant> at) {
    context
        .asker()
        .ask(
            () -> context.compute().find(some.zone, some.name),
            found -> {
              if (found.isPresent()) {
                some.attempt++;
                later(some, context.pace().again());
              } else {
                deletions.remove(some.zone + "/" + some.name);
                gone.gone(some.zone, some.name, at);
              }
            },
            failure -> later(some, context.pace().again()));
  }

  private void later(Deletion some, Duration time) {
    some.underWay = false;
    some.due = context.now().plus(time);
  }
}

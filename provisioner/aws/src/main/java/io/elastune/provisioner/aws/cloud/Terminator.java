package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Terminates instances in batches, and repeats the call until EC2 shows that they terminate. */
final class Terminator {
  private static final Logger LOG = LoggerFactory.getLogger(Terminator.class);

  private final RegionContext context;

  /** The time of the last request by instance id, until EC2 shows that the instance terminates. */
  private final Map<String, Instant> requested = new HashMap<>();

  private final List<String> waiting = new ArrayList<>();
  private boolean callPending;

  Terminator(RegionContext context) {
    this.context = context;
  }

  /** Queues the termination of an instance unless it was requested a moment ago. */
  void terminate(String id) {
    Instant last = requested.getOrDefault(id, Instant.EPOCH);
    boolean due =
        Duration.between(last, context.now()).compareTo(context.pace().retryInterval()) >= 0;
    if (due && !waiting.contains(id)) {
      waiting.add(id);
    }
  }

  /** Handles an instance that is terminated or shutting down. */
  void onTerminating(String id) {
    requested.remove(id);
    waiting.remove(id);
  }

  /** Sends the queued terminations. */
  void flush() {
    if (waiting.isEmpty() || callPending) {
      return;
    }
    List<String> ids = List.copyOf(waiting);
    waiting.clear();
    ids.forEach(id -> requested.put(id, context.now()));
    callPending = true;
    send(ids);
  }

  private void send(Collection<String> ids) {
    context
        .asyncCaller()
        .call(
            () -> {
              context.ec2().terminate(ids);
              return ids;
            },
            sent -> done(),
            failure -> failed(ids, failure));
  }

  /** Handles a failed call. An unknown id makes the whole call fail: then each id is sent alone. */
  private void failed(Collection<String> ids, CloudFailure failure) {
    LOG.warn("Termination of {} is not confirmed: {}", ids, failure.message());
    done();
    if (failure instanceof CloudFailure.Invalid && ids.size() > 1) {
      ids.forEach(id -> send(List.of(id)));
    }
  }

  private void done() {
    callPending = false;
    flush();
  }
}

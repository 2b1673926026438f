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

/** Ends instances, many with one call, and asks again until they are seen to end. */
final class Ender {
  private static final Logger LOG = LoggerFactory.getLogger(Ender.class);

  private final RegionContext context;

  /** By id: when it was asked for last; kept until it is seen to end. */
  private final Map<String, Instant> asked = new HashMap<>();

  private final List<String> waiting = new ArrayList<>();
  private boolean underWay;

  Ender(RegionContext context) {
    this.context = context;
  }

  /** Ends that instance, unless that was asked for a moment ago. */
  void end(String id) {
    Instant last = asked.getOrDefault(id, Instant.EPOCH);
    boolean due = Duration.between(last, context.now()).compareTo(context.pace().again()) >= 0;
    if (due && !waiting.contains(id)) {
      waiting.add(id);
    }
  }

  /** It has ended, or is ending. */
  void ended(String id) {
    asked.remove(id);
    waiting.remove(id);
  }

  /** Sends what has gathered. */
  void flush() {
    if (waiting.isEmpty() || underWay) {
      return;
    }
    List<String> ids = List.copyOf(waiting);
    waiting.clear();
    ids.forEach(id -> asked.put(id, context.now()));
    underWay = true;
    send(ids);
  }

  private void send(Collection<String> ids) {
    context
        .asker()
        .ask(
            () -> {
              context.ec2().terminate(ids);
              return ids;
            },
            sent -> done(),
            failure -> failed(ids, failure));
  }

  /** One id that EC2 does not know spoils the whole call: then each gets a call of its own. */
  private void failed(Collection<String> ids, CloudFailure failure) {
    LOG.warn("ending {} is not confirmed: {}", ids, failure.message());
    done();
    if (failure instanceof CloudFailure.Invalid && ids.size() > 1) {
      ids.forEach(id -> send(List.of(id)));
    }
  }

  private void done() {
    underWay = false;
    flush();
  }
}

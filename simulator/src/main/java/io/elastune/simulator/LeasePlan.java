package io.elastune.simulator;

import java.util.ArrayList;
import java.util.List;

/**
 * The leases of one chain in order of request: which group asks for which is known before sampling,
 * only when they come, and how long they stay, is not.
 */
final class LeasePlan {
  private final List<Rates> rates = new ArrayList<>();
  private final List<Integer> requesters = new ArrayList<>();
  private final List<DrawTable> queues = new ArrayList<>();
  private final List<DrawTable> boots = new ArrayList<>();
  private final List<DrawTable> slownesses = new ArrayList<>();

  void add(Rates rate, int requester, DrawTable queue, DrawTable boot, DrawTable slowness) {
    rates.add(rate);
    requesters.add(requester);
    queues.add(queue);
    boots.add(boot);
    slownesses.add(slowness);
  }

  int size() {
    return rates.size();
  }

  Rates[] rates() {
    return rates.toArray(Rates[]::new);
  }

  int[] requesters() {
    return requesters.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Fresh readers of the queueing delays. */
  DrawReader[] queues() {
    return queues.stream().map(DrawReader::new).toArray(DrawReader[]::new);
  }

  /** Fresh readers of the boot times. */
  DrawReader[] boots() {
    return boots.stream().map(DrawReader::new).toArray(DrawReader[]::new);
  }

  /** Fresh readers of the instances' factors. */
  DrawReader[] slownesses() {
    return slownesses.stream().map(DrawReader::new).toArray(DrawReader[]::new);
  }
}

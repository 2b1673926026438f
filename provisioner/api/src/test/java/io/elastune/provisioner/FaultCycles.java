package io.elastune.provisioner;

import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Terminated;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Leases that come and go, many at once, while the cloud's calls fail now and then. */
public final class FaultCycles {
  private static final int AT_ONCE = 100;
  private static final double PROBABILITY = 0.25;

  private final long seed;
  private final Random chance;

  /** The same seed gives the same draws; in which order calls come is up to threads. */
  public FaultCycles(long seed) {
    this.seed = seed;
    chance = new Random(seed);
  }

  /**
   * What goes wrong with which call. A fault often comes twice in a row: the repetition fails, too.
   *
   * @param none stands for no fault
   * @param all of which one is drawn
   * @param fitting by the name of a call and the fault drawn: one that such a call can have
   */
  public <F> Function<String, F> faults(F none, List<F> all, BiFunction<String, F, F> fitting) {
    List<F> last = new ArrayList<>(List.of(none));
    return call -> {
      synchronized (chance) {
        boolean again = !last.get(0).equals(none) && chance.nextInt(3) == 0;
        if (!again) {
          boolean fails = chance.nextDouble() <= PROBABILITY;
          last.set(0, fails ? fitting.apply(call, all.get(chance.nextInt(all.size()))) : none);
        }
        return last.get(0);
      }
    };
  }

  /**
   * Rents and gives back; some leases are released when they are ready, some at any time before.
   *
   * @param cycles how many leases in all
   * @param request by the lease's number
   */
  public void run(
      int cycles, Cloud cloud, RecordedEvents events, Function<Integer, LeaseRequest> request) {
    for (int done = 0; done < cycles; done += AT_ONCE) {
      hundred(done, cloud, events, request);
    }
  }

  private void hundred(
      int first, Cloud cloud, RecordedEvents events, Function<Integer, LeaseRequest> request) {
    List<String> leases = new ArrayList<>();
    for (int i = first; i < first + AT_ONCE; i++) {
      LeaseRequest some = request.apply(i);
      leases.add(some.lease());
      cloud.request(some);
      if (releasedAtOnce()) {
        cloud.release(some.lease());
      }
    }
    Waiting.until(
        () -> leases.stream().allMatch(lease -> isSettled(events, lease)), "seed " + seed);
    leases.forEach(cloud::release);
    Waiting.until(
        () -> leases.stream().allMatch(lease -> events.has(Terminated.class, lease)),
        "seed " + seed);
  }

  private boolean releasedAtOnce() {
    synchronized (chance) {
      return chance.nextInt(4) == 0;
    }
  }

  private static boolean isSettled(RecordedEvents events, String lease) {
    return events.has(Ready.class, lease)
        || events.has(Terminated.class, lease)
        || events.has(Refused.class, lease);
  }
}

package io.elastune.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudEvent.LaunchFailed;
import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.PreparationFailed;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Terminated;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** Rents and releases many leases at once while calls of the cloud fail at random. */
public final class FaultInjectionCycles {
  private static final int AT_ONCE = 100;
  private static final double PROBABILITY = 0.25;

  private final long seed;
  private final Random chance;

  /** Creates the test; the seed fixes the random numbers, but threads vary the order of calls. */
  public FaultInjectionCycles(long seed) {
    this.seed = seed;
    chance = new Random(seed);
  }

  /**
   * Returns the random fault of each call. A fault often occurs twice in a row, so that the retry
   * fails too.
   *
   * @param none the value for no fault
   * @param all the faults to draw from
   * @param fitting maps the name of a call and a drawn fault to a fault that this call can have
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
   * Rents and releases leases; some are released when ready, some at any time before.
   *
   * @param cycles the total number of leases
   * @param request the request by number of the lease
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
    TestWait.until(
        () -> leases.stream().allMatch(lease -> isSettled(events, lease)), "seed " + seed);
    leases.forEach(cloud::release);
    TestWait.until(
        () -> leases.stream().allMatch(lease -> hasEnded(events, lease)), "seed " + seed);
  }

  private static boolean hasEnded(RecordedEvents events, String lease) {
    return events.has(Terminated.class, lease) || events.has(Refused.class, lease);
  }

  /**
   * Keeps a lease without faults until no other instance is left. An instance of a failed launch
   * may appear after the last lease of the cycles has ended, and a cloud without leases lists none.
   *
   * @param running returns the leases of all instances, also of those that have not appeared
   */
  public void awaitLateInstances(
      Cloud cloud, RecordedEvents events, LeaseRequest last, Supplier<List<String>> running) {
    cloud.request(last);
    TestWait.until(
        () -> events.has(Ready.class, last.lease()) && running.get().equals(List.of(last.lease())),
        new Object() {
          @Override
          public String toString() {
            return "late instances, seed %d, last lease %s, running %s"
                .formatted(seed, events.all(CloudEvent.class, last.lease()), running.get());
          }
        });
    cloud.release(last.lease());
    TestWait.until(() -> running.get().isEmpty(), "the last lease, seed " + seed);
  }

  /**
   * Checks that the nodes of a run have failed in every way: by each kind of step, and by launches
   * that failed for unknown reasons, after which another zone was tried.
   */
  public void requireAllKinds(RecordedEvents events) {
    Set<PreparationStep> steps = EnumSet.noneOf(PreparationStep.class);
    events.leases().stream()
        .flatMap(lease -> events.all(PreparationFailed.class, lease).stream())
        .forEach(failed -> steps.add(failed.step()));
    assertThat(steps)
        .as("seed %d", seed)
        .contains(PreparationStep.JOIN, PreparationStep.ACCEPTANCE, PreparationStep.IMAGE);
    assertThat(events.leases())
        .as("seed %d", seed)
        .anyMatch(lease -> events.has(LaunchFailed.class, lease));
  }

  /**
   * Returns the exit code that a node reports: often that of a failed step, of any kind, and 0 if
   * it is ready.
   *
   * @param node what identifies the node
   */
  public static int reportedExit(String node) {
    int[] exits = {0, 0, 0, 0, 1, PreparationStep.ACCEPTANCE.exit(), PreparationStep.IMAGE.exit()};
    return exits[Math.floorMod(node.hashCode(), exits.length)];
  }

  private boolean releasedAtOnce() {
    synchronized (chance) {
      return chance.nextInt(4) == 0;
    }
  }

  private static boolean isSettled(RecordedEvents events, String lease) {
    return events.has(Ready.class, lease)
        || events.has(PreparationFailed.class, lease)
        || events.has(Lost.class, lease)
        || events.has(Terminated.class, lease)
        || events.has(Refused.class, lease);
  }
}

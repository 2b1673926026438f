package io.elastune.executor.core;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Durations;
import io.elastune.core.time.Seconds;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Goes on with a run whose controller is gone. Nothing that the journal says of instances and
 * attempts is believed before cloud and engine have been asked: first the cloud of every lease that
 * is not known to have ended, then, once it has answered for all instances under an attempt, the
 * engine of the attempt. Neither rents nor starts anything for it; what is missing then is
 * requested anew, with a token of its own.
 */
final class Restart {
  private Restart() {}

  static void resume(Draft draft, RunEvent.Resumed event) {
    draft.phase(RunState.Phase.RUNNING);
    draft.ending(draft.ending().resumed());
    draft.steering(draft.steering().resumed());
    notePrices(draft);
    int asked = askOfLeases(draft);
    draft.attempts().forEach(a -> draft.put(a.ending(AttemptState.Ending.INHERITED, draft.now)));
    draft.command(new Command.ListInstances());
    note(draft, event, asked);
    Watch.tick(draft);
    if (draft.running() && nothingStarted(draft)) {
      Scheduler.begin(draft);
    }
    for (int chain = 0; chain < draft.chainCount() && draft.running(); chain++) {
      Scheduler.goOn(draft, chain);
      requestWhatIsNeeded(draft, chain);
    }
  }

  /** The definition has the prices of now: others than instances were rented at ask for a plan. */
  private static void notePrices(Draft draft) {
    Set<String> moved = new TreeSet<>();
    for (LeaseState lease : draft.leases()) {
      if (lease.usdPerHour() == draft.definition.offer(lease.offer()).usdPerHour()) {
        moved.remove(lease.offer());
      } else {
        moved.add(lease.offer());
      }
    }
    moved.stream().findFirst().ifPresent(o -> draft.doubt("the price of " + o + " has changed"));
  }

  private static int askOfLeases(Draft draft) {
    int asked = 0;
    for (LeaseState lease : draft.leases()) {
      if (lease.phase() == LeaseState.Phase.GONE) {
        continue;
      }
      asked++;
      draft.command(new Command.AdoptInstance(lease.lease(), lease.offer()));
      if (lease.held()) {
        draft.put(lease.inherited());
      } else {
        draft.command(new Command.ReleaseInstance(lease.lease()));
      }
    }
    return asked;
  }

  private static boolean nothingStarted(Draft draft) {
    for (int chain = 0; chain < draft.chainCount(); chain++) {
      if (!draft.chain(chain).started().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private static void note(Draft draft, RunEvent.Resumed event, int asked) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    double away = Seconds.between(draft.before, draft.now);
    numbers.put("away_s", Math.max(0, away));
    numbers.put("unconfirmed_commands", (double) event.unconfirmed());
    numbers.put("instances_asked", (double) asked);
    numbers.put("attempts_asked", (double) draft.attempts().size());
    draft.note(
        "resume",
        "goes on after "
            + Durations.format(Math.max(0, away))
            + " without a controller"
            + (asked == 0 ? "" : "; the cloud is asked of " + instances(asked))
            + "; trials go on from their last checkpoints",
        numbers);
    lateness(draft);
  }

  private static String instances(int count) {
    return count
        + (count == 1 ? " instance that is" : " instances that are")
        + " not known to have ended";
  }

  /** The time in which nobody had the run counts towards its deadline. */
  private static void lateness(Draft draft) {
    if (draft.definition.deadlineS().isEmpty()) {
      return;
    }
    double deadline = draft.definition.deadlineS().getAsDouble();
    double elapsed = Seconds.between(draft.began(), draft.now);
    double left = Ledger.of(draft.definition, draft.peek()).remainingSeconds();
    double late = elapsed + left - deadline;
    if (late <= 0 || draft.steering().atRisk()) {
      return;
    }
    draft.steering(draft.steering().withRisk(true));
    draft.note(
        "at_risk",
        elapsed > deadline
            ? "the deadline has passed: time in which nobody had the run counts towards it"
            : "what is left takes longer than the deadline allows",
        Map.of("elapsed_s", elapsed, "remaining_s", left, "deadline_s", deadline, "late_s", late));
  }

  /** Requests what the trials of the group under way still need, up to what the plan gives it. */
  private static void requestWhatIsNeeded(Draft draft, int chain) {
    Optional<TrialGroup> group = draft.group(chain);
    boolean moves = draft.steering().moving().contains(chain);
    if (!draft.running() || group.isEmpty() || moves) {
      return;
    }
    Allocation allocation = draft.allocation(group.get());
    int held = draft.held(chain, allocation.offer()).size();
    int missing = needed(draft, chain, allocation) - held;
    ClusterManager.request(draft, chain, group.get(), allocation.offer(), missing);
  }

  private static int needed(Draft draft, int chain, Allocation allocation) {
    int trials = draft.chain(chain).waiting().size() + draft.attemptsOf(chain).size();
    int instances = PlacementController.instancesFor(draft, allocation, trials);
    return Math.min(allocation.instances(), instances);
  }

  /** The cloud says that an instance that nobody has released is no more, or never was. */
  static void ended(Draft draft, LeaseState lease) {
    String what =
        lease.runningAt().isPresent()
            ? " has ended, though nobody has released it"
            : " was never rented";
    draft.note("gone", lease.lease() + what, Map.of());
    requestWhatIsNeeded(draft, lease.chain());
  }

  /** Asks the engine of attempts as soon as the cloud has answered for their instances. */
  static void settle(Draft draft) {
    for (AttemptState attempt : draft.attempts()) {
      if (attempt.ending() == AttemptState.Ending.INHERITED && isSettled(draft, attempt)) {
        draft.command(new Command.AdoptAttempt(attempt.start(), attempt.lastUnit()));
        if (hasAll(draft, attempt)) {
          draft.put(attempt.adopted(draft.now));
        } else {
          draft.put(attempt.ending(AttemptState.Ending.LOST, draft.now));
          draft.command(new Command.KillAttempt(attempt.attempt()));
        }
      }
    }
  }

  private static boolean isSettled(Draft draft, AttemptState attempt) {
    return draft.leases().stream()
        .filter(lease -> attempt.uses(lease.lease()))
        .noneMatch(LeaseState::isInherited);
  }

  private static boolean hasAll(Draft draft, AttemptState attempt) {
    return draft.leases().stream()
        .filter(lease -> attempt.uses(lease.lease()))
        .allMatch(lease -> lease.isReady() || lease.isLeaving());
  }
}

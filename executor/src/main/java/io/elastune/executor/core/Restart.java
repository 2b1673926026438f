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
 * Recovers a run whose controller has stopped. The state of instances and attempts in the journal
 * may be outdated. So the cloud is queried for every lease that is not confirmed as terminated, and
 * then the engine for each attempt whose instances are all confirmed. These queries launch and
 * start nothing. Missing instances are requested again under new leases.
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

  /**
   * Requests a new plan if present prices differ from those of the leases. The definition has the
   * present prices.
   */
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
        DecisionKind.RESUME,
        "resumed after "
            + Durations.format(Math.max(0, away))
            + " without a controller"
            + (asked == 0 ? "" : "; querying the cloud for " + instances(asked))
            + "; trials continue from their last checkpoints",
        numbers);
    lateness(draft);
  }

  private static String instances(int count) {
    return count + (count == 1 ? " instance" : " instances") + " not confirmed as terminated";
  }

  /** Reports if the deadline is at risk: time without a controller counts toward it. */
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
        DecisionKind.AT_RISK,
        elapsed > deadline
            ? "the deadline has passed; time without a controller counts toward it"
            : "the remaining work takes longer than the deadline allows",
        Map.of("elapsed_s", elapsed, "remaining_s", left, "deadline_s", deadline, "late_s", late));
  }

  /**
   * Requests the instances that the remaining trials of the group in progress need, up to the
   * plan's number.
   */
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

  /**
   * Handles an instance that the cloud reports as terminated, or as never launched, although it was
   * not released.
   */
  static void ended(Draft draft, LeaseState lease) {
    String what =
        lease.runningAt().isPresent()
            ? " terminated without being released"
            : " was never launched";
    draft.note(DecisionKind.GONE, lease.lease() + what, Map.of());
    requestWhatIsNeeded(draft, lease.chain());
  }

  /** Queries the engine for attempts as soon as the cloud has answered for their instances. */
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

package io.elastune.executor.decision;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.CapacityWait;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.OfferAvailability;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Handles a run that cannot continue because the cloud has no capacity. It stops, or it repeats its
 * requests at growing intervals until {@code resources.wait_for_capacity} has passed. A waiting
 * chain holds no instance, so that waiting costs nothing.
 */
final class CapacityRetry {
  private final Transition transition;
  private final double waitS;

  private CapacityRetry(Transition transition) {
    this.transition = transition;
    this.waitS = transition.definition.waitForCapacityS().orElse(0);
  }

  /**
   * Stops the run, or lets its chains without instances wait.
   *
   * @param temporary whether the cloud reported a lack of capacity, which may end by itself
   * @param refused the offer and the cloud's message of each refusal; may be empty
   */
  static void handleRefusals(Transition transition, boolean temporary, List<String> refused) {
    CapacityRetry retry = new CapacityRetry(transition);
    boolean isWaiting = !transition.steering().market().waits().isEmpty();
    if ((!temporary && !isWaiting) || !retry.wait(refused)) {
      transition.stop(
          RunOutcome.NO_CAPACITY,
          refused.isEmpty()
              ? DecisionReason.of(ReasonCode.NO_OFFER_LEFT)
              : new DecisionReason(ReasonCode.OFFERS_UNAVAILABLE, refused),
          false);
    }
  }

  /** Lets every stranded chain wait; false if the time to wait of one of them is over. */
  private boolean wait(List<String> refused) {
    List<Integer> chains = new ArrayList<>();
    for (int chain = 0; chain < transition.chainCount(); chain++) {
      int pool = transition.pool(chain);
      if (ClusterManager.isStranded(transition, chain) && !chains.contains(pool)) {
        chains.add(pool);
      }
    }
    if (chains.stream().anyMatch(chain -> of(chain).isOver(transition.now, waitS))) {
      return false;
    }
    chains.stream()
        .filter(chain -> of(chain).retryAt().isEmpty())
        .forEach(chain -> wait(chain, refused));
    return true;
  }

  private CapacityWait of(int chain) {
    CapacityWait wait = transition.steering().market().waits().get(chain);
    return wait == null ? CapacityWait.startedAt(transition.now) : wait;
  }

  private void wait(int chain, List<String> refused) {
    TrialGroup group = SharedPool.groupOf(transition, chain).orElseThrow();
    CapacityWait wait = of(chain).refused(transition.now, waitS);
    set(transition.steering().market().waiting(chain, wait));
    transition.held(chain, transition.allocation(group).offer()).stream()
        .filter(lease -> !transition.occupied(lease.lease()))
        .forEach(lease -> transition.release(lease, ReasonCode.RELEASED_WHILE_WAITING));
    List<String> details = new ArrayList<>(List.of(group.name()));
    details.addAll(refused);
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("waited_s", Seconds.between(wait.since(), transition.now));
    numbers.put("wait_s", waitS);
    numbers.put("retry_in_s", Seconds.between(transition.now, wait.retryAt().orElseThrow()));
    numbers.put("retries", (double) wait.retries());
    transition.recordDecision(
        DecisionKind.WAITING,
        new DecisionReason(ReasonCode.WAITING_FOR_CAPACITY, details),
        numbers);
  }

  private void set(OfferAvailability market) {
    transition.steering(transition.steering().with(market));
  }

  /** Requests the instances of waiting chains again once that is due. */
  static void tick(Transition transition) {
    CapacityRetry retry = new CapacityRetry(transition);
    for (int chain : transition.steering().market().waits().keySet()) {
      if (transition.running() && retry.of(chain).isDue(transition.now)) {
        retry.request(chain);
      }
    }
  }

  /** Another controller resumes the run: it requests at once, and the time so far counts. */
  static void resume(Transition transition, boolean runHadEnded) {
    CapacityRetry retry = new CapacityRetry(transition);
    for (int chain : transition.steering().market().waits().keySet()) {
      OfferAvailability market = transition.steering().market().withoutRefusals();
      retry.set(
          runHadEnded
              ? market.notWaiting(chain)
              : market.waiting(chain, retry.of(chain).retried()));
    }
  }

  private void request(int chain) {
    set(transition.steering().market().withoutRefusals().waiting(chain, of(chain).retried()));
    ClusterManager.requestForPool(transition, chain);
  }

  /** Ends the wait of a chain once it has instances for a trial. */
  static void handleRunning(Transition transition, LeaseState lease) {
    OfferAvailability market = transition.steering().market();
    CapacityWait wait = market.waits().get(lease.pool());
    TrialGroup group = SharedPool.groupOf(transition, lease.pool()).orElse(null);
    if (wait == null || group == null) {
      return;
    }
    Allocation allocation = transition.allocation(group);
    long running =
        transition.held(lease.pool(), allocation.offer()).stream()
            .filter(held -> held.runningAt().isPresent())
            .count();
    if (running >= PlacementController.teamSize(transition, allocation)) {
      transition.steering(transition.steering().with(market.notWaiting(lease.pool())));
      transition.recordDecision(
          DecisionKind.AVAILABLE,
          DecisionReason.of(ReasonCode.CAPACITY_AVAILABLE, group.name()),
          Map.of("waited_s", Seconds.between(wait.since(), transition.now)));
    }
  }
}

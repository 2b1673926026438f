package io.elastune.executor.core;

import io.elastune.core.allocation.IdleInstance;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.Refusal;
import java.util.List;
import java.util.Map;

/**
 * Requests what a group needs and is not held, at its start; releases what the next group does not
 * need, as soon as it is idle (model.md, "Money"). Also what the cloud tells.
 */
final class ClusterManager implements CloudEvent.Visitor<Draft> {
  /** Instances requested anew in one group for ones that were lost, at least. */
  private static final int MOST_REPLACED = 5;

  /** The same as a multiple of the group's instances: all may be taken back at once. */
  private static final int TIMES_REPLACED = 3;

  /** Why an instance that nobody answers for is released. */
  static final String LOST = "lost; making sure that it is gone";

  private final Draft draft;

  ClusterManager(Draft draft) {
    this.draft = draft;
  }

  /** Requests what {@code allocation} lacks; says how many. */
  static int requestMissing(Draft draft, int chain, TrialGroup group, Allocation allocation) {
    int missing = allocation.instances() - draft.held(chain, allocation.offer()).size();
    return request(draft, chain, group, allocation.offer(), missing);
  }

  /** Requests so many more, unless they cannot be paid for; says how many. */
  static int request(Draft draft, int chain, TrialGroup group, String offer, int count) {
    if (count <= 0 || !Watch.mayRequest(draft, offer, count)) {
      return 0;
    }
    for (int i = 0; i < count; i++) {
      request(draft, chain, group, offer);
    }
    return count;
  }

  private static void request(Draft draft, int chain, TrialGroup group, String offer) {
    int number = draft.leases().size() + 1;
    String lease = draft.definition.run() + "-" + number;
    double usdPerHour = draft.peek().usdPerHour(draft.definition, offer);
    draft.put(
        LeaseState.requested(lease, number, chain, group.name(), offer, usdPerHour, draft.now));
    draft.command(new Command.RequestInstance(lease, offer));
  }

  /**
   * Once the last trial of a group has started, instances beyond the next group's need are let go
   * as they become idle; of several the one not yet ready goes first, then the higher number.
   */
  static void releaseSurplus(Draft draft, int chain) {
    ChainState state = draft.chain(chain);
    boolean moreToStart =
        !state.waiting().isEmpty()
            || draft.attemptsOf(chain).stream().anyMatch(AttemptState::isUprooted);
    if (!draft.running() || state.started().isEmpty() || moreToStart) {
      return;
    }
    List<TrialGroup> groups = draft.groupsOf(chain).groups();
    boolean ended = state.group() >= groups.size();
    if (draft.hold() && !ended) {
      return;
    }
    for (LeaseState lease : idle(draft, chain)) {
      if (surplus(draft, chain, lease.offer()) > 0) {
        release(draft, lease, "idle, and not needed by what follows");
      }
    }
  }

  /** Idle instances, in the order in which they are let go: they are all idle at this moment. */
  private static List<LeaseState> idle(Draft draft, int chain) {
    return draft.leases().stream()
        .filter(lease -> lease.chain() == chain && lease.held() && !draft.occupied(lease.lease()))
        .map(lease -> new IdleInstance(0, lease.isReady(), lease.number()))
        .sorted()
        .map(idle -> draft.lease(idle.instance()))
        .toList();
  }

  private static int surplus(Draft draft, int chain, String offer) {
    List<TrialGroup> groups = draft.groupsOf(chain).groups();
    ChainState state = draft.chain(chain);
    int need = 0;
    if (state.group() + 1 < groups.size()) {
      Allocation next = draft.allocation(groups.get(state.group() + 1));
      need = next.offer().equals(offer) ? next.instances() : 0;
    }
    return IdleInstance.surplus(draft.held(chain, offer).size(), need);
  }

  static void release(Draft draft, LeaseState lease, String reason) {
    draft.put(lease.idle(draft.now).releasing(draft.now));
    draft.command(new Command.ReleaseInstance(lease.lease()));
    draft.note("release", lease.lease() + ": " + reason, Map.of());
  }

  @Override
  public Draft running(CloudEvent.Running event) {
    draft
        .lease(event.lease())
        .filter(lease -> lease.phase() != LeaseState.Phase.GONE || lease.runningAt().isEmpty())
        .ifPresent(lease -> draft.put(lease.running(event.at())));
    return draft;
  }

  @Override
  public Draft ready(CloudEvent.Ready event) {
    draft
        .lease(event.lease())
        .filter(lease -> lease.held() && !lease.isReady() && !lease.isLeaving())
        .ifPresent(
            lease -> {
              draft.put(lease.ready(event.node(), event.at()));
              if (lease.runningAt().isEmpty()) { // that it runs was never told: since when?
                draft.command(new Command.AdoptInstance(lease.lease(), lease.offer()));
              }
            });
    return draft;
  }

  @Override
  public Draft refused(CloudEvent.Refused event) {
    draft
        .lease(event.lease())
        .filter(LeaseState::held)
        .ifPresent(
            lease -> {
              draft.put(lease.refused());
              draft.note("refused", event.lease() + ": " + event.message(), Map.of());
              stopIfNothingIsHeld(lease, event);
            });
    return draft;
  }

  private void stopIfNothingIsHeld(LeaseState lease, CloudEvent.Refused event) {
    TrialGroup group = draft.group(lease.chain()).orElse(null);
    if (!draft.running() || group == null) {
      return;
    }
    if (event.refusal() != Refusal.PERMISSION && Replanning.isOn(draft)) {
      Steering steering = draft.steering();
      Market market = steering.market().refused(lease.offer(), draft.now, event.message());
      draft.steering(steering.with(market));
      draft.doubt(lease.offer() + " is not to be had");
      return;
    }
    if (isStranded(draft, lease.chain(), group)) {
      int code = event.refusal() == Refusal.PERMISSION ? 15 : 14;
      Closing.stop(draft, code, lease.offer() + " is not to be had: " + event.message(), false);
    }
  }

  /** Whether a chain holds, waits for, and moves to less than a single trial needs. */
  static boolean isStranded(Draft draft) {
    for (int chain = 0; chain < draft.chainCount(); chain++) {
      TrialGroup group = draft.group(chain).orElse(null);
      boolean moves = draft.steering().moving().contains(chain);
      if (group != null && !moves && isStranded(draft, chain, group)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isStranded(Draft draft, int chain, TrialGroup group) {
    Allocation allocation = draft.allocation(group);
    int held = draft.held(chain, allocation.offer()).size();
    return held < PlacementController.teamSize(draft, allocation);
  }

  @Override
  public Draft setupFailed(CloudEvent.SetupFailed event) {
    Closing.stop(draft, 16, "setup failed on " + event.lease() + ": " + event.message(), false);
    return draft;
  }

  @Override
  public Draft priced(CloudEvent.Priced event) {
    draft
        .lease(event.lease())
        .filter(lease -> lease.usdPerHour() != event.usdPerHour())
        .ifPresent(
            lease -> {
              draft.put(lease.priced(event.usdPerHour()));
              draft.note(
                  "price",
                  event.lease() + " is charged at another price than planned",
                  Map.of("planned_usd", lease.usdPerHour(), "usd", event.usdPerHour()));
              newPrice(lease.offer(), event.usdPerHour());
            });
    return draft;
  }

  private void newPrice(String offer, double usdPerHour) {
    if (draft.peek().usdPerHour(draft.definition, offer) != usdPerHour) {
      Steering steering = draft.steering();
      draft.steering(steering.with(steering.market().priced(offer, usdPerHour)));
      draft.doubt("the price of " + offer + " has changed");
    }
  }

  @Override
  public Draft leaving(CloudEvent.Leaving event) {
    draft
        .lease(event.lease())
        .filter(lease -> lease.held() && !lease.isLeaving())
        .ifPresent(lease -> Notice.given(draft, lease, event.message()));
    return draft;
  }

  @Override
  public Draft lost(CloudEvent.Lost event) {
    draft
        .lease(event.lease())
        .filter(LeaseState::held)
        .ifPresent(
            lease -> {
              draft.note(
                  "lost", event.lease() + " " + event.loss() + ": " + event.message(), Map.of());
              giveUp(draft, lease, LOST);
            });
    return draft;
  }

  /** Lets go of an instance that is of no use any more, and requests another. */
  static void giveUp(Draft draft, LeaseState lease, String reason) {
    Supervisor.loseAttemptsOn(draft, lease.lease());
    release(draft, lease, reason);
    replace(draft, lease);
  }

  private static void replace(Draft draft, LeaseState lease) {
    ChainState state = draft.chain(lease.chain());
    TrialGroup group = draft.group(lease.chain()).orElse(null);
    if (!draft.running()
        || group == null
        || !draft.allocation(group).offer().equals(lease.offer())) {
      return;
    }
    draft.doubt("an instance was lost");
    int instances = draft.allocation(group).instances();
    if (state.replaced() >= Math.max(MOST_REPLACED, TIMES_REPLACED * instances)) {
      Closing.stop(
          draft, 14, state.replaced() + " instances were lost in group " + group.name(), false);
      return;
    }
    draft.chain(lease.chain(), state.withReplaced(state.replaced() + 1));
    request(draft, lease.chain(), group, lease.offer(), 1);
  }

  @Override
  public Draft terminated(CloudEvent.Terminated event) {
    draft
        .lease(event.lease())
        .filter(
            lease -> lease.phase() != LeaseState.Phase.GONE) // told twice, it ended the first time
        .ifPresent(
            lease -> {
              draft.put(lease.gone(event.at()));
              if (lease.runningAt().isEmpty()) { // was it ever billed?
                draft.command(new Command.AdoptInstance(lease.lease(), lease.offer()));
              }
              if (lease.held()) { // nobody has released it
                Supervisor.loseAttemptsOn(draft, lease.lease());
                Restart.ended(draft, lease);
              }
            });
    return draft;
  }

  @Override
  public Draft listed(CloudEvent.Listed event) {
    Closing.listed(draft, event);
    return draft;
  }
}

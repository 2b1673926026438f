package io.elastune.executor.core;

import io.elastune.core.plan.TrialGroup;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.Refusal;
import java.util.Map;

/** Handles the events of the cloud: updates the leases and decides what follows for the run. */
final class CloudEventHandler implements CloudEvent.Visitor<Draft> {
  private final Draft draft;

  CloudEventHandler(Draft draft) {
    this.draft = draft;
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
              if (lease.runningAt().isEmpty()) { // its start was never reported: query it
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
              draft.note(DecisionKind.REFUSED, event.lease() + ": " + event.message(), Map.of());
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
      draft.doubt(lease.offer() + " is unavailable");
      return;
    }
    if (ClusterManager.isStranded(draft, lease.chain(), group)) {
      RunOutcome outcome =
          event.refusal() == Refusal.PERMISSION ? RunOutcome.NO_PERMISSION : RunOutcome.NO_CAPACITY;
      draft.stop(outcome, lease.offer() + " is unavailable: " + event.message(), false);
    }
  }

  @Override
  public Draft setupFailed(CloudEvent.SetupFailed event) {
    draft.stop(
        RunOutcome.TRIALS_FAILED,
        "setup failed on " + event.lease() + ": " + event.message(),
        false);
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
                  DecisionKind.PRICE,
                  event.lease() + " is charged a different price than planned",
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
                  DecisionKind.LOST,
                  event.lease() + " " + event.loss() + ": " + event.message(),
                  Map.of());
              ClusterManager.giveUp(draft, lease, ClusterManager.LOST);
            });
    return draft;
  }

  @Override
  public Draft terminated(CloudEvent.Terminated event) {
    draft
        .lease(event.lease())
        .filter(lease -> lease.phase() != LeaseState.Phase.GONE) // of two reports the first counts
        .ifPresent(
            lease -> {
              draft.put(lease.gone(event.at()));
              if (lease.runningAt().isEmpty()) { // query whether it was ever billed
                draft.command(new Command.AdoptInstance(lease.lease(), lease.offer()));
              }
              if (lease.held()) { // the controller has not released it
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

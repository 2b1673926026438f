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
    if (ClusterManager.isStranded(draft, lease.chain(), group)) {
      int code = event.refusal() == Refusal.PERMISSION ? 15 : 14;
      draft.stop(code, lease.offer() + " is not to be had: " + event.message(), false);
    }
  }

  @Override
  public Draft setupFailed(CloudEvent.SetupFailed event) {
    draft.stop(16, "setup failed on " + event.lease() + ": " + event.message(), false);
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
              ClusterManager.giveUp(draft, lease, ClusterManager.LOST);
            });
    return draft;
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

package io.elastune.executor.decision;

import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.LaunchFailures;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.OfferAvailability;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanReason;
import io.elastune.executor.decision.model.ReplanState;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.PreparationFailure;
import io.elastune.provisioner.PreparationStep;
import io.elastune.provisioner.RefusalReason;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Handles the events of the cloud: updates the leases and decides what follows for the run. */
final class CloudEventHandler implements CloudEvent.Visitor<Transition> {
  private final Transition transition;

  CloudEventHandler(Transition transition) {
    this.transition = transition;
  }

  @Override
  public Transition running(CloudEvent.Running event) {
    transition.clock(transition.clock().reported(event.at(), transition.now));
    transition
        .lease(event.lease())
        .filter(lease -> lease.phase() != LeaseState.Phase.GONE || lease.runningAt().isEmpty())
        .ifPresent(
            lease -> {
              transition.put(lease.running(event.at()));
              CapacityRetry.handleRunning(transition, lease);
            });
    return transition;
  }

  @Override
  public Transition ready(CloudEvent.Ready event) {
    transition
        .lease(event.lease())
        .filter(lease -> lease.held() && !lease.isReady() && !lease.isLeaving())
        .ifPresent(
            lease -> {
              transition.put(lease.ready(event.node(), event.at()));
              NodeFailures.ready(transition);
              if (lease.runningAt().isEmpty()) { // its start was never reported: query it
                transition.command(new Command.AdoptInstance(lease.lease(), lease.offer()));
              }
            });
    return transition;
  }

  @Override
  public Transition refused(CloudEvent.Refused event) {
    transition
        .lease(event.lease())
        .filter(LeaseState::held)
        .ifPresent(
            lease -> {
              transition.put(lease.refused());
              transition.recordDecision(
                  DecisionKind.REFUSED,
                  DecisionReason.of(ReasonCode.INSTANCE_REFUSED, event.lease(), event.message()),
                  Map.of());
              stopIfNothingIsHeld(lease, event);
            });
    return transition;
  }

  private void stopIfNothingIsHeld(LeaseState lease, CloudEvent.Refused event) {
    TrialGroup group = SharedPool.groupOf(transition, lease.pool()).orElse(null);
    if (!transition.running() || group == null) {
      return;
    }
    if (event.refusal() != RefusalReason.PERMISSION && ReplanTrigger.isEnabled(transition)) {
      ReplanState replanState = transition.steering();
      OfferAvailability offerAvailability =
          replanState
              .market()
              .refused(
                  lease.offer(),
                  new OfferAvailability.RefusedOffer(
                      transition.now, event.refusal(), event.message()));
      transition.steering(replanState.with(offerAvailability));
      transition.doubt(new ReplanReason(ReplanReason.Cause.OFFER_UNAVAILABLE, lease.offer()));
      return;
    }
    if (!ClusterManager.isStranded(transition, lease.pool(), group)) {
      return;
    }
    List<String> refused = List.of(lease.offer(), event.message());
    if (event.refusal() == RefusalReason.PERMISSION) {
      transition.stop(
          RunOutcome.NO_PERMISSION,
          new DecisionReason(ReasonCode.OFFERS_UNAVAILABLE, refused),
          false);
    } else {
      CapacityRetry.handleRefusals(transition, event.refusal() == RefusalReason.CAPACITY, refused);
    }
  }

  @Override
  public Transition launchFailed(CloudEvent.LaunchFailed event) {
    transition
        .lease(event.lease())
        .filter(LeaseState::held)
        .ifPresent(lease -> recordFailover(lease, event.zone().orElse(""), event.message()));
    return transition;
  }

  private void recordFailover(LeaseState lease, String zone, String message) {
    LaunchFailures failures =
        transition.steering().launchFailures().with(lease.offer(), zone, message);
    transition.steering(transition.steering().with(failures));
    int count = failures.count(lease.offer(), zone, message);
    if (LaunchFailures.isShown(count)) {
      transition.recordDecision(
          DecisionKind.FAILOVER,
          DecisionReason.of(ReasonCode.LAUNCH_FAILED, lease.lease(), lease.offer(), zone, message),
          Map.of("equal_failures", (double) count));
    }
  }

  @Override
  public Transition preparationFailed(CloudEvent.PreparationFailed event) {
    if (event.step() == PreparationStep.UNKNOWN) { // replays what an earlier version decided
      transition.stop(
          RunOutcome.TRIALS_FAILED,
          DecisionReason.of(ReasonCode.SETUP_FAILED, event.lease(), event.message()),
          false);
      return transition;
    }
    PreparationFailure failure = new PreparationFailure(event.step(), event.message());
    transition
        .lease(event.lease())
        .filter(LeaseState::held)
        .ifPresent(lease -> NodeFailures.failed(transition, lease, failure));
    return transition;
  }

  @Override
  public Transition priced(CloudEvent.Priced event) {
    transition
        .lease(event.lease())
        .filter(lease -> lease.usdPerHour() != event.usdPerHour())
        .ifPresent(
            lease -> {
              transition.put(lease.priced(event.usdPerHour()));
              transition.recordDecision(
                  DecisionKind.PRICE,
                  DecisionReason.of(ReasonCode.PRICE_DIFFERS, event.lease()),
                  Map.of("planned_usd", lease.usdPerHour(), "usd", event.usdPerHour()));
              newPrice(lease.offer(), event.usdPerHour());
            });
    return transition;
  }

  private void newPrice(String offer, double usdPerHour) {
    if (transition.snapshot().usdPerHour(transition.definition, offer) != usdPerHour) {
      ReplanState replanState = transition.steering();
      transition.steering(replanState.with(replanState.market().priced(offer, usdPerHour)));
      transition.doubt(new ReplanReason(ReplanReason.Cause.PRICE_CHANGED, offer));
    }
  }

  @Override
  public Transition leaving(CloudEvent.Leaving event) {
    transition
        .lease(event.lease())
        .filter(lease -> lease.held() && !lease.isLeaving())
        .ifPresent(lease -> PreemptionNotice.record(transition, lease, event.message()));
    return transition;
  }

  @Override
  public Transition lost(CloudEvent.Lost event) {
    transition
        .lease(event.lease())
        .filter(LeaseState::held)
        .ifPresent(
            lease -> {
              transition.recordDecision(
                  DecisionKind.LOST,
                  DecisionReason.of(
                      ReasonCode.INSTANCE_LOST,
                      event.lease(),
                      event.loss().name(),
                      event.message()),
                  Map.of());
              LeaseState lost = lease.lost(event.loss());
              transition.put(lost);
              LostInstances.replaceInstance(transition, lost, ReasonCode.RELEASED_LOST);
            });
    return transition;
  }

  @Override
  public Transition terminated(CloudEvent.Terminated event) {
    event.running().ifPresent(at -> billFrom(at, event));
    transition
        .lease(event.lease())
        .filter(lease -> lease.phase() != LeaseState.Phase.GONE) // of two reports the first counts
        .ifPresent(
            lease -> {
              transition.put(lease.gone(event.at(), transition.now, transition.aheadS(lease)));
              if (lease.runningAt().isEmpty()) { // query whether it was ever billed
                transition.command(new Command.AdoptInstance(lease.lease(), lease.offer()));
              }
              if (lease.held()) { // the controller has not released it
                Supervisor.endAttemptsOn(transition, lease.lease());
                Recovery.handleUnexpectedEnd(transition, lease);
              }
            });
    return transition;
  }

  /**
   * Adds a start that was not reported. An earlier report of the end took it for never launched.
   */
  private void billFrom(Instant running, CloudEvent.Terminated event) {
    transition
        .lease(event.lease())
        .filter(lease -> lease.runningAt().isEmpty())
        .map(lease -> lease.running(running))
        .map(
            lease ->
                lease.phase() == LeaseState.Phase.GONE
                    ? lease.gone(event.at(), transition.now, transition.aheadS(lease))
                    : lease)
        .ifPresent(transition::put);
  }

  @Override
  public Transition healthChanged(CloudEvent.HealthChanged event) {
    String impairment = event.impairment().label();
    transition.recordDecision(
        DecisionKind.CLOUD_HEALTH,
        event.present()
            ? DecisionReason.of(
                ReasonCode.CLOUD_IMPAIRED,
                event.infra(),
                impairment,
                event.message(),
                event.since().toString())
            : DecisionReason.of(ReasonCode.CLOUD_RECOVERED, event.infra(), impairment),
        event.present() ? billed() : Map.of());
    return transition;
  }

  /** Returns what is billed meanwhile. */
  private Map<String, Double> billed() {
    List<LeaseState> leases =
        transition.leases().stream()
            .filter(lease -> lease.runningAt().isPresent())
            .filter(lease -> lease.phase() != LeaseState.Phase.GONE)
            .toList();
    return Map.of(
        "instances",
        (double) leases.size(),
        "usd_per_hour",
        leases.stream().mapToDouble(LeaseState::usdPerHour).sum());
  }

  @Override
  public Transition listed(CloudEvent.Listed event) {
    Shutdown.listed(transition, event);
    return transition;
  }
}

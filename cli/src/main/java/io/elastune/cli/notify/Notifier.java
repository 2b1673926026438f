package io.elastune.cli.notify;

import io.elastune.cli.inspect.ValueFormat;
import io.elastune.cli.text.DecisionText;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.job.Notification;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.runtime.RunListener;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LossReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Sends the notifications that the job file requests. */
public final class Notifier implements RunListener, AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private record Subscriber(List<String> events, Outbox outbox) {}

  private final RunDefinition definition;
  private final List<Subscriber> subscribers = new ArrayList<>();

  /**
   * Creates the notifier of one run.
   *
   * @param notifications the targets and their events
   * @param secrets environment variables that are hidden from commands
   * @param undelivered receives a sentence for each notification that was not delivered
   */
  public Notifier(
      List<Notification> notifications,
      List<String> secrets,
      RunDefinition definition,
      Consumer<String> undelivered) {
    this.definition = definition;
    for (Notification notification : notifications) {
      NotificationTarget notificationTarget = NotificationTarget.of(notification, secrets);
      subscribers.add(
          new Subscriber(notification.on(), new Outbox(notificationTarget, PAUSE, undelivered)));
    }
  }

  @Override
  public void onStep(RunEvent event, RunState before, StepResult stepResult) {
    if (subscribers.isEmpty()) {
      return;
    }
    RunState after = stepResult.state();
    if (before.began().isEmpty() && after.began().isPresent()) {
      send(after, "started", "started");
    }
    if (event instanceof RunEvent.FromCloud cloud) {
      preempted(cloud.event(), before, after);
    }
    for (JournalNote journalNote : stepResult.notes()) {
      if (journalNote instanceof JournalNote.Decision decision) {
        decided(after, decision);
      }
    }
    if (before.phase() != RunState.Phase.FINISHED && after.phase() == RunState.Phase.FINISHED) {
      finished(after);
    }
  }

  /** Reports a preemption once: at its notice if there is one, since a release may follow it. */
  private void preempted(CloudEvent event, RunState before, RunState after) {
    if (event instanceof CloudEvent.Leaving leaving
        && !isLeaving(before, leaving.lease())
        && isLeaving(after, leaving.lease())) {
      send(after, "preempted", "the cloud is preempting instance " + leaving.lease());
    } else if (event instanceof CloudEvent.Lost lost
        && lost.loss() == LossReason.PREEMPTED
        && !isLeaving(before, lost.lease())) {
      send(after, "preempted", "the cloud has preempted instance " + lost.lease());
    }
  }

  private static boolean isLeaving(RunState state, String id) {
    return state.leases().values().stream()
        .anyMatch(lease -> lease.lease().equals(id) && lease.isLeaving());
  }

  private void decided(RunState state, JournalNote.Decision decision) {
    switch (decision.kind()) {
      case AT_RISK -> send(state, "at_risk", text(decision));
      case CLOUD_HEALTH -> send(state, "cloud_health", text(decision));
      case WARNED, OVER_BUDGET, GUARD -> send(state, "warned", text(decision));
      default -> {}
    }
  }

  private String text(JournalNote.Decision decision) {
    return DecisionText.of(definition.run(), decision.reason(), decision.numbers());
  }

  private void finished(RunState state) {
    int exit = state.ending().exitCode();
    int left = state.ending().instancesLeft();
    String why =
        state
            .ending()
            .reason()
            .map(reason -> ": " + DecisionText.of(definition.run(), reason))
            .orElse("");
    long failed = state.failedTrials();
    send(
        state,
        "finished",
        "finished with exit code "
            + exit
            + why
            + (failed == 0 ? "" : "; " + failed + " of " + state.trials().size() + " trials failed")
            + "; "
            + UsdFormat.format(Ledger.of(definition, state).spentUsd())
            + " spent"
            + best(state));
    if (left > 0) {
      send(
          state, "cleanup_failed", left + " instances may still be billed; run 'elastune orphans'");
    }
  }

  private String best(RunState state) {
    return state
        .best(definition.metric().goal(), definition.workload().target())
        .map(
            trial ->
                ", best %s %s (trial %d)"
                    .formatted(
                        definition.metric().name(),
                        ValueFormat.text(trial.metric().orElseThrow()),
                        trial.trial()))
        .orElse("");
  }

  private void send(RunState state, String event, String text) {
    double spent = Ledger.of(definition, state).spentUsd();
    NotificationMessage notificationMessage =
        new NotificationMessage(definition.run(), event, text, spent, state.now());
    subscribers.stream()
        .filter(subscriber -> subscriber.events().contains(event))
        .forEach(subscriber -> subscriber.outbox().post(notificationMessage));
  }

  /** Waits some seconds for notifications that are not delivered yet. */
  @Override
  public void close() {
    subscribers.forEach(subscriber -> subscriber.outbox().close());
  }
}

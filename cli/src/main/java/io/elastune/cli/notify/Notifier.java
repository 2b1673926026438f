package io.elastune.cli.notify;

import io.elastune.cli.screen.Usd;
import io.elastune.core.job.Notification;
import io.elastune.executor.core.Ledger;
import io.elastune.executor.core.Note;
import io.elastune.executor.core.RunDefinition;
import io.elastune.executor.core.RunEvent;
import io.elastune.executor.core.RunState;
import io.elastune.executor.core.Step;
import io.elastune.executor.shell.RunListener;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.Loss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Tells whom the job names of the turns that it names. */
public final class Notifier implements RunListener, AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private record Subscriber(List<String> events, Outbox outbox) {}

  private final RunDefinition definition;
  private final List<Subscriber> subscribers = new ArrayList<>();

  /**
   * For one run.
   *
   * @param notifications whom to tell about what
   * @param secrets environment variables that commands must not see
   * @param complaints is told, in a sentence, what could not be delivered
   */
  public Notifier(
      List<Notification> notifications,
      List<String> secrets,
      RunDefinition definition,
      Consumer<String> complaints) {
    this.definition = definition;
    for (Notification notification : notifications) {
      Target target = Target.of(notification, secrets);
      subscribers.add(new Subscriber(notification.on(), new Outbox(target, PAUSE, complaints)));
    }
  }

  @Override
  public void stepped(RunEvent event, RunState before, Step step) {
    if (subscribers.isEmpty()) {
      return;
    }
    RunState after = step.state();
    if (before.began().isEmpty() && after.began().isPresent()) {
      tell(after, "started", "started");
    }
    if (event instanceof RunEvent.FromCloud cloud) {
      preempted(cloud.event(), before, after);
    }
    for (Note note : step.notes()) {
      if (note instanceof Note.Decision decision) {
        decided(after, decision);
      }
    }
    if (before.phase() != RunState.Phase.FINISHED && after.phase() == RunState.Phase.FINISHED) {
      finished(after);
    }
  }

  /** At its notice, if there is one, for then it may be let go before the cloud takes it. */
  private void preempted(CloudEvent event, RunState before, RunState after) {
    if (event instanceof CloudEvent.Leaving leaving
        && !isLeaving(before, leaving.lease())
        && isLeaving(after, leaving.lease())) {
      tell(after, "preempted", "the cloud takes instance " + leaving.lease() + " back");
    } else if (event instanceof CloudEvent.Lost lost
        && lost.loss() == Loss.PREEMPTED
        && !isLeaving(before, lost.lease())) {
      tell(after, "preempted", "the cloud has taken instance " + lost.lease() + " back");
    }
  }

  private static boolean isLeaving(RunState state, String id) {
    return state.leases().values().stream()
        .anyMatch(lease -> lease.lease().equals(id) && lease.isLeaving());
  }

  private void decided(RunState state, Note.Decision decision) {
    switch (decision.decision()) {
      case "at_risk" -> tell(state, "at_risk", decision.reason());
      case "warned", "over_budget" -> tell(state, "warned", decision.reason());
      default -> {}
    }
  }

  private void finished(RunState state) {
    int exit = state.ending().exitCode();
    int left = state.ending().instancesLeft();
    String why = state.ending().reason();
    tell(
        state,
        "finished",
        "ended with exit "
            + exit
            + (why.isEmpty() ? "" : ": " + why)
            + ", "
            + Usd.format(Ledger.of(definition, state).spentUsd())
            + " spent");
    if (left > 0) {
      tell(state, "cleanup_failed", left + " instances may still be billed; see elastune orphans");
    }
  }

  private void tell(RunState state, String event, String text) {
    double spent = Ledger.of(definition, state).spentUsd();
    Message message = new Message(definition.run(), event, text, spent, state.now());
    subscribers.stream()
        .filter(subscriber -> subscriber.events().contains(event))
        .forEach(subscriber -> subscriber.outbox().post(message));
  }

  /** Waits some seconds for what has not been delivered yet. */
  @Override
  public void close() {
    subscribers.forEach(subscriber -> subscriber.outbox().close());
  }
}

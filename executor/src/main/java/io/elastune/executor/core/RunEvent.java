package io.elastune.executor.core;

import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import java.time.Instant;

/** Everything that a run's decisions depend on. */
public sealed interface RunEvent {
  /** When it happened. */
  Instant at();

  /** Calls the method for the kind that this is. */
  <R> R match(Visitor<R> visitor);

  /** One method per kind, so that a new kind is a compile error at every use. */
  interface Visitor<R> {
    R began(Began event);

    R ticked(Ticked event);

    R cloud(FromCloud event);

    R engine(FromEngine event);

    R stopAsked(StopAsked event);

    R resumed(Resumed event);

    R replanned(Replanned event);

    R budgetAnswered(BudgetAnswered event);
  }

  /** The plan has been confirmed. */
  record Began(Instant at) implements RunEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.began(this);
    }
  }

  /**
   * Another controller goes on with the run, after the end of the one before or after the run's
   * own.
   *
   * @param unconfirmed commands of the controller before of which nobody knows whether they were
   *     carried out
   */
  record Resumed(int unconfirmed, Instant at) implements RunEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.resumed(this);
    }
  }

  /** Time has passed. */
  record Ticked(Instant at) implements RunEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.ticked(this);
    }
  }

  /** The cloud told something. */
  record FromCloud(CloudEvent event) implements RunEvent {
    @Override
    public Instant at() {
      return event.at();
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.cloud(this);
    }
  }

  /** The engine told something. */
  record FromEngine(EngineEvent event) implements RunEvent {
    @Override
    public Instant at() {
      return event.at();
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.engine(this);
    }
  }

  /**
   * The user wants the run to stop.
   *
   * @param exitCode with which the run then ends: 130 or 143
   * @param now whether to do without checkpoints
   * @param by who asked, for the record
   */
  record StopAsked(int exitCode, boolean now, String by, Instant at) implements RunEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.stopAsked(this);
    }
  }

  /**
   * The planner has answered {@link Command.Replan}.
   *
   * @param number of the question
   */
  record Replanned(int number, Answer answer, Instant at) implements RunEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.replanned(this);
    }
  }

  /**
   * The user has been asked for more money ({@link Command.AskBudget}), and this is what came of
   * it.
   *
   * @param number of the question
   * @param allowed whether the run may spend what was asked for
   * @param who has answered, or why nobody has; for the record
   */
  record BudgetAnswered(int number, boolean allowed, String who, Instant at) implements RunEvent {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.budgetAnswered(this);
    }
  }
}

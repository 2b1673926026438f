package io.elastune.executor.decision.model;

import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/** An input of the decision core. Decisions depend on events only. */
public sealed interface RunEvent {
  /** When it happened. */
  Instant at();

  /** Calls the visitor's method for this type. */
  void match(Visitor visitor);

  /** One method per type, so that a new type is a compile error at every use. */
  interface Visitor {
    void began(Began event);

    void ticked(Ticked event);

    void cloud(FromCloud event);

    void engine(FromEngine event);

    void stopAsked(StopAsked event);

    void resumed(Resumed event);

    void replanned(Replanned event);

    void budgetAnswered(BudgetAnswered event);

    void configured(Configured event);

    void measurementChosen(MeasurementChosen event);
  }

  /** The plan was confirmed. */
  record Began(Instant at) implements RunEvent {
    @Override
    public void match(Visitor visitor) {
      visitor.began(this);
    }
  }

  /**
   * Another controller resumes the run, after the end of the earlier one or of the run.
   *
   * @param unconfirmed commands of the earlier controller that may not have been executed
   * @param retryFailed whether failed trials are retried, as {@link FailedTrialRetry} says
   */
  record Resumed(int unconfirmed, boolean retryFailed, Instant at) implements RunEvent {
    /** Creates a resumption without retries. */
    public Resumed(int unconfirmed, Instant at) {
      this(unconfirmed, false, at);
    }

    @Override
    public void match(Visitor visitor) {
      visitor.resumed(this);
    }
  }

  /**
   * Time has passed.
   *
   * @param suspendedS seconds during which the controller did not run, because its process or its
   *     machine was suspended; events that have waited meanwhile follow. Empty for an ordinary tick
   */
  record Ticked(OptionalDouble suspendedS, Instant at) implements RunEvent {
    public Ticked {
      suspendedS = Objects.requireNonNullElse(suspendedS, OptionalDouble.empty()); // earlier
    }

    /** Creates an ordinary tick. */
    public Ticked(Instant at) {
      this(OptionalDouble.empty(), at);
    }

    @Override
    public void match(Visitor visitor) {
      visitor.ticked(this);
    }
  }

  /** An event of the cloud. */
  record FromCloud(CloudEvent event) implements RunEvent {
    @Override
    public Instant at() {
      return event.at();
    }

    @Override
    public void match(Visitor visitor) {
      visitor.cloud(this);
    }
  }

  /** An event of the engine. */
  record FromEngine(EngineEvent event) implements RunEvent {
    @Override
    public Instant at() {
      return event.at();
    }

    @Override
    public void match(Visitor visitor) {
      visitor.engine(this);
    }
  }

  /**
   * A request to stop the run.
   *
   * @param outcome with which the run then ends: interrupted or terminated
   * @param now whether to stop without checkpoints
   * @param by the source of the request, for the log
   */
  record StopAsked(RunOutcome outcome, boolean now, String by, Instant at) implements RunEvent {
    @Override
    public void match(Visitor visitor) {
      visitor.stopAsked(this);
    }
  }

  /**
   * The planner's response to {@link Command.Replan}.
   *
   * @param number the number of the request
   */
  record Replanned(int number, ReplanResponse answer, Instant at) implements RunEvent {
    @Override
    public void match(Visitor visitor) {
      visitor.replanned(this);
    }
  }

  /**
   * The user's answer to {@link Command.AskBudget}.
   *
   * @param number the number of the request
   * @param allowed whether the requested budget was granted
   * @param who the source of the answer, or why there is none; for the log
   */
  record BudgetAnswered(int number, boolean allowed, String who, Instant at) implements RunEvent {
    @Override
    public void match(Visitor visitor) {
      visitor.budgetAnswered(this);
    }
  }

  /**
   * The sampler's answer to {@link Command.ConfigureTrials}.
   *
   * @param request the number of the request
   * @param configs one configuration per trial of the request, as JSON; none if there was an error
   * @param error why there is no configuration; empty if there are all
   */
  record Configured(int request, List<String> configs, String error, Instant at)
      implements RunEvent {
    public Configured {
      configs = List.copyOf(configs);
    }

    @Override
    public void match(Visitor visitor) {
      visitor.configured(this);
    }
  }

  /**
   * The response to {@link Command.ChooseMeasurement}.
   *
   * @param group the index of the group that starts with it
   */
  record MeasurementChosen(int group, MeasurementChoice choice, Instant at) implements RunEvent {
    @Override
    public void match(Visitor visitor) {
      visitor.measurementChosen(this);
    }
  }
}

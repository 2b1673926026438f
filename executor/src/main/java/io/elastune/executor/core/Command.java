package io.elastune.executor.core;

import java.util.List;

/** What the core wants done outside. Each is journalled before it is carried out. */
public sealed interface Command {
  /** Calls the method for the kind that this is. */
  <R> R match(Visitor<R> visitor);

  /** One method per kind, so that a new kind is a compile error at every use. */
  interface Visitor<R> {
    R request(RequestInstance command);

    R adopt(AdoptInstance command);

    R release(ReleaseInstance command);

    R start(StartAttempt command);

    R adopt(AdoptAttempt command);

    R stop(StopAttempt command);

    R kill(KillAttempt command);

    R list(ListInstances command);

    R replan(Replan command);

    R askBudget(AskBudget command);

    R finish(Finish command);
  }

  /** Rent one instance; the lease's id is the idempotency token. */
  record RequestInstance(String lease, String offer) implements Command {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.request(this);
    }
  }

  /** Take up an instance that an earlier controller has requested, or was about to. */
  record AdoptInstance(String lease, String offer) implements Command {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.adopt(this);
    }
  }

  /** Give one instance back. */
  record ReleaseInstance(String lease) implements Command {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.release(this);
    }
  }

  /**
   * Start a trial's workers.
   *
   * @param from the checkpoint to resume from; 0 is a fresh start
   * @param to units to be reached
   * @param places one per worker, in rank order
   */
  record StartAttempt(String attempt, int trial, String group, int from, int to, List<Place> places)
      implements Command {
    public StartAttempt {
      places = List.copyOf(places);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.start(this);
    }
  }

  /**
   * Take up an attempt that an earlier controller has started, or was about to.
   *
   * @param start as it was started
   * @param reported the last unit whose report is in the journal, or {@code from}
   */
  record AdoptAttempt(StartAttempt start, int reported) implements Command {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.adopt(this);
    }
  }

  /** Have an attempt write a checkpoint and end. */
  record StopAttempt(String attempt) implements Command {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.stop(this);
    }
  }

  /** End an attempt at once. */
  record KillAttempt(String attempt) implements Command {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.kill(this);
    }
  }

  /** Ask the cloud what is left of this run. */
  record ListInstances() implements Command {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.list(this);
    }
  }

  /**
   * Have the rest of the run planned anew; the answer is an event ({@link RunEvent.Replanned}).
   * Nothing waits for it.
   *
   * @param number that the answer names
   * @param reason why, in a word or two
   */
  record Replan(int number, String reason, Question question) implements Command {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.replan(this);
    }
  }

  /**
   * Ask the user whether the run may cost more than its budget; the answer is an event ({@link
   * RunEvent.BudgetAnswered}). Nothing waits for it.
   *
   * @param number that the answer names
   * @param neededUsd what the run is predicted to cost in all
   * @param budgetUsd what it may spend at present
   * @param askedUsd what it should be allowed to
   */
  record AskBudget(int number, double neededUsd, double budgetUsd, double askedUsd)
      implements Command {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.askBudget(this);
    }
  }

  /** The run is over. */
  record Finish(int exitCode, int instancesLeft) implements Command {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.finish(this);
    }
  }
}

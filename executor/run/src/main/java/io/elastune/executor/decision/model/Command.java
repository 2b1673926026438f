package io.elastune.executor.decision.model;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * An operation that the decision core requests from the runtime. It is written to the journal
 * before it is executed.
 */
public sealed interface Command {
  /** Calls the visitor's method for this type. */
  void match(Visitor visitor);

  /** One method per type, so that a new type is a compile error at every use. */
  interface Visitor {
    void request(RequestInstance command);

    void adopt(AdoptInstance command);

    void release(ReleaseInstance command);

    void start(StartAttempt command);

    void adopt(AdoptAttempt command);

    void stop(StopAttempt command);

    void kill(KillAttempt command);

    void check(CheckAttempt command);

    void list(ListInstances command);

    void replan(Replan command);

    void askBudget(AskBudget command);

    void configure(ConfigureTrials command);

    void chooseMeasurement(ChooseMeasurement command);

    void finish(Finish command);
  }

  /** Rent one instance; the lease's id is the idempotency token. */
  record RequestInstance(String lease, String offer) implements Command {
    @Override
    public void match(Visitor visitor) {
      visitor.request(this);
    }
  }

  /** Adopt an instance that an earlier controller has requested or was about to request. */
  record AdoptInstance(String lease, String offer) implements Command {
    @Override
    public void match(Visitor visitor) {
      visitor.adopt(this);
    }
  }

  /** Release one instance. */
  record ReleaseInstance(String lease) implements Command {
    @Override
    public void match(Visitor visitor) {
      visitor.release(this);
    }
  }

  /**
   * Start a trial's workers.
   *
   * @param from the checkpoint to resume from; 0 is a fresh start
   * @param to units to be reached
   * @param places one per worker, in rank order
   * @param links the checkpoints that it shares with other trials
   * @param checkpointEvery units between two checkpoints, 0 for one after the last unit only; empty
   *     if the trial saves as it likes
   * @param trialsPerGpu trials that may share each GPU, including this one
   */
  record StartAttempt(
      String attempt,
      int trial,
      String group,
      int from,
      int to,
      List<GpuSlot> places,
      CheckpointLinks links,
      OptionalInt checkpointEvery,
      int trialsPerGpu)
      implements Command {
    /** Creates the start of an attempt that shares no checkpoints, and saves as it likes. */
    public StartAttempt(
        String attempt, int trial, String group, int from, int to, List<GpuSlot> places) {
      this(attempt, trial, group, from, to, places, CheckpointLinks.NONE, OptionalInt.empty(), 1);
    }

    public StartAttempt {
      places = List.copyOf(places);
    }

    @Override
    public void match(Visitor visitor) {
      visitor.start(this);
    }
  }

  /**
   * Adopt an attempt that an earlier controller has started or was about to start.
   *
   * @param start the command that started it
   * @param reported the last reported unit in the journal, or {@code from}
   */
  record AdoptAttempt(StartAttempt start, int reported) implements Command {
    @Override
    public void match(Visitor visitor) {
      visitor.adopt(this);
    }
  }

  /**
   * Stop an attempt after it has written a checkpoint.
   *
   * @param graceS seconds after which it is killed; empty for the time of the trial protocol
   */
  record StopAttempt(String attempt, OptionalDouble graceS) implements Command {
    /** Stops an attempt within the time of the trial protocol. */
    public StopAttempt(String attempt) {
      this(attempt, OptionalDouble.empty());
    }

    @Override
    public void match(Visitor visitor) {
      visitor.stop(this);
    }
  }

  /** Kill an attempt without a checkpoint. */
  record KillAttempt(String attempt) implements Command {
    @Override
    public void match(Visitor visitor) {
      visitor.kill(this);
    }
  }

  /**
   * Ask the engine when an attempt last showed a sign of life. The answer is an event ({@link
   * io.elastune.executor.engine.EngineEvent.Active}).
   */
  record CheckAttempt(String attempt) implements Command {
    @Override
    public void match(Visitor visitor) {
      visitor.check(this);
    }
  }

  /** List the instances of this run. */
  record ListInstances() implements Command {
    @Override
    public void match(Visitor visitor) {
      visitor.list(this);
    }
  }

  /**
   * Compute a new plan for the rest of the run. The response is an event ({@link
   * RunEvent.Replanned}); nothing waits for it.
   *
   * @param number the number of the request, repeated in the response
   */
  record Replan(int number, ReplanReason reason, ReplanRequest question) implements Command {
    @Override
    public void match(Visitor visitor) {
      visitor.replan(this);
    }
  }

  /**
   * Ask the user for a higher budget. The answer is an event ({@link RunEvent.BudgetAnswered});
   * nothing waits for it.
   *
   * @param number the number of the request, repeated in the response
   * @param neededUsd predicted total cost of the run
   * @param budgetUsd the present budget
   * @param askedUsd the requested budget
   */
  record AskBudget(int number, double neededUsd, double budgetUsd, double askedUsd)
      implements Command {
    @Override
    public void match(Visitor visitor) {
      visitor.askBudget(this);
    }
  }

  /**
   * Request configurations from the sampler. The answer is an event ({@link RunEvent.Configured});
   * only these trials wait for it.
   *
   * @param request the number of the request, repeated in the answer
   */
  record ConfigureTrials(int request, List<Integer> trials) implements Command {
    public ConfigureTrials {
      trials = List.copyOf(trials);
    }

    @Override
    public void match(Visitor visitor) {
      visitor.configure(this);
    }
  }

  /**
   * Choose what a profiling run measures next. Its next group starts with the answer, an event
   * ({@link RunEvent.MeasurementChosen}).
   *
   * @param group the index of the next group, repeated in the response
   * @param spentUsd cost of the run so far in USD
   * @param elapsedS seconds since the start of the run
   */
  record ChooseMeasurement(int group, double spentUsd, double elapsedS) implements Command {
    @Override
    public void match(Visitor visitor) {
      visitor.chooseMeasurement(this);
    }
  }

  /** End the run. */
  record Finish(RunOutcome outcome, int instancesLeft) implements Command {
    @Override
    public void match(Visitor visitor) {
      visitor.finish(this);
    }
  }
}

package io.elastune.executor.runtime;

import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Executes the decision core's commands through a {@link Cloud} and an {@link Engine}, real or
 * simulated.
 */
public final class CommandExecutor implements Command.Visitor {
  /** A later expiry limit is sent to the cloud only if it is later by at least this much. */
  private static final Duration MIN_EXTENSION = Duration.ofSeconds(5);

  /**
   * An earlier expiry limit is sent if it is earlier by at least this much. Smaller differences do
   * not matter: a run stops at least this long before its budget is spent.
   */
  private static final Duration MIN_REDUCTION = Duration.ofSeconds(1);

  /**
   * Nodes get an expiry limit as soon as the budget would be spent within this many dead-man times.
   * One dead-man time is not enough: the last renewal can arrive some time after the controller has
   * failed.
   */
  private static final int LIMIT_FROM_DEAD_MAN_TIMES = 2;

  /** Receives the requests that the core cannot decide alone. All methods return immediately. */
  public interface AdvisorRequests {
    /** Requests a new plan for the rest of the run. */
    void replan(Command.Replan command);

    /** Requests the user's approval of a higher budget. */
    void askBudget(Command.AskBudget command);

    /** Requests the configurations of new trials. */
    void configure(Command.ConfigureTrials command);

    /** Requests the choice of the next measurement. */
    void chooseMeasurement(Command.ChooseMeasurement command);
  }

  private final String run;
  private final Cloud cloud;
  private final Engine engine;
  private final Duration deadMan;
  private final BiFunction<String, String, LeaseRequest> leases;
  private final Function<Command.StartAttempt, AttemptSpec> attempts;
  private final AdvisorRequests advisorRequests;
  private NodeExpiryLimit sentLimit = NodeExpiryLimit.NONE;

  /**
   * Creates the executor of one controller's commands.
   *
   * @param run the run's ID
   * @param deadMan how long instances keep running without their controller
   * @param leases creates the request for a lease from its ID and the name of its offer
   * @param attempts creates the specification of an attempt
   * @param advisorRequests receives requests for new plans and budget approvals
   */
  public CommandExecutor(
      String run,
      Cloud cloud,
      Engine engine,
      Duration deadMan,
      BiFunction<String, String, LeaseRequest> leases,
      Function<Command.StartAttempt, AttemptSpec> attempts,
      AdvisorRequests advisorRequests) {
    this.run = run;
    this.cloud = cloud;
    this.engine = engine;
    this.deadMan = deadMan;
    this.leases = leases;
    this.attempts = attempts;
    this.advisorRequests = advisorRequests;
  }

  /**
   * Sends the cloud the expiry limit of all nodes if it has changed, so that the run stays within
   * its budget even if this controller fails. Call it before executing the commands of a step: the
   * limit accounts for the instances that they request.
   *
   * @param ledger the ledger of the state after the step
   */
  public void limitNodeExpiry(Ledger ledger) {
    NodeExpiryLimit limit = ledger.lifeLimit(deadMan.multipliedBy(LIMIT_FROM_DEAD_MAN_TIMES));
    if (isEarlier(limit) || isMuchLater(limit)) {
      sentLimit = limit;
      cloud.limitNodeExpiry(limit);
    }
  }

  private boolean isEarlier(NodeExpiryLimit limit) {
    return limit.isLimited()
        && (!sentLimit.isLimited()
            || limit.latest().isBefore(sentLimit.latest().minus(MIN_REDUCTION))
            || !sentLimit.starting().keySet().containsAll(limit.starting().keySet()));
  }

  private boolean isMuchLater(NodeExpiryLimit limit) {
    return sentLimit.isLimited()
        && (!limit.isLimited() || limit.latest().isAfter(sentLimit.latest().plus(MIN_EXTENSION)));
  }

  @Override
  public void request(Command.RequestInstance command) {
    cloud.request(leases.apply(command.lease(), command.offer()));
  }

  @Override
  public void adopt(Command.AdoptInstance command) {
    cloud.adopt(leases.apply(command.lease(), command.offer()));
  }

  @Override
  public void release(Command.ReleaseInstance command) {
    cloud.release(command.lease());
  }

  @Override
  public void start(Command.StartAttempt command) {
    engine.start(attempts.apply(command));
  }

  @Override
  public void adopt(Command.AdoptAttempt command) {
    engine.adopt(attempts.apply(command.start()), command.reported());
  }

  @Override
  public void stop(Command.StopAttempt command) {
    if (command.graceS().isPresent()) {
      engine.stop(command.attempt(), duration(command.graceS().getAsDouble()));
    } else {
      engine.stop(command.attempt());
    }
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis((long) Math.ceil(seconds * 1000));
  }

  @Override
  public void kill(Command.KillAttempt command) {
    engine.kill(command.attempt());
  }

  @Override
  public void check(Command.CheckAttempt command) {
    engine.check(command.attempt());
  }

  @Override
  public void list(Command.ListInstances command) {
    cloud.list(run);
  }

  @Override
  public void replan(Command.Replan command) {
    advisorRequests.replan(command);
  }

  @Override
  public void askBudget(Command.AskBudget command) {
    advisorRequests.askBudget(command);
  }

  @Override
  public void configure(Command.ConfigureTrials command) {
    advisorRequests.configure(command);
  }

  @Override
  public void chooseMeasurement(Command.ChooseMeasurement command) {
    advisorRequests.chooseMeasurement(command);
  }

  @Override
  public void finish(Command.Finish command) {
    // Recorded in the journal only: no external effect.
  }
}

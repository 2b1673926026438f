package io.elastune.executor.shell;

import io.elastune.executor.core.Command;
import io.elastune.executor.core.Ledger;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LifeLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Carries the core's commands out through the two doors, be the world behind them real or
 * simulated.
 */
public final class Doors implements Command.Visitor<Optional<Void>> {
  /** How much longer instances may live on for it to be worth telling. */
  private static final Duration WORTH_TELLING = Duration.ofSeconds(5);

  /**
   * By how much they are to end sooner for it to matter: a run stops as long before, and longer.
   */
  private static final Duration MATTERS = Duration.ofSeconds(1);

  /**
   * From how many dead-man times before it on nodes are told when their money is used up. What puts
   * their own end off may come a while after this controller is heard of for the last time.
   */
  private static final int TOLD_BEFORE = 2;

  /** Who is asked where the core does not decide alone. Both return at once. */
  public interface Counsel {
    /** Has the rest planned anew. */
    void replan(Command.Replan command);

    /** Has the user asked for more money. */
    void askBudget(Command.AskBudget command);
  }

  private final String run;
  private final Cloud cloud;
  private final Engine engine;
  private final Duration deadMan;
  private final BiFunction<String, String, LeaseRequest> leases;
  private final Function<Command.StartAttempt, AttemptSpec> attempts;
  private final Counsel counsel;
  private LifeLimit told = LifeLimit.NONE;

  /**
   * The doors of one controller.
   *
   * @param run the run's id
   * @param deadMan how long instances live on without their controller
   * @param leases all about a lease, by its id and the name of its offer
   * @param attempts all about an attempt
   * @param counsel who is asked
   */
  public Doors(
      String run,
      Cloud cloud,
      Engine engine,
      Duration deadMan,
      BiFunction<String, String, LeaseRequest> leases,
      Function<Command.StartAttempt, AttemptSpec> attempts,
      Counsel counsel) {
    this.run = run;
    this.cloud = cloud;
    this.engine = engine;
    this.deadMan = deadMan;
    this.leases = leases;
    this.attempts = attempts;
    this.counsel = counsel;
  }

  /**
   * Tells the cloud how long nodes may live for the budget to pay for it, if that is new: in case
   * that this controller is never heard of again. To be called before the commands of a step are
   * carried out, so that what it is about to rent is taken into account.
   *
   * @param ledger of the state after the step
   */
  public void limitLives(Ledger ledger) {
    LifeLimit limit = ledger.lifeLimit(deadMan.multipliedBy(TOLD_BEFORE));
    if (isSooner(limit) || isMuchLater(limit)) {
      told = limit;
      cloud.limitLives(limit);
    }
  }

  private boolean isSooner(LifeLimit limit) {
    return limit.exists()
        && (!told.exists()
            || limit.latest().isBefore(told.latest().minus(MATTERS))
            || !told.starting().keySet().containsAll(limit.starting().keySet()));
  }

  private boolean isMuchLater(LifeLimit limit) {
    return told.exists()
        && (!limit.exists() || limit.latest().isAfter(told.latest().plus(WORTH_TELLING)));
  }

  @Override
  public Optional<Void> request(Command.RequestInstance command) {
    cloud.request(leases.apply(command.lease(), command.offer()));
    return Optional.empty();
  }

  @Override
  public Optional<Void> adopt(Command.AdoptInstance command) {
    cloud.adopt(leases.apply(command.lease(), command.offer()));
    return Optional.empty();
  }

  @Override
  public Optional<Void> release(Command.ReleaseInstance command) {
    cloud.release(command.lease());
    return Optional.empty();
  }

  @Override
  public Optional<Void> start(Command.StartAttempt command) {
    engine.start(attempts.apply(command));
    return Optional.empty();
  }

  @Override
  public Optional<Void> adopt(Command.AdoptAttempt command) {
    engine.adopt(attempts.apply(command.start()), command.reported());
    return Optional.empty();
  }

  @Override
  public Optional<Void> stop(Command.StopAttempt command) {
    engine.stop(command.attempt());
    return Optional.empty();
  }

  @Override
  public Optional<Void> kill(Command.KillAttempt command) {
    engine.kill(command.attempt());
    return Optional.empty();
  }

  @Override
  public Optional<Void> list(Command.ListInstances command) {
    cloud.list(run);
    return Optional.empty();
  }

  @Override
  public Optional<Void> replan(Command.Replan command) {
    counsel.replan(command);
    return Optional.empty();
  }

  @Override
  public Optional<Void> askBudget(Command.AskBudget command) {
    counsel.askBudget(command);
    return Optional.empty();
  }

  @Override
  public Optional<Void> finish(Command.Finish command) {
    return Optional.empty(); // The journal says so; nothing outside has to be told.
  }
}

package io.elastune.executor.decision.forecast;

import io.elastune.core.billing.LeaseCost;
import io.elastune.core.offer.Offer;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.ClockError;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.LeaseUse;
import io.elastune.executor.decision.model.ResumeAnswers;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.provisioner.NodeExpiryLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Computes the cost of a run so far and in total over all leases, from the timestamps of the cloud.
 * Profiling is a separate run and not included.
 */
public final class Ledger {
  /** Seconds from one tick to the end of the instances that are released because of it. */
  public static final double LAST_SECONDS = 2;

  private static final double MILLISECOND = 1e-3;
  private static final double NANOS_PER_S = 1e9;

  private final RunDefinition definition;
  private final RunState state;

  // Computed once: a step asks for them several times.
  private OptionalDouble leasesUsd = OptionalDouble.empty();
  private Optional<CommittedCost> committed = Optional.empty();
  private Optional<RestForecast> rest = Optional.empty();

  private Ledger(RunDefinition definition, RunState state) {
    this.definition = definition;
    this.state = state;
  }

  /** Returns the ledger of a run at the time of {@code state}. */
  public static Ledger of(RunDefinition definition, RunState state) {
    return new Ledger(definition, state);
  }

  /** Returns the cost of one lease in USD, up to now or up to its end. */
  public double leaseUsd(LeaseState lease) {
    LeaseBill bill = bill(lease);
    return lease.terminatedAt().isPresent()
        ? bill.usd(lease.terminatedAt().get())
        : bill.accruedUsd(state.now());
  }

  /**
   * Returns the cost so far in USD: ended leases as billed, running ones by the second, the
   * controller's machine and checkpoint storage.
   */
  public double spentUsd() {
    return leasesUsd() + runningCostsUsd();
  }

  private double leasesUsd() {
    if (leasesUsd.isEmpty()) {
      double usd = 0;
      for (LeaseState lease : state.leases().values()) {
        usd += leaseUsd(lease);
      }
      leasesUsd = OptionalDouble.of(usd);
    }
    return leasesUsd.getAsDouble();
  }

  /** Returns the cost so far in USD of the controller's machine and of checkpoint storage. */
  public double runningCostsUsd() {
    Instant end = state.completedAt().filter(at -> remainingSeconds() == 0).orElse(state.now());
    return state
        .began()
        .map(began -> definition.running().usd(Seconds.between(began, end)))
        .orElse(0.0);
  }

  /**
   * Returns the USD that must still be paid if everything were released now: the time for
   * checkpoints, with controller and storage, the rest of each billing granule or minimum, and
   * instances that may already run unreported.
   */
  public double committedUsd() {
    return committedUsd(definition.graceS());
  }

  /** Returns the committed cost if the release takes {@code seconds}. */
  public double committedUsd(double seconds) {
    if (committed.isEmpty()) {
      committed = Optional.of(committed(0));
    }
    return committed.get().usd(seconds);
  }

  /**
   * Returns the committed cost while the cloud has not answered about all leases of an earlier
   * controller: they may have run, and ended, at times that this controller's clock has not
   * reached.
   */
  public double unansweredUsd() {
    return committedUsd(definition.graceS() + ClockError.MOST_S);
  }

  /**
   * Returns the cost so far and the committed cost, without what depends on answers that a resumed
   * run waits for: leases of an earlier controller about which the cloud has not answered, and
   * their use by trials about which the engine has not. They may have ended long ago. If they have
   * not, the budget covers them: the nodes shut themselves down at their {@linkplain #lifeLimit
   * expiry}, which covers all leases at worst.
   */
  public double answeredUsd() {
    double usd = spentUsd() + committedUsd();
    Instant end = Seconds.after(state.now(), definition.graceS());
    for (LeaseState lease : state.leases().values()) {
      if (lease.terminatedAt().isEmpty()) {
        usd -= unansweredUsd(lease, end);
      }
    }
    return usd;
  }

  private double unansweredUsd(LeaseState lease, Instant end) {
    ResumeAnswers answers = state.steering().answers();
    if (lease.isUnconfirmed()
        || (lease.isUnanswered() && answers.isExpected(lease.lease(), state.now()))) {
      return openAtWorst(lease, lease.use()).usd(end);
    }
    return answers.isUseUnanswered(lease.lease(), state.attempts().values())
        ? openAtWorst(lease, lease.use()).usd(end)
            - openAtWorst(lease, lease.use().withoutPresent()).usd(end)
        : 0;
  }

  /**
   * What is committed, for any time that the release takes.
   *
   * @param clockS seconds by which the clock of the controller that has requested a lease may be
   *     ahead of the cloud's, if the lease has ended and its start was not reported
   */
  private CommittedCost committed(double clockS) {
    List<LeaseBill> open = new ArrayList<>();
    double usd = 0;
    for (LeaseState lease : state.leases().values()) {
      if (lease.terminatedAt().isEmpty()) {
        open.add(openAtWorst(lease, lease.use()));
        usd -= leaseUsd(lease);
      } else if (lease.mayBeBilled(state.now())) {
        LeaseBill worst = atWorst(lease, useAtWorst(lease, lease.use()), clockS);
        usd += worst.usd(lease.terminatedAt().get()) - leaseUsd(lease);
      }
    }
    return new CommittedCost(state.now(), open, usd, definition.running());
  }

  /**
   * Returns until when the budget covers all open leases if no controller releases them. Nodes
   * without contact to a controller shut themselves down by then. A controller stops the run by the
   * same cost, and earlier: it grants the trials time for their checkpoints. The result does not
   * depend on the controller's clock: running instances count from the cloud's own time, requested
   * ones get a duration from their own start, and trials may have started earlier by the error of
   * the clock.
   *
   * @param most nodes shut themselves down after this time in any case
   * @return none if the budget covers a longer time, or if the run does not stop at its budget
   */
  public NodeExpiryLimit lifeLimit(Duration most) {
    double left = state.budgetLeftUsd(definition).orElse(Double.POSITIVE_INFINITY) - spentUsd();
    double far = Seconds.of(most) + LAST_SECONDS;
    CommittedCost committed = committed(ClockError.MOST_S);
    if (!definition.stopsAtBudget() || committed.usd(far) <= left) {
      return NodeExpiryLimit.NONE;
    }
    double paid = -state.elapsedS() - ClockError.MOST_S; // it may have been spent long ago
    double unpaid = far;
    while (unpaid - paid > MILLISECOND) {
      double middle = (paid + unpaid) / 2;
      if (committed.usd(middle) <= left) {
        paid = middle;
      } else {
        unpaid = middle;
      }
    }
    Instant latest = state.now().plusNanos((long) ((paid - LAST_SECONDS) * NANOS_PER_S));
    return new NodeExpiryLimit(latest, starting(latest));
  }

  /**
   * For each lease that may not run yet: the time for which it was counted. If running nodes may
   * have exceeded {@code latest}, it is not longer than before: their cost may be higher.
   */
  private Map<String, Duration> starting(Instant latest) {
    boolean mayHavePassed = latest.isBefore(Seconds.after(state.now(), ClockError.MOST_S));
    Map<String, Duration> starting = new HashMap<>();
    for (LeaseState lease : state.leases().values()) {
      if (lease.mayRunUnreported()) {
        double most = Math.max(0, Seconds.between(lease.requestedAt(), latest));
        double before = lease.allowedS();
        double granted = mayHavePassed && before > 0 ? Math.min(most, before) : most;
        starting.put(lease.lease(), Duration.ofNanos((long) (granted * NANOS_PER_S)));
      }
    }
    return starting;
  }

  /**
   * Until the cloud reports its start, a lease may have been running since its request. On this
   * machine the controller itself starts it, possibly after a long wait for GPUs.
   */
  private LeaseBill atWorst(LeaseState lease, LeaseUse use, double earlierS) {
    LeaseBill used = bill(lease).with(use);
    if (lease.runningAt().isPresent() || definition.isOnThisMachine(lease)) {
      return used;
    }
    return used.running(lease.requestedAt().minusMillis(Math.round(earlierS * 1000)));
  }

  /**
   * Trials may start on a lease that is held at any moment: what their use costs at least is
   * committed before.
   */
  private LeaseUse useAtWorst(LeaseState lease, LeaseUse use) {
    return lease.held() ? use.started(state.now()) : use;
  }

  /**
   * A running lease ends at a time of the cloud's clock; its trials start by the controller's. A
   * node whose start is not known may have run as long as it was ever allowed to. The clock of this
   * machine is that of its instances.
   */
  private LeaseBill openAtWorst(LeaseState lease, LeaseUse use) {
    LeaseUse worst = useAtWorst(lease, use);
    if (definition.isOnThisMachine(lease)) {
      return atWorst(lease, worst, 0);
    }
    return lease.runningAt().isEmpty()
        ? atWorst(lease, worst, 0).atLeastUntil(lease.mayHaveRunUntil(state.now()))
        : atWorst(lease, worst.byAnotherClock(state.clock().aheadS()), 0);
  }

  /**
   * Returns the least USD that an instance of {@code offer} costs, if released as early as
   * possible. While the run's time stands still, what passes until then does not show.
   */
  public double leastUsd(String offer) {
    Offer now = definition.offer(offer).withUsdPerHour(state.usdPerHour(definition, offer));
    double hiddenS =
        state.clock().isStill(state.now()) ? state.clock().aheadS() + ClockError.MOST_S : 0;
    double seconds = definition.graceS() + hiddenS;
    return LeaseCost.of(now, 0, seconds, seconds).totalUsd();
  }

  /** Returns the forecast total cost of the run in USD. */
  public double forecastUsd() {
    return spentUsd() + endingUsd() + rest().usd() + definition.running().usd(remainingSeconds());
  }

  /**
   * Returns the rest of the billing increments and minimums, in USD, of leases whose release was
   * requested and whose end was not reported.
   */
  private double endingUsd() {
    double usd = 0;
    for (LeaseState lease : state.leases().values()) {
      if (!lease.held() && lease.terminatedAt().isEmpty()) {
        usd += bill(lease).usd(state.now()) - leaseUsd(lease);
      }
    }
    return usd;
  }

  /** Returns the forecast seconds until the last group ends. */
  public double remainingSeconds() {
    return rest().seconds();
  }

  private RestForecast rest() {
    if (rest.isEmpty()) {
      rest = Optional.of(SampledForecast.of(definition, state));
    }
    return rest.get();
  }

  /**
   * Returns the cost of one group in USD: each lease's bill in proportion to the seconds that it
   * ran during the group. Time outside all groups belongs to the nearest group that held the lease.
   * The cost of instances that chains share is divided by the GPU-seconds of the groups' tasks.
   */
  public double groupUsd(int chain, int group) {
    if (definition.plan().shared()) {
      return leasesUsd() * new PoolShares(definition, state).of(chain, group);
    }
    ChainState at = state.chains().get(chain);
    double usd = 0;
    for (LeaseState lease : state.leases().values()) {
      if (lease.pool() == chain && lease.runningAt().isPresent()) {
        usd += share(at, lease, lease.runningAt().get(), group);
      }
    }
    return usd;
  }

  private double share(ChainState at, LeaseState lease, Instant running, int group) {
    Instant end = lease.terminatedAt().orElse(state.now());
    double whole = 0;
    double here = 0;
    for (int i = 0; i < at.started().size(); i++) {
      Instant from = latest(at.started().get(i), running);
      boolean last = i + 1 == at.started().size();
      Instant to = last || at.started().get(i + 1).isAfter(end) ? end : at.started().get(i + 1);
      double seconds = Math.max(0, Seconds.between(from, to));
      whole += seconds;
      here += i == group ? seconds : 0;
    }
    return whole == 0 ? 0 : leaseUsd(lease) * here / whole;
  }

  private static Instant latest(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private LeaseBill bill(LeaseState lease) {
    return new LeaseBill(definition.offer(lease.offer()), lease);
  }
}

package io.elastune.executor.core;

import io.elastune.core.billing.LeaseCost;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Seconds;
import io.elastune.provisioner.LifeLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run has cost and will cost, from the cloud's own timestamps, over all leases. Profiling is
 * a run of its own and is not in here.
 */
public final class Ledger {
  /** Seconds by which our clock may be ahead of the cloud's. */
  private static final double CLOCK_S = 120;

  /** Seconds from one tick to the end of the instances that are released because of it. */
  static final double LAST_SECONDS = 2;

  private static final double MILLISECOND = 1e-3;
  private static final double NANOS_PER_S = 1e9;

  private final RunDefinition definition;
  private final RunState state;
  private final Ahead ahead;
  private final IdentityHashMap<Offer, Offer> bySecond = new IdentityHashMap<>();

  private Ledger(RunDefinition definition, RunState state) {
    this.definition = definition;
    this.state = state;
    this.ahead = new Ahead(definition, state);
  }

  /** The ledger of a run at the state's latest moment. */
  public static Ledger of(RunDefinition definition, RunState state) {
    return new Ledger(definition, state);
  }

  /** Dollars of one lease up to now, or up to its end. */
  public double leaseUsd(LeaseState lease) {
    boolean open = lease.terminatedAt().isEmpty();
    return bill(lease, lease.terminatedAt().orElse(state.now()), open);
  }

  /**
   * Dollars so far: ended leases as billed, running ones by the second, controller and checkpoints.
   */
  public double spentUsd() {
    double usd = 0;
    for (LeaseState lease : state.leases().values()) {
      usd += leaseUsd(lease);
    }
    return usd + runningCostsUsd();
  }

  /** Dollars so far of what is paid by the hour: the controller's machine, and checkpoints. */
  public double runningCostsUsd() {
    Instant end = state.completedAt().filter(at -> remainingSeconds() == 0).orElse(state.now());
    return state
        .began()
        .map(began -> definition.running().usd(Seconds.between(began, end)))
        .orElse(0.0);
  }

  /**
   * Dollars that must still be paid if everything were let go now: the time that checkpoints may
   * take, controller and storage included, the rest of each granule or minimum, and what may run
   * without our knowing yet.
   */
  public double committedUsd() {
    return committedUsd(definition.graceS());
  }

  /** The same if letting go took {@code seconds}. */
  double committedUsd(double seconds) {
    return committedUsd(seconds, 0);
  }

  /**
   * {@code clockS}: by how much our clock may be ahead of the cloud's, which has a say where an end
   * is by the one, and the request before it by the other.
   */
  private double committedUsd(double seconds, double clockS) {
    Instant end = state.now().plusMillis(Math.round(seconds * 1000));
    boolean anyOpen = false;
    double usd = 0;
    for (LeaseState lease : state.leases().values()) {
      if (lease.terminatedAt().isEmpty()) {
        anyOpen = true;
        usd += bill(atWorst(lease, 0), end, false) - leaseUsd(lease);
      } else if (lease.mayBeBilled(state.now())) {
        usd += bill(atWorst(lease, clockS), lease.terminatedAt().get(), false) - leaseUsd(lease);
      }
    }
    return usd + (anyOpen ? definition.running().usd(seconds) : 0);
  }

  /**
   * How long the budget pays for all that is open, should nobody be there to let go of it: nodes
   * that hear nothing end themselves, and are to do so by then. That is when a controller would
   * stop the run, so that one that comes back before has the time to. It does not matter how right
   * our clock is: what runs, runs since a moment of the cloud's own, and what has only been
   * requested gets a time from its own start on.
   *
   * @param most nodes have ended themselves after so long in any case
   * @return none if the budget pays for longer than that, or no run stops at it
   */
  public LifeLimit lifeLimit(Duration most) {
    double left = state.budgetLeftUsd(definition).orElse(Double.POSITIVE_INFINITY) - spentUsd();
    boolean running = state.phase() == RunState.Phase.RUNNING;
    double toStop = LAST_SECONDS + (running ? definition.graceS() : 0);
    double far = Seconds.of(most) + toStop;
    if (!definition.stopsAtBudget() || committedUsd(far, CLOCK_S) <= left) {
      return LifeLimit.NONE;
    }
    double paid = toStop - CLOCK_S; // by our clock it may have been over before it is
    double unpaid = far;
    while (unpaid - paid > MILLISECOND) {
      double middle = (paid + unpaid) / 2;
      if (committedUsd(middle, CLOCK_S) <= left) {
        paid = middle;
      } else {
        unpaid = middle;
      }
    }
    Instant latest = state.now().plusNanos((long) ((paid - toStop) * NANOS_PER_S));
    return new LifeLimit(latest, starting(latest));
  }

  /** Of what may not run yet: for how long it was counted. */
  private Map<String, Duration> starting(Instant latest) {
    Map<String, Duration> starting = new HashMap<>();
    for (LeaseState lease : state.leases().values()) {
      if (lease.terminatedAt().isEmpty() && lease.runningAt().isEmpty()) {
        Duration most = Duration.between(lease.requestedAt(), latest);
        starting.put(lease.lease(), most.isNegative() ? Duration.ZERO : most);
      }
    }
    return starting;
  }

  /** Until the cloud has told that it runs, it may have been running since it was requested. */
  private static LeaseState atWorst(LeaseState lease, double earlierS) {
    Instant asked = lease.requestedAt().minusMillis(Math.round(earlierS * 1000));
    return lease.running(lease.runningAt().orElse(asked));
  }

  /** Dollars that an instance of {@code offer} costs at least, if let go as soon as it can be. */
  double leastUsd(String offer) {
    Offer now = definition.offer(offer).withUsdPerHour(state.usdPerHour(definition, offer));
    return LeaseCost.of(now, 0, definition.graceS(), definition.graceS()).totalUsd();
  }

  /** Dollars that the whole run will have cost, if the rest goes as planned. */
  public double forecastUsd() {
    double rest = 0;
    for (int chain = 0; chain < state.chains().size(); chain++) {
      rest += remaining(chain, true);
    }
    return spentUsd() + rest + definition.running().usd(remainingSeconds());
  }

  /** Seconds until the last group ends, if the rest goes as planned. */
  public double remainingSeconds() {
    double longest = 0;
    for (int chain = 0; chain < state.chains().size(); chain++) {
      longest = Math.max(longest, remaining(chain, false));
    }
    return longest;
  }

  private double remaining(int index, boolean money) {
    if (definition.planning().isPresent()) {
      return ahead.rest(index, money);
    }
    Chain chain = definition.workload().chains().get(index);
    ChainState at = state.chains().get(index);
    List<TrialGroup> groups = chain.groups();
    double rest = 0;
    for (int i = at.group(); i < groups.size(); i++) {
      RunDefinition.Forecast forecast = definition.forecasts().get(groups.get(i).name());
      if (forecast != null) {
        double share = i == at.group() ? leftOfGroup(at, forecast) : 1;
        rest += share * (money ? forecast.usd() : forecast.seconds());
      }
    }
    return rest;
  }

  private double leftOfGroup(ChainState at, RunDefinition.Forecast forecast) {
    if (at.started().size() <= at.group() || forecast.seconds() <= 0) {
      return 1;
    }
    double elapsed = Seconds.between(at.started().get(at.group()), state.now());
    return Math.max(0, 1 - elapsed / forecast.seconds());
  }

  /**
   * Dollars that fall into one group: each lease's bill by the seconds that it was running within
   * the group's time; what lies outside every group's time belongs to the nearest one that held it.
   */
  public double groupUsd(int chain, int group) {
    ChainState at = state.chains().get(chain);
    double usd = 0;
    for (LeaseState lease : state.leases().values()) {
      if (lease.chain() == chain && lease.runningAt().isPresent()) {
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

  /** The bill of a lease that ends, or is looked at, at {@code end}. */
  private double bill(LeaseState lease, Instant end, boolean byTheSecond) {
    Offer offer = definition.offer(lease.offer());
    if (offer.usdPerHour() != lease.usdPerHour()) {
      offer = offer.withUsdPerHour(lease.usdPerHour());
    }
    double running = lease.runningAt().map(at -> Seconds.between(at, end)).orElse(0.0);
    double used = lease.busySince().map(since -> Seconds.between(since, end)).orElse(0.0);
    Offer terms = byTheSecond ? bySecond.computeIfAbsent(offer, Ledger::bySecond) : offer;
    return LeaseCost.of(terms, 0, running, lease.usedS() + used).totalUsd();
  }

  /** The same terms without granules and minimum: what has run up, not what is owed. */
  private static Offer bySecond(Offer offer) {
    BillingTerms terms = offer.billing();
    return offer.withBilling(new BillingTerms(terms.per(), MILLISECOND, 0, terms.perUseUsd()));
  }
}

package io.elastune.executor.rehearsal;

import io.elastune.core.billing.Billing;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.executor.simulation.CapacityTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;

/**
 * A lower bound on the mean cost of every policy that meets the deadline, also of one that knows
 * the trace. Its runs have no boots, no lost progress, no minimum billing and no spread, may change
 * their instances at any moment, and may use the time with spot capacity for any group.
 *
 * <p>What remains is a linear program: the time that each group spends with each number of
 * instances, size and market; in total at most the deadline, and on spot at most the time in which
 * any zone has capacity. Any two prices of these times give a lower bound (weak duality); the
 * highest one is searched.
 */
final class SpotBound {
  private static final int STEPS = 60;

  /** The highest price of a second, in multiples of what all instances cost on demand. */
  private static final double HIGHEST_PRICE = 20;

  /** One way to train a group. */
  private record Option(boolean spot, double usdPerS, double groupsPerS) {}

  private final List<List<Option>> groups = new ArrayList<>();
  private final double deadlineS;
  private final double highestUsdPerS;

  SpotBound(Problem problem) {
    deadlineS = problem.limits().deadlineS().orElseThrow();
    int instances = problem.limits().maxInstances();
    for (TrialGroup group : problem.workload().groups()) {
      List<Option> options = new ArrayList<>();
      for (Offer offer : problem.offers()) {
        for (int count = 1; count <= instances; count++) {
          options.addAll(options(problem, group, offer, count));
        }
      }
      groups.add(options);
    }
    highestUsdPerS =
        HIGHEST_PRICE
            * instances
            * problem.offers().stream().mapToDouble(Offer::usdPerHour).max().orElseThrow()
            / Billing.SECONDS_PER_HOUR;
  }

  private static List<Option> options(
      Problem problem, TrialGroup group, Offer offer, int instances) {
    Profile profile = problem.profile(offer).orElseThrow();
    return Stream.of(1, 2, 4)
        .filter(gpus -> gpus <= offer.gpus())
        .map(
            gpus -> {
              double trialS =
                  profile.startupS().mean()
                      + group.units() * profile.secondsPerUnit(gpus).orElseThrow();
              double slots = (double) instances * offer.gpus() / gpus;
              return new Option(
                  offer.market() == Market.SPOT,
                  instances * offer.usdPerHour() / Billing.SECONDS_PER_HOUR,
                  Math.min(slots, group.trials()) / (group.trials() * trialS));
            })
        .toList();
  }

  /** Returns the bound in USD for a run that starts {@code offsetS} seconds into the traces. */
  double usd(List<CapacityTrace> zones, double offsetS) {
    return usd(spotSeconds(zones, offsetS));
  }

  /** Returns the seconds until the deadline in which any zone has capacity. */
  private double spotSeconds(List<CapacityTrace> zones, double offsetS) {
    double available = 0;
    double at = offsetS;
    while (at < offsetS + deadlineS) {
      double now = at;
      double until =
          zones.stream()
              .mapToDouble(zone -> zone.nextChangeS(now))
              .min()
              .orElse(Double.POSITIVE_INFINITY);
      until = Math.min(until, offsetS + deadlineS);
      if (zones.stream().anyMatch(zone -> zone.share(now) > 0)) {
        available += until - at;
      }
      at = until;
    }
    return available;
  }

  /** Returns the bound for a number of seconds with spot capacity. */
  double usd(double spotSeconds) {
    return highest(timePrice -> highest(spotPrice -> dual(timePrice, spotPrice, spotSeconds)));
  }

  private double dual(double timePrice, double spotPrice, double spotSeconds) {
    double sum = -timePrice * deadlineS - spotPrice * spotSeconds;
    for (List<Option> options : groups) {
      double least = Double.POSITIVE_INFINITY;
      for (Option option : options) {
        double price = option.usdPerS() + timePrice + (option.spot() ? spotPrice : 0);
        least = Math.min(least, price / option.groupsPerS());
      }
      sum += least;
    }
    return sum;
  }

  /** Returns the highest value of a concave function that the search finds. */
  private double highest(DoubleUnaryOperator concave) {
    double low = 0;
    double high = highestUsdPerS;
    double best = concave.applyAsDouble(0);
    for (int i = 0; i < STEPS; i++) {
      double left = low + (high - low) / 3;
      double right = high - (high - low) / 3;
      double atLeft = concave.applyAsDouble(left);
      double atRight = concave.applyAsDouble(right);
      best = Math.max(best, Math.max(atLeft, atRight));
      if (atLeft < atRight) {
        low = left;
      } else {
        high = right;
      }
    }
    return best;
  }
}

package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.InstanceFaultRatesBuilder;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.plan.Problem;
import io.elastune.core.properties.Tier;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares predicted with realized shares of runs within a deadline and a budget, for random jobs
 * with the shipped fault rates (docs/reliability.md, "Calibration"). The ordinary build checks a
 * few jobs; {@code scripts/calibrate 200 2500} checks 200 of all kinds in turn (or a part of them,
 * from {@code -Delastune.calibration.first=101} on), and also injects three times and a third of
 * the predicted rates ({@code -Delastune.calibration.factors=1,3,0.333}).
 *
 * <p>A thousand executions have a standard error of 0.0095 at a share of 0.9, so that a gap of 0.02
 * shows nothing. Jobs are therefore executed again until their gap is beyond or within the limit by
 * two standard errors, or {@code elastune.calibration.most} times.
 */
class FaultCalibrationTest {
  /** The largest probability of a fault that offers and profiles may state. */
  private static final double MOST_PROBABILITY = 0.95;

  private static final String ON_TIME = "on time";
  private static final String IN_BUDGET = "in budget";
  private static final int JOBS = Tier.runs("elastune.calibration.jobs", 9, 60);
  private static final int FIRST = Integer.getInteger("elastune.calibration.first", 1);
  private static final int RUNS = Tier.runs("elastune.calibration.runs", 40, 150);
  private static final List<Double> FACTORS =
      Stream.of(System.getProperty("elastune.calibration.factors", "1").split(",", -1))
          .map(Double::valueOf)
          .toList();
  private static final int MOST = Integer.getInteger("elastune.calibration.most", RUNS);

  /** The jobs of other factors than 1, which have no limit to be compared with. */
  private static final int OTHER_JOBS = Math.min(JOBS, 40);

  private static final int SAMPLES = Tier.runs("elastune.calibration.samples", 3_000, 20_000);
  private static final double CONFIDENCE = 0.9;
  private static final double LIMIT = 0.02;
  private static final double MEAN_LIMIT = 0.005;

  /** Distance from the limit, in standard errors, at which a gap is decided. */
  private static final double DECIDED = 2;

  /** Gaps up to this number of standard errors are attributed to chance. */
  private static final double ERRORS = 4;

  /**
   * Predicted and realized share of one job.
   *
   * @param first the share of the first {@link #RUNS} executions
   * @param realized the share of all executions
   */
  private record Gap(
      long seed, String what, double predicted, double first, double realized, int runs) {
    double size() {
      return Math.abs(predicted - realized);
    }

    double error() {
      return error(runs);
    }

    double error(int count) {
      return Math.sqrt(predicted * (1 - predicted) * (1.0 / count + 1.0 / SAMPLES));
    }

    boolean isSignificant() {
      return size() > LIMIT + ERRORS * error();
    }

    boolean isDecided() {
      return Math.abs(size() - LIMIT) > DECIDED * error();
    }

    /** Returns an estimate of the squared gap without chance, from the first executions. */
    double squared() {
      return Math.pow(predicted - first, 2) - Math.pow(error(RUNS), 2);
    }
  }

  @Test
  void realizedSharesAreThePredictedOnes() {
    for (double factor : FACTORS) {
      long until = factor == 1 ? JOBS : OTHER_JOBS;
      if (until < FIRST) {
        continue; // this part has none of the jobs of other factors
      }
      List<Gap> gaps = new ArrayList<>();
      for (long seed = FIRST; seed <= until; seed++) {
        List<Gap> some = gaps(seed, JobKinds.inTurn(seed), factor);
        if (MOST > RUNS) {
          some.forEach(gap -> print(gap, factor)); // a long computation shows its progress
        }
        gaps.addAll(some);
      }
      for (String what : List.of(ON_TIME, IN_BUDGET)) {
        List<Gap> some = gaps.stream().filter(gap -> gap.what.equals(what)).toList();
        print(some, factor, what);
        if (factor == 1) {
          some.stream().filter(gap -> gap.size() > LIMIT).forEach(gap -> print(gap, factor));
          assertThat(some).noneMatch(Gap::isSignificant);
          double chance = Math.pow(some.get(0).error(RUNS), 2) * Math.sqrt(2.0 / some.size());
          assertThat(meanSquare(some)).isLessThan(MEAN_LIMIT * MEAN_LIMIT + ERRORS * chance);
        }
      }
    }
  }

  private static double meanSquare(List<Gap> gaps) {
    return gaps.stream().mapToDouble(Gap::squared).average().orElseThrow();
  }

  private static InstanceFaultRates times(double factor, InstanceFaultRates rates) {
    return InstanceFaultRatesBuilder.builder(rates)
        .refusal(probability(factor, rates.refusal()))
        .bootFailure(probability(factor, rates.bootFailure()))
        .slowBoot(probability(factor, rates.slowBoot()))
        .failures(rate(factor, rates.failures()))
        .preemptions(rate(factor, rates.preemptions()))
        .build();
  }

  private static TrialFaultRates times(double factor, TrialFaultRates rates) {
    return new TrialFaultRates(
        rate(factor, rates.crashes()),
        rate(factor, rates.hangs()),
        probability(factor, rates.tornCheckpoint()));
  }

  private static FaultRate probability(double factor, FaultRate rate) {
    return new FaultRate(
        Math.min(MOST_PROBABILITY, factor * rate.value()), rate.source(), rate.evidence());
  }

  private static FaultRate rate(double factor, FaultRate rate) {
    return new FaultRate(factor * rate.value(), rate.source(), rate.evidence());
  }

  private static List<Gap> gaps(
      long seed, RandomRehearsals.PlannedRandomJob random, double factor) {
    Problem predicted = random.problem().withDefaultFaults();
    Problem injected =
        predicted.withFaults(
            offer -> times(factor, offer.faults()), profile -> times(factor, profile.faults()));
    JointSamples samples = new Simulator(predicted, SAMPLES).sample(random.plan());
    double deadlineS = samples.safeDeadlineS(CONFIDENCE);
    double budgetUsd = samples.safeBudgetUsd(CONFIDENCE);
    double onTime = samples.onTime(inclusive(deadlineS));
    double inBudget = samples.inBudget(inclusive(budgetUsd));
    // HyperSched keeps its own deadline, at which its search ends: another one changes the run.
    boolean endsAtDeadline = predicted.hyperSched().isPresent();
    RehearsedJob job =
        new RandomRehearsals.PlannedRandomJob(injected, random.plan())
            .rehearsed(
                endsAtDeadline ? predicted.limits().deadlineS() : OptionalDouble.of(deadlineS),
                FaultRates.NONE);
    double latestS = deadlineS + (endsAtDeadline ? 0 : job.definition().deadlineToleranceS());
    Rehearsal rehearsal = new Rehearsal(job);
    double[] seconds = {};
    double[] usd = {};
    List<Gap> gaps = List.of();
    do {
      int before = seconds.length;
      seconds = Arrays.copyOf(seconds, before + RUNS);
      usd = Arrays.copyOf(usd, before + RUNS);
      for (int i = before; i < seconds.length; i++) {
        RehearsedRun run = rehearsal.run(i);
        assertThat(run.violations()).as("job %d, seed %d", seed, i).isEmpty();
        seconds[i] = Double.isNaN(run.completionS()) ? Double.POSITIVE_INFINITY : run.completionS();
        usd[i] = run.costUsd();
      }
      gaps =
          List.of(
              gap(seed, ON_TIME, onTime, seconds, latestS),
              gap(seed, IN_BUDGET, inBudget, usd, budgetUsd));
    } while (factor == 1
        && seconds.length + RUNS <= MOST
        && !gaps.stream().allMatch(Gap::isDecided));
    return gaps;
  }

  private static Gap gap(long seed, String what, double predicted, double[] all, double limit) {
    return new Gap(
        seed,
        what,
        predicted,
        within(Arrays.copyOf(all, RUNS), limit),
        within(all, limit),
        all.length);
  }

  /** Returns the fraction within the limit, up to rounding. */
  private static double within(double[] values, double limit) {
    return Arrays.stream(values).filter(value -> value <= inclusive(limit)).count()
        / (double) values.length;
  }

  private static double inclusive(double limit) {
    return limit * (1 + 1e-7);
  }

  /** Prints the gap of one job. */
  private static void print(Gap gap, double factor) {
    System.out.printf(
        Locale.ROOT,
        "  rates × %s, job %d of kind '%s', %s: predicted %.4f, realized %.4f, error %.4f (%d runs;"
            + " %.4f of the first %d)%n",
        factor,
        gap.seed,
        JobKinds.name(gap.seed),
        gap.what,
        gap.predicted,
        gap.realized,
        gap.error(),
        gap.runs,
        gap.first,
        RUNS);
  }

  /** Prints a row of the table in docs/reliability.md. */
  private static void print(List<Gap> gaps, double factor, String what) {
    System.out.printf(
        Locale.ROOT,
        "%d jobs, %d to %d runs each, rates × %s: %s: mean gap %.4f, without chance at most %.4f,"
            + " largest %.4f, over %s: %d jobs, of them by chance: %d,"
            + " mean of predicted minus realized %.4f, lowest realized %.3f%n",
        gaps.size(),
        RUNS,
        gaps.stream().mapToInt(Gap::runs).max().orElseThrow(),
        factor,
        what,
        gaps.stream().mapToDouble(Gap::size).average().orElseThrow(),
        Math.sqrt(Math.max(0, meanSquare(gaps))),
        gaps.stream().mapToDouble(Gap::size).max().orElseThrow(),
        LIMIT,
        gaps.stream().filter(gap -> gap.size() > LIMIT).count(),
        gaps.stream().filter(gap -> gap.size() > LIMIT && !gap.isDecided()).count(),
        gaps.stream().mapToDouble(gap -> gap.predicted - gap.realized).average().orElseThrow(),
        gaps.stream().mapToDouble(Gap::realized).min().orElseThrow());
  }
}

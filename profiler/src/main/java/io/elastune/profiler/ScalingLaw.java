package io.elastune.profiler;

import io.elastune.core.Preconditions;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.random.RandomStreams;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * How the seconds per unit depend on the GPUs of a trial, as far as the measured counts show it:
 * {@code t(g) = t(1) · (fixed + (1 − fixed) / g + communication · log2 g)}. These are three of the
 * terms of Ernest (Venkataraman et al., NSDI 2016). Real programs deviate from any smooth law, so
 * each count has a deviation of its own.
 *
 * <p>The law is a sample of the posterior distribution, by importance sampling: laws are drawn from
 * {@link ScalingPrior} and weighted by the likelihood of the measurements. No law is ever used as a
 * measurement; plans use measured counts only.
 */
public final class ScalingLaw {
  /** The beginning of the names of modeled numbers, before the GPU count. */
  public static final String MODELED = "modeled.";

  /** Standard deviation of the logarithm by which a count deviates from the smooth law. */
  private static final double DEVIATION = 0.08;

  /** The error of a measured number without a standard error, relative to it. */
  private static final double UNKNOWN_ERROR = 0.10;

  private static final int PRIOR_SAMPLES = 4000;

  private static final double TAIL = 0.025;

  private final NavigableMap<Integer, Measured> measured;
  private final List<Curve> posterior;

  /** A measured time, by its logarithm. */
  private record Measured(double logS, double error) {
    double variance() {
      return error * error + DEVIATION * DEVIATION;
    }
  }

  /** A smooth law. */
  private record Curve(double logUnitS, double fixed, double communication) {
    double logS(int gpus) {
      return logUnitS + logShape(gpus, fixed, communication);
    }
  }

  private ScalingLaw(NavigableMap<Integer, Measured> measured, List<Curve> posterior) {
    this.measured = measured;
    this.posterior = posterior;
  }

  /**
   * Returns the law of a program.
   *
   * @param secondsByGpus the measured seconds per unit by GPUs per trial
   * @param relativeErrors their relative standard errors; a missing one counts as unknown
   */
  public static ScalingLaw of(
      Map<Integer, Double> secondsByGpus, Map<Integer, Double> relativeErrors) {
    Preconditions.that(!secondsByGpus.isEmpty(), "no GPU count was measured");
    NavigableMap<Integer, Measured> measured = new TreeMap<>();
    secondsByGpus.forEach(
        (gpus, seconds) ->
            measured.put(
                gpus,
                new Measured(Math.log(seconds), relativeErrors.getOrDefault(gpus, UNKNOWN_ERROR))));
    RandomGenerator random = RandomStreams.of(1).at("scaling law").open();
    List<Curve> prior = new ArrayList<>();
    double[] weights = new double[PRIOR_SAMPLES];
    for (int i = 0; i < PRIOR_SAMPLES; i++) {
      ScalingPrior.Shape shape = ScalingPrior.draw(random);
      double fixed = shape.fixed();
      double communication = shape.communication();
      double precision = 0;
      double logUnitS = 0;
      for (var entry : measured.entrySet()) {
        double weight = 1 / entry.getValue().variance();
        precision += weight;
        logUnitS +=
            weight * (entry.getValue().logS() - logShape(entry.getKey(), fixed, communication));
      }
      logUnitS /= precision;
      Curve curve =
          new Curve(logUnitS + random.nextGaussian() / Math.sqrt(precision), fixed, communication);
      weights[i] = Math.exp(-0.5 * misfit(measured, logUnitS, fixed, communication));
      prior.add(curve);
    }
    return new ScalingLaw(measured, resampled(prior, weights));
  }

  private static double logShape(int gpus, double fixed, double communication) {
    double doublings = Math.log(gpus) / Math.log(2);
    return Math.log(fixed + (1 - fixed) / gpus + communication * doublings);
  }

  private static double misfit(
      Map<Integer, Measured> measured, double logUnitS, double fixed, double communication) {
    double sum = 0;
    for (var entry : measured.entrySet()) {
      double difference =
          entry.getValue().logS() - logUnitS - logShape(entry.getKey(), fixed, communication);
      sum += difference * difference / entry.getValue().variance();
    }
    return sum;
  }

  /** Systematic resampling: every law in proportion to its weight, with the least variance. */
  private static List<Curve> resampled(List<Curve> prior, double[] weights) {
    double total = 0;
    for (double weight : weights) {
      total += weight;
    }
    List<Curve> chosen = new ArrayList<>();
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += total > 0 ? weights[i] / total : 1.0 / weights.length;
      while (chosen.size() < weights.length && (chosen.size() + 0.5) / weights.length <= sum) {
        chosen.add(prior.get(i));
      }
    }
    return chosen;
  }

  /** Returns whether a count was measured. */
  public boolean isMeasured(int gpus) {
    return measured.containsKey(gpus);
  }

  /**
   * Returns {@code count} possible tables of seconds per unit by GPUs per trial.
   *
   * @param counts the GPU counts of each table
   */
  public List<NavigableMap<Integer, Double>> samples(Collection<Integer> counts, int count) {
    RandomGenerator random = RandomStreams.of(2).at("scaling samples").open();
    List<NavigableMap<Integer, Double>> tables = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Curve curve = posterior.get((int) ((i + 0.5) * posterior.size() / count));
      NavigableMap<Integer, Double> table = new TreeMap<>();
      for (int gpus : new TreeSet<>(counts)) {
        table.put(gpus, Math.exp(draw(gpus, curve, random.nextGaussian())));
      }
      tables.add(table);
    }
    return tables;
  }

  /** A measured count is known by its measurement and by the law, in proportion to precision. */
  private double draw(int gpus, Curve curve, double normal) {
    Measured known = measured.get(gpus);
    if (known == null) {
      return curve.logS(gpus) + DEVIATION * normal;
    }
    double byMeasurement = 1 / Math.max(1e-12, known.error() * known.error());
    double byLaw = 1 / (DEVIATION * DEVIATION);
    double mean =
        (byMeasurement * known.logS() + byLaw * curve.logS(gpus)) / (byMeasurement + byLaw);
    return mean + normal / Math.sqrt(byMeasurement + byLaw);
  }

  /**
   * Returns the modeled seconds per unit of a count that was not measured, under the name {@code
   * modeled.N}.
   */
  public MeasuredNumber modeled(int gpus) {
    double[] seconds =
        samples(List.of(gpus), posterior.size()).stream()
            .mapToDouble(table -> table.get(gpus))
            .sorted()
            .toArray();
    double mean = 0;
    for (double one : seconds) {
      mean += one / seconds.length;
    }
    double squares = 0;
    for (double one : seconds) {
      squares += (one - mean) * (one - mean) / seconds.length;
    }
    return new MeasuredNumber(
        MODELED + gpus,
        mean,
        Math.sqrt(squares),
        seconds[(int) (TAIL * seconds.length)],
        seconds[(int) ((1 - TAIL) * seconds.length)],
        measured.size());
  }
}

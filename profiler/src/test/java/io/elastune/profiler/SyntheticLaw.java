package io.elastune.profiler;

import io.elastune.core.Spread;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.random.RandomStreams;
import java.time.Instant;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A random training program whose profile is known.
 *
 * @param truth its true profile
 * @param job a job that trains it, by successive halving
 * @param offer the offer on which it is trained
 * @param instances instances that the job may use
 * @param seed seed of its random streams
 */
record SyntheticLaw(Profile truth, Job job, Offer offer, int instances, long seed) {
  static final int GPUS = 4;
  static final int MAX_UNITS = 81;

  static SyntheticLaw of(long seed) {
    RandomGenerator random = stream(seed, "law");
    int instances = 1 << random.nextInt(3);
    double unitS = Math.exp(random.nextDouble(Math.log(5), Math.log(300)));
    double fixed = random.nextDouble(0.02, 0.3);
    double communication = random.nextDouble(0, 0.03);
    TreeMap<Integer, Double> seconds = new TreeMap<>();
    for (int gpus = 1; gpus <= GPUS * instances; gpus *= 2) {
      double parallel = (1 - fixed) / gpus + communication * Math.log(gpus);
      seconds.put(gpus, unitS * (fixed + parallel));
    }
    Profile truth =
        Profile.builder(
                "law",
                "V100",
                "epoch",
                new MeasurementOrigin(Instant.EPOCH, "law " + seed, 1),
                seconds)
            .startupS(new Spread(random.nextDouble(5, 60), random.nextDouble(0.05, 0.3)))
            .trialCv(random.nextDouble(0.01, 0.10))
            .unitCv(random.nextDouble(0.01, 0.15))
            .instanceCv(instances > 1 ? random.nextDouble(0.01, 0.08) : 0)
            .build();
    Offer offer =
        new Offer(
            "simulated",
            "node",
            "V100",
            GPUS,
            Market.ON_DEMAND,
            12.24,
            PriceKind.NOTIONAL,
            BillingTerms.BY_THE_SECOND,
            new Spread(20, 0.3),
            new Spread(60, 0.3),
            0,
            0,
            1);
    return new SyntheticLaw(truth, job(instances), offer, instances, seed);
  }

  private static Job job(int instances) {
    String text =
        """
        name: law
        deadline: 100h
        search:
          algorithm: sha
          metric: {name: acc, goal: maximize}
          trials: 256
          eta: 3
          resource: {unit: epoch, min: 9, max: %d}
          space: {lr: {type: uniform, low: 0, high: 1}}
        trial: {run: "true", gpus: 1..%d}
        resources: {infra: [simulated], max_instances: %d}
        """
            .formatted(MAX_UNITS, GPUS * instances, instances);
    return JobFile.parse("job.yaml", text, Overrides.NONE).orThrow();
  }

  static RandomGenerator stream(long seed, String name) {
    return RandomStreams.of(seed).at(name).open();
  }

  /** Draws from the log-normal distribution with mean 1. */
  static double factor(RandomGenerator random, double cv) {
    double variance = Math.log1p(cv * cv);
    return Math.exp(Math.sqrt(variance) * random.nextGaussian() - variance / 2);
  }
}

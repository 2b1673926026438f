package io.elastune.cli.learning;

import io.elastune.core.Spread;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.core.random.RandomStreams;
import io.elastune.core.search.TrialGroups;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A random training program and the offer that it runs on, both with known times.
 *
 * @param truth the true profile
 * @param offer the offer with its true provisioning times
 */
record LearningLaw(long seed, Job job, Profile truth, Offer offer) {
  static final int MAX_INSTANCES = 4;
  private static final int GPUS = 4;

  /** Short enough that several instances are necessary. */
  private static final int DEADLINE_UNITS = 50;

  static LearningLaw of(long seed) {
    RandomGenerator random = RandomStreams.of(seed).at("law").open();
    double unitS = Math.exp(random.nextDouble(Math.log(20), Math.log(200)));
    double fixed = random.nextDouble(0.02, 0.3);
    TreeMap<Integer, Double> seconds = new TreeMap<>();
    for (int gpus = 1; gpus <= GPUS; gpus *= 2) {
      seconds.put(gpus, unitS * (fixed + (1 - fixed) / gpus));
    }
    Profile truth =
        Profile.builder(
                "law",
                "V100",
                "epoch",
                new MeasurementOrigin(Instant.EPOCH, "law " + seed, 1),
                seconds)
            .startupS(new Spread(random.nextDouble(5, 60), random.nextDouble(0.05, 0.3)))
            .trialCv(random.nextDouble(0.02, 0.10))
            .unitCv(random.nextDouble(0.02, 0.15))
            .instanceCv(random.nextDouble(0.02, 0.08))
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
            new Spread(random.nextDouble(10, 60), 0.4),
            new Spread(random.nextDouble(40, 240), 0.3),
            0,
            0,
            1);
    long deadlineS = Math.round(DEADLINE_UNITS * unitS + 1200);
    return new LearningLaw(seed, job(seed, deadlineS), truth, offer);
  }

  private static Job job(long seed, long deadlineS) {
    String text =
        """
        name: law
        deadline: %ds
        search:
          algorithm: sha
          metric: {name: acc, goal: maximize}
          trials: 64
          eta: 4
          resource: {unit: epoch, min: 2, max: 32}
          space: {lr: {type: uniform, low: 0, high: 1}}
          seed: %d
        trial: {run: "true", gpus: 1..%d}
        resources: {infra: [simulated], max_instances: %d}
        """
            .formatted(deadlineS, seed + 1, GPUS, MAX_INSTANCES);
    return JobFile.parse("job.yaml", text, Overrides.NONE).orThrow();
  }

  /** Returns the problem with the true times. */
  Problem trueProblem() {
    return problem(truth);
  }

  /** Returns the problem of a user who has {@code profile}. */
  Problem problem(Profile profile) {
    Offer known =
        profile.provisioning().stream()
            .filter(times -> times.offer().equals(offer.name()))
            .findFirst()
            .map((ProvisioningTimes times) -> offer.withProvisioning(times.queueS(), times.bootS()))
            .orElse(offer);
    return new Problem(
        TrialGroups.of(job.search()),
        List.of(known),
        Map.of(profile.gpu(), profile),
        job.trial().gpus(),
        new Limits(
            OptionalDouble.of(job.deadline().orElseThrow().secondsFrom(Instant.EPOCH)),
            OptionalDouble.empty(),
            job.confidence(),
            MAX_INSTANCES,
            Double.POSITIVE_INFINITY),
        job.runningCosts(TrialGroups.of(job.search())),
        job.search().seed());
  }
}

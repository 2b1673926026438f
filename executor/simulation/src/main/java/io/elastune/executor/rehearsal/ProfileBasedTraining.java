package io.elastune.executor.rehearsal;

import io.elastune.core.Spread;
import io.elastune.core.allocation.TrialsAtOnce;
import io.elastune.core.billing.Billing;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialFactors;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.HermesOptions;
import io.elastune.core.profile.DurationMoments;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Straggler;
import io.elastune.core.search.AssumedCurve;
import io.elastune.core.search.LearningCurves;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.simulation.AttemptBehavior;
import io.elastune.executor.simulation.AttemptScript;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.LeaseStreams;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.executor.simulation.TrainingModel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Models training with the durations of a profile (docs/model.md, "Time"), drawn for each attempt
 * by its ID. The quality of a trial depends only on its number, so an interrupted run finds the
 * same best trial.
 */
public final class ProfileBasedTraining implements TrainingModel {
  private final Problem problem;
  private final String metric;
  private final RandomStream randomStream;
  private final FaultRates.TrialFaults faults;
  private final Optional<CurveTraining> curves;
  private final Optional<Plan> plan;

  /**
   * Creates a model with the profiles of {@code problem}.
   *
   * @param metric the metric that trials report
   */
  public ProfileBasedTraining(
      Problem problem, String metric, RandomStream randomStream, FaultRates.TrialFaults faults) {
    this(problem, metric, randomStream, faults, Optional.empty());
  }

  private ProfileBasedTraining(
      Problem problem,
      String metric,
      RandomStream randomStream,
      FaultRates.TrialFaults faults,
      Optional<CurveTraining> curves,
      Optional<Plan> plan) {
    this.curves = curves;
    this.problem = problem;
    this.metric = metric;
    this.randomStream = randomStream;
    this.faults = faults;
    this.plan = plan;
  }

  /**
   * Returns the model of a run with this plan, from which the number of trials at once beside other
   * programs follows.
   */
  public ProfileBasedTraining of(Plan executed) {
    return new ProfileBasedTraining(
        problem, metric, randomStream, faults, curves, Optional.of(executed));
  }

  /**
   * Creates a model with the profiles of {@code problem}.
   *
   * @param curves the metrics of the trials, and their durations where they are recorded
   */
  ProfileBasedTraining(
      Problem problem,
      String metric,
      RandomStream randomStream,
      FaultRates.TrialFaults faults,
      Optional<LearningCurves> curves) {
    this(problem, metric, randomStream, faults, curves.map(CurveTraining::new), Optional.empty());
  }

  @Override
  public AttemptScript script(AttemptSpec attempt, Offer offer) {
    return script(attempt, offer, false);
  }

  @Override
  public AttemptScript script(AttemptSpec attempt, Offer offer, boolean continues) {
    Profile profile = profile(attempt, offer);
    RandomStream own = randomStream.substream("attempt").substream(attempt.attempt());
    int units = attempt.to() - attempt.from();
    RandomStream ofTrial = problem.policy().choosesSizes() ? streamOfTask(attempt) : own;
    double drawn = factor(profile, attempt, taskUnits(attempt, units), ofTrial);
    double oneS = profile.secondsPerUnit(1).orElse(Double.NaN);
    double factor =
        curves.map(known -> known.factor(attempt, drawn, oneS)).orElse(drawn)
            * slowness(profile, attempt);
    double startupS = continues ? 0 : ofTrial.substream("startup").of(profile.startupS());
    double unitS = (secondsPerUnit(profile, attempt) + savingS(profile, attempt)) * factor;
    return new AttemptScript(
        startupS,
        unitS,
        own.substream("stop").of(profile.checkpointS()),
        attempt.checkpointEvery().orElse(1),
        statedConduct(profile.faults(), startupS, unitS, units, own.substream("stated"))
            .orElseGet(() -> conduct(attempt, units, own)),
        doneAt(attempt.trial()),
        profile.faults().tornCheckpoint().value());
  }

  private Profile profile(AttemptSpec attempt, Offer offer) {
    Profile profile = problem.profile(offer).orElseThrow();
    if (plan.isEmpty() || profile.load().isEmpty()) {
      return profile;
    }
    String name = AttemptState.groupOf(attempt.attempt());
    return problem.workload().groups().stream()
        .filter(one -> one.name().equals(name))
        .filter(one -> plan.get().of(one).offer().equals(offer.name()))
        .findFirst()
        .map(group -> TrialsAtOnce.of(profile, group, offer, plan.get().of(group)))
        .orElse(profile);
  }

  /**
   * Under Fluid and Hermes, all attempts of a trial in a group or rung are equally fast, as the
   * prediction assumes; under HyperSched, all attempts of a trial.
   */
  private RandomStream streamOfTask(AttemptSpec attempt) {
    RandomStream tasks = randomStream.substream("task");
    return problem.hyperSched().isPresent()
        ? tasks.substream(attempt.trial())
        : tasks.substream(groupOf(attempt)).substream(attempt.trial());
  }

  /** The trial group of an attempt, or the rung at whose target it ends. */
  private String groupOf(AttemptSpec attempt) {
    return rungOf(attempt)
        .map(TrialGroup::name)
        .orElseGet(() -> AttemptState.groupOf(attempt.attempt()));
  }

  private Optional<TrialGroup> rungOf(AttemptSpec attempt) {
    return problem.workload().rungs().stream()
        .flatMap(
            rule -> {
              int rung = rule.targets().indexOf(attempt.to());
              int bracket = rule.shares().bracket(attempt.trial());
              return rung == bracket && rung > 0
                  ? Stream.of(rule.laterStarts().get(bracket - 1))
                  : rule.rungs().stream().filter(group -> group.toUnit() == attempt.to());
            })
        .findFirst();
  }

  private int taskUnits(AttemptSpec attempt, int units) {
    if (problem.hyperSched().isPresent()) {
      return attempt.to();
    }
    if (!problem.policy().choosesSizes()) {
      return units;
    }
    String name = AttemptState.groupOf(attempt.attempt());
    return rungOf(attempt)
        .or(
            () ->
                problem.workload().groups().stream()
                    .filter(group -> group.name().equals(name))
                    .findFirst())
        .map(TrialGroup::units)
        .orElse(units);
  }

  /** The unit at which a trial ends early, the same for all its attempts. */
  private int doneAt(int trial) {
    RandomStream early = randomStream.substream("early").substream(trial);
    if (faults.earlyEnds() == 0 || !early.happens(faults.earlyEnds())) {
      return Integer.MAX_VALUE;
    }
    int most =
        problem.workload().groups().stream().mapToInt(TrialGroup::toUnit).max().orElseThrow();
    return 1 + early.intBelow(most);
  }

  private double secondsPerUnit(Profile profile, AttemptSpec attempt) {
    return profile.secondsPerUnit(attempt.workers().size(), attempt.trialsPerGpu()).orElseThrow();
  }

  /** The seconds per unit for the checkpoints that a trial saves before the end of its group. */
  private double savingS(Profile profile, AttemptSpec attempt) {
    int every = attempt.checkpointEvery().orElse(0);
    String name = AttemptState.groupOf(attempt.attempt());
    return problem.workload().groups().stream()
        .filter(group -> every > 0 && group.name().equals(name))
        .mapToInt(TrialGroup::units)
        .mapToDouble(
            units -> {
              int count = (units - 1) / every;
              return count * profile.checkpointS().mean() / units;
            })
        .findFirst()
        .orElse(0);
  }

  /** Draws the factor {@code X}: the duration of this attempt relative to the profile. */
  private double factor(Profile profile, AttemptSpec attempt, int units, RandomStream own) {
    double configured = configured(profile, attempt);
    double trialCv = configured > 0 ? profile.configurations().residualCv() : profile.trialCv();
    List<Double> samples = profile.samples();
    double common;
    if (samples.isEmpty()) {
      common =
          own.substream("factor").of(DurationMoments.withoutStragglers(profile, trialCv, units));
    } else {
      double mean = samples.stream().mapToDouble(s -> s).average().orElseThrow();
      common = samples.get(own.substream("factor").intBelow(samples.size())) / mean;
    }
    return common
        * (configured > 0 ? configured : 1)
        * straggling(profile.straggler(), own.substream("straggler"));
  }

  /** Returns the factor of the trial's hyperparameters; 0 if it is unknown. */
  private double configured(Profile profile, AttemptSpec attempt) {
    String name = AttemptState.groupOf(attempt.attempt());
    return problem.workload().groups().stream()
        .filter(group -> group.name().equals(name))
        .filter(group -> !TrialFactors.of(problem.workload(), group, profile).isEmpty())
        .filter(group -> attempt.trial() <= profile.configurations().factors().size())
        .mapToDouble(group -> profile.configurations().factors().get(attempt.trial() - 1))
        .findFirst()
        .orElse(0);
  }

  /** The slowest instance of the attempt determines its speed. */
  private double slowness(Profile profile, AttemptSpec attempt) {
    if (profile.instanceCv() == 0 && profile.instanceStraggler().probability() == 0) {
      return 1;
    }
    return attempt.workers().stream()
        .map(AttemptSpec.Worker::lease)
        .distinct()
        .mapToDouble(
            lease ->
                slowness(
                    profile,
                    randomStream
                        .substream("slowness")
                        .substream(LeaseStreams.name(attempt.run(), lease))))
        .max()
        .orElseThrow();
  }

  private static double slowness(Profile profile, RandomStream own) {
    return own.substream("factor").of(new Spread(1, profile.instanceCv()))
        * straggling(profile.instanceStraggler(), own.substream("straggler"));
  }

  /** Draws a factor with mean 1: the durations in the profile include stragglers. */
  private static double straggling(Straggler straggler, RandomStream own) {
    double probability = straggler.probability();
    if (probability == 0 || probability == 1) {
      return 1;
    }
    double quick = 1 / straggler.meanFactor();
    return own.happens(probability) ? quick * straggler.slowdown() : quick;
  }

  /** Draws a crash or hang at the rates of the profile, if one occurs before the attempt ends. */
  private static Optional<AttemptBehavior> statedConduct(
      TrialFaultRates rates, double startupS, double unitS, int units, RandomStream own) {
    double perHour = rates.crashes().value() + rates.hangs().value();
    if (perHour == 0) {
      return Optional.empty();
    }
    double trainedS = own.exponential(Billing.SECONDS_PER_HOUR / perHour) - startupS;
    if (trainedS >= units * unitS) {
      return Optional.empty();
    }
    boolean crashes = own.happens(rates.crashes().value() / perHour);
    return Optional.of(
        new AttemptBehavior(
            crashes ? AttemptBehavior.Kind.CRASHES : AttemptBehavior.Kind.HANGS,
            (int) Math.max(0, Math.min(units - 1.0, Math.floor(trainedS / unitS))),
            1));
  }

  private AttemptBehavior conduct(AttemptSpec attempt, int units, RandomStream own) {
    if (faults.equals(FaultRates.NONE.trials())) {
      return AttemptBehavior.NORMAL;
    }
    RandomStream behavior = own.substream("conduct");
    int after = behavior.intBelow(units);
    if (randomStream.substream("poison").substream(attempt.trial()).happens(faults.poison())) {
      return new AttemptBehavior(AttemptBehavior.Kind.CRASHES, after, 1);
    }
    double drawn = behavior.fraction();
    double[] rates = {
      faults.crashes(),
      faults.hangs(),
      faults.stopsReporting(),
      faults.sendsInvalidReports(),
      faults.overruns()
    };
    AttemptBehavior.Kind[] kinds = {
      AttemptBehavior.Kind.CRASHES,
      AttemptBehavior.Kind.HANGS,
      AttemptBehavior.Kind.STOPS_REPORTING,
      AttemptBehavior.Kind.SENDS_INVALID_REPORTS,
      AttemptBehavior.Kind.OVERRUNS
    };
    for (int i = 0; i < kinds.length; i++) {
      if (drawn < rates[i]) {
        return new AttemptBehavior(kinds[i], after, 1);
      }
      drawn -= rates[i];
    }
    return AttemptBehavior.NORMAL;
  }

  /**
   * A quality between 0 and 1 that is correlated with those of the same trial in other rungs as the
   * prediction assumes (docs/searches.md, "Prediction").
   */
  private double rungQuality(RungRule rule, int trial, int unit) {
    RandomStream own = randomStream.substream("quality").substream(trial);
    double correlation = problem.expectedRankCorrelation();
    double quality =
        Math.sqrt(correlation) * own.substream("trial").normal()
            + Math.sqrt(1 - correlation) * own.substream(rule.rungAt(unit)).normal();
    return AssumedCurve.quality(quality);
  }

  @Override
  public Map<String, Double> metrics(int trial, int unit) {
    if (curves.isPresent()) {
      return curves.get().metrics(metric, trial, unit);
    }
    Optional<RungRule> rungs = problem.workload().rungs();
    if (rungs.isPresent()) {
      double quality = rungQuality(rungs.get(), trial, unit);
      return Map.of(
          metric,
          problem
              .hyperSched()
              .map(options -> AssumedCurve.metric(quality, unit, options.isMinimized()))
              .orElse(quality));
    }
    double best = randomStream.substream("quality").substream(trial).fraction();
    boolean isMinimized = problem.hermes().filter(HermesOptions::isMinimized).isPresent();
    return Map.of(metric, AssumedCurve.metric(best, unit, isMinimized));
  }
}

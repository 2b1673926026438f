package io.elastune.executor.rehearsal;

import io.elastune.core.Spread;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Straggler;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.world.Chance;
import io.elastune.executor.world.Conduct;
import io.elastune.executor.world.Course;
import io.elastune.executor.world.Faults;
import io.elastune.executor.world.Training;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Models training with the durations of a profile (docs/model.md, "Time"), drawn for each attempt
 * by its ID. The quality of a trial depends only on its number, so an interrupted run finds the
 * same best trial.
 */
public final class ProfiledTraining implements Training {
  /** Units after which a trial has reached about two thirds of its final metric. */
  private static final double LEARNING_UNITS = 5;

  private final Problem problem;
  private final Function<String, Optional<Allocation>> plan;
  private final String metric;
  private final Chance chance;
  private final Faults.Trials faults;

  /**
   * Creates a model with the profiles of {@code problem}.
   *
   * @param plan returns the allocation of a group by its name
   * @param metric the metric that trials report
   */
  public ProfiledTraining(
      Problem problem,
      Function<String, Optional<Allocation>> plan,
      String metric,
      Chance chance,
      Faults.Trials faults) {
    this.problem = problem;
    this.plan = plan;
    this.metric = metric;
    this.chance = chance;
    this.faults = faults;
  }

  @Override
  public Course course(AttemptSpec attempt, Offer offer) {
    Profile profile = problem.profile(offer).orElseThrow();
    Chance own = chance.at("attempt").at(attempt.attempt());
    int units = attempt.to() - attempt.from();
    double factor = factor(profile, units, own) * slowness(profile, attempt);
    return new Course(
        own.at("startup").of(profile.startupS()),
        secondsPerUnit(profile, attempt) * factor,
        own.at("stop").of(profile.checkpointS()),
        1,
        conduct(attempt, units, own));
  }

  private double secondsPerUnit(Profile profile, AttemptSpec attempt) {
    int sharing =
        plan.apply(AttemptState.groupOf(attempt.attempt())).map(Allocation::trialsPerGpu).orElse(1);
    return profile.secondsPerUnit(attempt.workers().size(), sharing).orElseThrow();
  }

  /** Draws the factor {@code X}: the duration of this attempt relative to the profile. */
  private static double factor(Profile profile, int units, Chance own) {
    List<Double> samples = profile.samples();
    double common;
    if (samples.isEmpty()) {
      double scv =
          profile.trialCv() * profile.trialCv() + profile.unitCv() * profile.unitCv() / units;
      common = own.at("factor").of(new Spread(1, Math.sqrt(scv)));
    } else {
      double mean = samples.stream().mapToDouble(s -> s).average().orElseThrow();
      common = samples.get(own.at("factor").below(samples.size())) / mean;
    }
    return common * straggling(profile.straggler(), own.at("straggler"));
  }

  /** The slowest instance of the attempt determines its speed. */
  private double slowness(Profile profile, AttemptSpec attempt) {
    if (profile.instanceCv() == 0 && profile.instanceStraggler().probability() == 0) {
      return 1;
    }
    return attempt.workers().stream()
        .map(AttemptSpec.Worker::lease)
        .distinct()
        .mapToDouble(lease -> slowness(profile, chance.at("slowness").at(lease)))
        .max()
        .orElseThrow();
  }

  private static double slowness(Profile profile, Chance own) {
    return own.at("factor").of(new Spread(1, profile.instanceCv()))
        * straggling(profile.instanceStraggler(), own.at("straggler"));
  }

  /** Draws a factor with mean 1: the durations in the profile include stragglers. */
  private static double straggling(Straggler straggler, Chance own) {
    double probability = straggler.probability();
    if (probability == 0 || probability == 1) {
      return 1;
    }
    double quick = 1 / (1 - probability + probability * straggler.slowdown());
    return own.happens(probability) ? quick * straggler.slowdown() : quick;
  }

  private Conduct conduct(AttemptSpec attempt, int units, Chance own) {
    if (faults.equals(Faults.NONE.trials())) {
      return Conduct.WELL;
    }
    Chance behavior = own.at("conduct");
    int after = behavior.below(units);
    if (chance.at("poison").at(attempt.trial()).happens(faults.poison())) {
      return new Conduct(Conduct.Kind.DIES, after, 1);
    }
    double drawn = behavior.share();
    double[] rates = {
      faults.dies(),
      faults.hangs(),
      faults.fallsSilent(),
      faults.reportsRubbish(),
      faults.overruns()
    };
    Conduct.Kind[] kinds = {
      Conduct.Kind.DIES,
      Conduct.Kind.HANGS,
      Conduct.Kind.FALLS_SILENT,
      Conduct.Kind.REPORTS_RUBBISH,
      Conduct.Kind.OVERRUNS
    };
    for (int i = 0; i < kinds.length; i++) {
      if (drawn < rates[i]) {
        return new Conduct(kinds[i], after, 1);
      }
      drawn -= rates[i];
    }
    return Conduct.WELL;
  }

  @Override
  public Map<String, Double> metrics(int trial, int unit) {
    double best = chance.at("quality").at(trial).share();
    return Map.of(metric, best * (1 - Math.exp(-unit / LEARNING_UNITS)));
  }
}

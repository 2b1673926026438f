package io.elastune.executor.decision.forecast;

import io.elastune.core.Spread;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.DurationMoments;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Straggler;
import io.elastune.core.random.NormalScores;
import io.elastune.core.random.RandomStreams;
import io.elastune.executor.decision.model.RunDefinition;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How the durations in one sample of a forecast differ from their means, by the distributions of
 * profile and offers (docs/model.md, "Time"). A draw belongs to a trial of a group or to an
 * instance, so it is the same in every forecast of a run.
 */
final class ForecastDraws {
  /** The samples of a forecast; a power of two. */
  static final int SAMPLES = 32;

  /** Every duration has its mean. */
  static final ForecastDraws MEANS = new ForecastDraws(Optional.empty(), 0);

  private static final long SEED = 0;
  private static final int STARTUP = 0;
  private static final int TRIAL = 1;
  private static final int STRAGGLER = 2;
  private static final int QUEUE = 3;
  private static final int BOOT = 4;
  private static final int SLOWNESS = 5;
  private static final int CONTINUES = 6;

  private final Optional<RandomStreams> streams;
  private final int sample;

  private ForecastDraws(Optional<RandomStreams> streams, int sample) {
    this.streams = streams;
    this.sample = sample;
  }

  /** Returns a sample of a run. */
  static ForecastDraws of(RunDefinition definition, int sample) {
    RandomStreams streams = RandomStreams.of(SEED).at("forecast").at(definition.run());
    return new ForecastDraws(Optional.of(streams), sample);
  }

  /** Whether any duration of a run varies. */
  static boolean vary(RunDefinition definition) {
    return !definition.forecastProfiles().isEmpty()
        && (definition.forecastProfiles().stream().anyMatch(ForecastDraws::varies)
            || definition.offers().values().stream().anyMatch(ForecastDraws::varies));
  }

  private static boolean varies(Offer offer) {
    return offer.queueS().cv() > 0 || offer.bootS().cv() > 0;
  }

  private static boolean varies(Profile profile) {
    return profile.startupS().cv() > 0
        || profile.trialCv() > 0
        || profile.unitCv() > 0
        || !profile.samples().isEmpty()
        || mixes(profile.straggler())
        || profile.instanceCv() > 0
        || mixes(profile.instanceStraggler());
  }

  private static boolean mixes(Straggler straggler) {
    return straggler.probability() > 0 && straggler.probability() < 1 && straggler.slowdown() > 1;
  }

  private RandomStreams of(int chain, int group, int trial) {
    return streams.orElseThrow().at(chain).at(group).at(trial);
  }

  private double uniform(RandomStreams of, int quantity) {
    return of.at(quantity).stratified(sample, SAMPLES);
  }

  private double drawn(Spread spread, RandomStreams of, int quantity) {
    return spread.cv() > 0 && spread.mean() > 0
        ? spread.logNormal(
            NormalScores.quantile(Math.max(Double.MIN_NORMAL, uniform(of, quantity))))
        : spread.mean();
  }

  /** Returns the factor by which a start-up takes longer than on average. */
  double startup(Optional<Profile> profile, int chain, int group, int trial) {
    return streams.isEmpty() || profile.isEmpty()
        ? 1
        : drawn(new Spread(1, profile.get().startupS().cv()), of(chain, group, trial), STARTUP);
  }

  /**
   * Returns the factor by which units of a trial take longer than on average.
   *
   * @param isMeasured whether the speed of the trial is known, so that only its units vary
   */
  double units(
      Optional<Profile> profile, int units, boolean isMeasured, int chain, int group, int trial) {
    if (streams.isEmpty() || profile.isEmpty()) {
      return 1;
    }
    Profile known = profile.get();
    RandomStreams of = of(chain, group, trial);
    if (isMeasured) {
      return known.samples().isEmpty()
          ? drawn(DurationMoments.withoutStragglers(known, 0, Math.max(1, units)), of, TRIAL)
          : 1;
    }
    double usual =
        known.samples().isEmpty()
            ? drawn(
                DurationMoments.withoutStragglers(known, known.trialCv(), Math.max(1, units)),
                of,
                TRIAL)
            : measured(known.samples(), uniform(of, TRIAL));
    return usual * straggling(known.straggler(), of);
  }

  /**
   * Returns the trials of a group that continue in the next one, ascending: all are equally likely;
   * for means, they are spread evenly.
   */
  int[] continuing(int chain, int group, int trials, int count) {
    if (streams.isEmpty()) {
      return IntStream.range(0, count).map(i -> i * trials / count).toArray();
    }
    double[] keys =
        IntStream.range(0, trials)
            .mapToDouble(trial -> uniform(of(chain, group, trial), CONTINUES))
            .toArray();
    return IntStream.range(0, trials)
        .boxed()
        .sorted(Comparator.comparingDouble(trial -> keys[trial]))
        .limit(count)
        .mapToInt(Integer::intValue)
        .sorted()
        .toArray();
  }

  private static double measured(List<Double> samples, double uniform) {
    double mean = samples.stream().mapToDouble(value -> value).average().orElse(1);
    return samples.get((int) (uniform * samples.size())) / mean;
  }

  private double straggling(Straggler straggler, RandomStreams of) {
    if (!mixes(straggler)) {
      return 1;
    }
    boolean isSlow = uniform(of, STRAGGLER) < straggler.probability();
    return (isSlow ? straggler.slowdown() : 1) / straggler.meanFactor();
  }

  private RandomStreams ofInstance(int number) {
    return streams.orElseThrow().at("instance").at(number);
  }

  /** Returns the seconds from the request of an instance until it runs. */
  double queueS(Offer offer, int number) {
    return streams.isEmpty()
        ? offer.queueS().mean()
        : drawn(offer.queueS(), ofInstance(number), QUEUE);
  }

  /** Returns the seconds from then on until it is ready. */
  double bootS(Offer offer, int number) {
    return streams.isEmpty()
        ? offer.bootS().mean()
        : drawn(offer.bootS(), ofInstance(number), BOOT);
  }

  /** Whether trials on some instances are slower than on others. */
  boolean variesInstances(Profile profile) {
    return streams.isPresent() && (profile.instanceCv() > 0 || mixes(profile.instanceStraggler()));
  }

  /** Returns the factor by which trials on an instance are slower than on an average one. */
  double slowness(Optional<Profile> profile, int number) {
    if (streams.isEmpty() || profile.isEmpty()) {
      return 1;
    }
    RandomStreams of = ofInstance(number);
    return drawn(new Spread(1, profile.get().instanceCv()), of, SLOWNESS)
        * straggling(profile.get().instanceStraggler(), of);
  }
}

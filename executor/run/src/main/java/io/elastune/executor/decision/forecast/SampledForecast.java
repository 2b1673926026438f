package io.elastune.executor.decision.forecast;

import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.ForecastExcess;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;

/**
 * Plays the rest of a run in a few fixed samples (docs/decisions/0036). This costs too much for
 * each event: it is done at a change, if a group has started or ended since, or after a part of the
 * run.
 */
public final class SampledForecast {
  /** The part of the run after which the samples are played again. */
  private static final double INTERVAL = 0.05;

  /** The same where a policy divides the instances: a sample takes longer. */
  private static final double INTERVAL_OF_POLICIES = 0.25;

  /** … but not before so many seconds. */
  private static final double LEAST_S = 1;

  private SampledForecast() {}

  /** Returns what forecasts with mean durations lack in this state: as before, unless it is due. */
  public static ForecastExcess excess(RunDefinition definition, RunState state) {
    ForecastExcess before = state.steering().excess();
    int groups = 0;
    for (ChainState chain : state.chains()) {
      groups += chain.started().size() + chain.ended().size();
    }
    return before.isDue(state.now(), groups) && ForecastDraws.vary(definition)
        ? compute(definition, state, groups)
        : before;
  }

  private static ForecastExcess compute(RunDefinition definition, RunState state, int groups) {
    RestForecast means = play(definition, state, ForecastDraws.MEANS);
    double seconds = 0;
    double usd = 0;
    for (int sample = 0; sample < ForecastDraws.SAMPLES && means.seconds() > 0; sample++) {
      RestForecast rest = play(definition, state, ForecastDraws.of(definition, sample));
      seconds += (rest.seconds() - means.seconds()) / ForecastDraws.SAMPLES;
      usd += (rest.usd() - means.usd()) / ForecastDraws.SAMPLES;
    }
    double runS = state.elapsedS() + means.seconds() + seconds;
    double interval = definition.dividesInstances() ? INTERVAL_OF_POLICIES : INTERVAL;
    return new ForecastExcess(
        seconds,
        usd,
        means.seconds(),
        groups,
        Seconds.after(state.now(), Math.max(LEAST_S, interval * runS)));
  }

  private static RestForecast play(RunDefinition definition, RunState state, ForecastDraws draws) {
    return Forecasters.of(new ForecastBasis(definition, state, draws)).forecast();
  }

  /** Returns the mean of the samples, from the forecast with mean durations. */
  static RestForecast with(ForecastExcess excess, RestForecast means) {
    double fraction = excess.fraction(means.seconds());
    return new RestForecast(
        Math.max(0, means.seconds() + fraction * excess.seconds()),
        Math.max(0, means.usd() + fraction * excess.usd()));
  }
}

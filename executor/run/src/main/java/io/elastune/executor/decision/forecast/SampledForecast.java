package io.elastune.executor.decision.forecast;

import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.ForecastExcess;
import io.elastune.executor.decision.model.LeaseState;
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

  /** There, the part of the run after which the means are played again. */
  private static final double INTERVAL_OF_MEANS = 0.02;

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
    if (before.isDue(state.now(), groups)) {
      return ForecastDraws.vary(definition) ? compute(definition, state, groups) : before;
    }
    boolean playsMeans =
        before.means().filter(means -> means.isDue(state.now(), held(state))).isPresent();
    return playsMeans
        ? before.with(means(state, play(definition, state, ForecastDraws.MEANS).seconds()))
        : before;
  }

  private static int held(RunState state) {
    return (int) state.leases().values().stream().filter(LeaseState::held).count();
  }

  private static ForecastExcess.Means means(RunState state, double seconds) {
    double runS = state.elapsedS() + seconds;
    return new ForecastExcess.Means(
        state.now(),
        seconds,
        held(state),
        Seconds.after(state.now(), Math.max(LEAST_S, INTERVAL_OF_MEANS * runS)));
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
    boolean isDivided = definition.dividesInstances();
    double interval = isDivided ? INTERVAL_OF_POLICIES : INTERVAL;
    ForecastExcess excess =
        new ForecastExcess(
            seconds,
            usd,
            means.seconds(),
            groups,
            Seconds.after(state.now(), Math.max(LEAST_S, interval * runS)));
    return isDivided ? excess.with(means(state, means.seconds())) : excess;
  }

  private static RestForecast play(RunDefinition definition, RunState state, ForecastDraws draws) {
    return Forecasters.of(new ForecastBasis(definition, state, draws)).forecast();
  }

  /** Returns the forecast of a run in its present state. */
  static RestForecast of(RunDefinition definition, RunState state) {
    ForecastExcess excess = state.steering().excess();
    ForecastBasis basis = new ForecastBasis(definition, state);
    RestForecast means =
        excess
            .means()
            .map(known -> new PolicyForecaster(basis).lasting(known.remainingS(state.now())))
            .orElseGet(() -> Forecasters.of(basis).forecast());
    return with(excess, means);
  }

  /** Returns the mean of the samples, from the forecast with mean durations. */
  static RestForecast with(ForecastExcess excess, RestForecast means) {
    double fraction = excess.fraction(means.seconds());
    return new RestForecast(
        Math.max(0, means.seconds() + fraction * excess.seconds()),
        Math.max(0, means.usd() + fraction * excess.usd()));
  }
}

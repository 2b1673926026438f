package io.elastune.executor.decision.forecast;

import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The rest of a run, or of a part of it.
 *
 * @param seconds until its last task ends
 * @param usd cost of its instances until then
 */
record RestForecast(double seconds, double usd) {
  static final RestForecast NONE = new RestForecast(0, 0);

  /** Returns the forecast of chains that run at the same time. */
  static RestForecast ofChains(int chains, IntFunction<RestForecast> chain) {
    return IntStream.range(0, chains).mapToObj(chain).reduce(NONE, RestForecast::beside);
  }

  /** Returns the forecast of this part and of one that starts after it. */
  RestForecast then(RestForecast next) {
    return new RestForecast(seconds + next.seconds, usd + next.usd);
  }

  /** Returns the forecast of this part and of one that runs at the same time. */
  RestForecast beside(RestForecast other) {
    return new RestForecast(Math.max(seconds, other.seconds), usd + other.usd);
  }
}

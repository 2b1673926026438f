package io.elastune.executor.decision.forecast;

import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import java.util.List;

/**
 * Forecasts the rest of a run without profiles: its groups take the predicted time, and the group
 * in progress what is left of it.
 */
final class PlannedForecaster implements Forecaster {
  private final RunDefinition definition;
  private final RunState state;

  PlannedForecaster(ForecastBasis basis) {
    this.definition = basis.definition();
    this.state = basis.state();
  }

  @Override
  public RestForecast forecast() {
    return RestForecast.ofChains(state.chains().size(), this::chain);
  }

  private RestForecast chain(int index) {
    ChainState at = state.chains().get(index);
    List<TrialGroup> groups = definition.workload().chains().get(index).groups();
    RestForecast rest = RestForecast.NONE;
    for (int i = at.group(); i < groups.size(); i++) {
      RunDefinition.Forecast forecast = definition.forecasts().get(groups.get(i).name());
      if (forecast != null) {
        double share = i == at.group() ? leftOfGroup(at, forecast) : 1;
        rest = rest.then(new RestForecast(share * forecast.seconds(), share * forecast.usd()));
      }
    }
    return rest;
  }

  private double leftOfGroup(ChainState at, RunDefinition.Forecast forecast) {
    if (at.started().size() <= at.group() || forecast.seconds() <= 0) {
      return 1;
    }
    double elapsed = Seconds.between(at.started().get(at.group()), state.now());
    return Math.max(0, 1 - elapsed / forecast.seconds());
  }
}

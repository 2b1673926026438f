package io.elastune.executor.replan;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.planner.api.PlanForecast;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanBudgetTest {
  private static final Plan PLAN = new Plan(false, Map.of("1", new Allocation("offer", 1, 1, 1)));

  private static PlanForecast forecast(double usd, double safeUsd) {
    return new PlanForecast(PLAN, 100, 110, usd, safeUsd);
  }

  @Test
  void budgetIsKeptWithTheRequiredConfidence() {
    PlanBudget budget = PlanBudget.whole(12);

    assertThat(budget.covers(forecast(11, 12))).isTrue();
    assertThat(budget.covers(forecast(11, 12.1))).isFalse();
  }

  @Test
  void onlyPlansThatCostMoreThanThePresentOneLeaveTheReserve() {
    PlanBudget reserved = new PlanBudget(12, 7);

    assertThat(reserved.covers(forecast(7, 9))).isTrue();
    assertThat(reserved.covers(forecast(9, 10))).isFalse();
    assertThat(reserved.orAsMuchAs(9.5).covers(forecast(9, 10))).isTrue();
    assertThat(reserved.orAsMuchAs(9.5).covers(forecast(9, 12.1))).isFalse();
    assertThat(reserved.orAsMuchAs(5)).isEqualTo(reserved);
  }
}

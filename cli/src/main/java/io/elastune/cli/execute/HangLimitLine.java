package io.elastune.cli.execute;

import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Durations;
import io.elastune.executor.decision.model.HangLimit;
import io.elastune.executor.decision.model.RunDefinitionFactory;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** States, before a run starts, when its trials count as hung. */
final class HangLimitLine {
  private HangLimitLine() {}

  /** Returns the limits for attempts that train all units of their group, from their start. */
  static String of(ApprovedPlan approved) {
    Map<String, HangLimit> limits =
        RunDefinitionFactory.hangLimits(approved.problem(), approved.plan());
    List<HangLimit.Times> times =
        approved.problem().workload().groups().stream()
            .flatMap(group -> times(limits, group).stream())
            .toList();
    return "hung trials: stopped and retried after "
        + range(times, HangLimit.Times::silenceS)
        + " without a sign of life, or after "
        + range(times, HangLimit.Times::reportS)
        + " without a report";
  }

  private static Collection<HangLimit.Times> times(
      Map<String, HangLimit> limits, TrialGroup group) {
    HangLimit limit = limits.get(group.name());
    return limit == null ? List.of() : limit.times(group.units(), true, 1).stream().toList();
  }

  private static String range(List<HangLimit.Times> times, ToDoubleFunction<HangLimit.Times> of) {
    DoubleSummaryStatistics all = times.stream().mapToDouble(of).summaryStatistics();
    String least = Durations.format(Math.floor(all.getMin()));
    String most = Durations.format(Math.floor(all.getMax()));
    return least.equals(most) ? most : least + " to " + most;
  }
}

package io.elastune.simulator.timeline;

import io.elastune.core.timeline.PolicyRun;
import io.elastune.core.timeline.SearchRun;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.TrialTimes;
import io.elastune.simulator.fault.TrialClocks;
import io.elastune.simulator.instance.LeasePlan;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToIntFunction;

/**
 * A search on the instances of one pool, which a {@link SampledTimeline} plays in each sample.
 *
 * @param leases the instances that are requested
 * @param gpusPerInstance the GPUs of each
 * @param clocks those of the faults of trials
 * @param clock returns the index in {@code clocks} of those of the trials in the group of a task
 * @param stopS when the search ends in any case; empty if it has no such time
 */
public record SampledSearch(
    LeasePlan leases,
    int gpusPerInstance,
    SearchRun search,
    PolicyRun policy,
    TrialTimes times,
    List<TrialClocks> clocks,
    ToIntFunction<Task> clock,
    OptionalDouble stopS) {
  public SampledSearch {
    clocks = List.copyOf(clocks);
  }
}

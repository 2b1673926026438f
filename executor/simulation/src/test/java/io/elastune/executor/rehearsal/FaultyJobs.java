package io.elastune.executor.rehearsal;

import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.plan.Allocation;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.simulator.Simulator;

/** Random jobs in which instances are lost and trials fail. */
final class FaultyJobs {
  private static final double SECONDS_PER_HOUR = 3600;

  private FaultyJobs() {}

  /**
   * Returns a job with a lost instance in about every third run, so that few runs end after six.
   */
  static PlannedRandomJob of(PlannedRandomJob job) {
    double hours =
        new Simulator(job.problem(), 100).simulate(job.plan()).completionS().mean()
            / SECONDS_PER_HOUR;
    int instances =
        job.plan().allocations().values().stream()
            .mapToInt(Allocation::instances)
            .findFirst()
            .orElseThrow();
    double perHour = 0.4 / (hours * instances);
    InstanceFaultRates ofInstances =
        new InstanceFaultRates(
            FaultRate.NONE,
            0,
            FaultRate.assumed(0.02),
            FaultRate.assumed(0.05),
            2,
            FaultRate.assumed(0.3 * perHour),
            FaultRate.assumed(0.7 * perHour),
            120,
            0.3);
    TrialFaultRates ofTrials =
        new TrialFaultRates(
            FaultRate.assumed(0.3 * perHour),
            FaultRate.assumed(0.02 * perHour),
            FaultRate.assumed(0.01));
    return new PlannedRandomJob(
        job.problem().withFaults(offer -> ofInstances, profile -> ofTrials), job.plan());
  }
}

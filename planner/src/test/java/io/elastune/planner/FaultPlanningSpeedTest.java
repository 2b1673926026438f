package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Problem;
import io.elastune.planner.api.PlannerOptions;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Compares the CPU time of planning the typical job with and without the shipped fault rates
 * (docs/performance.md): the minima of alternating plans on one thread, so that other load on the
 * machine matters little.
 */
@EnabledIfSystemProperty(named = "elastune.speed.plans", matches = "\\d+")
class FaultPlanningSpeedTest {
  private static final int PLANS = Integer.getInteger("elastune.speed.plans", 0);

  @Test
  void faultsCostLittlePlanningTime() {
    PlannerBenchmark benchmark = new PlannerBenchmark();
    benchmark.shape = "64/7/6/32";
    benchmark.spread = 0.05;
    benchmark.threads = 1;
    benchmark.prepare();
    Problem reliable = benchmark.problem();
    Problem faulty = reliable.withDefaultFaults();
    double without = Double.POSITIVE_INFINITY;
    double with = Double.POSITIVE_INFINITY;
    for (int i = 0; i < PLANS; i++) {
      without = Math.min(without, cpuMs(reliable));
      with = Math.min(with, cpuMs(faulty));
    }
    System.out.printf(
        Locale.ROOT,
        "planning the typical job: %.0f ms without faults, %.0f ms with faults, factor %.2f%n",
        without,
        with,
        with / without);
    assertThat(with / without).isLessThan(3);
  }

  private static double cpuMs(Problem problem) {
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    new Planner(problem, PlannerOptions.DEFAULT.withThreads(1)).plan();
    return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e6;
  }
}

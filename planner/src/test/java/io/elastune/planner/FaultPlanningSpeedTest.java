package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Problem;
import io.elastune.planner.api.PlannerOptions;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares the CPU time of planning with and without the shipped fault rates (docs/performance.md):
 * the minima of alternating plans on one thread, so that other load on the machine matters little.
 */
@EnabledIfSystemProperty(named = "elastune.speed.plans", matches = "\\d+")
class FaultPlanningSpeedTest {
  private static final int PLANS = Integer.getInteger("elastune.speed.plans", 0);

  @ParameterizedTest(name = "{0}, spread {1}")
  @CsvSource({"64/7/6/32, 0.05", "64/7/20/32, 0.05", "64/7/6/32, 0", "512/10/6/32, 0.05"})
  void faultsCostLittlePlanningTime(String shape, double spread) {
    PlannerBenchmark benchmark = new PlannerBenchmark();
    benchmark.shape = shape;
    benchmark.spread = spread;
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
        "%s, spread %.2f: %.0f ms without faults, %.0f ms with faults, factor %.2f%n",
        shape,
        spread,
        without,
        with,
        with / without);
    assertThat(with / without).isLessThan(6);
  }

  private static double cpuMs(Problem problem) {
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    new Planner(problem, PlannerOptions.DEFAULT.withThreads(1)).plan();
    return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e6;
  }
}

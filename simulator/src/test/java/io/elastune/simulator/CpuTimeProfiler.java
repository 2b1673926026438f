package io.elastune.simulator;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * A JMH profiler that measures the CPU time of the process per operation, in milliseconds. Unlike
 * wall-clock time, it depends little on the load of the machine.
 */
public final class CpuTimeProfiler implements InternalProfiler {
  private static final double NANOS_PER_MILLI = 1e6;

  private long before;

  @Override
  public String getDescription() {
    return "processor time per operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = processNanos();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double millis = (processNanos() - before) / NANOS_PER_MILLI;
    double perOperation = millis / Math.max(1, result.getMetadata().getAllOps());
    return List.of(new ScalarResult("cpu", perOperation, "ms/op", AggregationPolicy.AVG));
  }

  private static long processNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}

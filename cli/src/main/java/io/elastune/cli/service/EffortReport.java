package io.elastune.cli.service;

import com.sun.management.OperatingSystemMXBean;
import io.elastune.cli.env.AtomicFileWriter;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.simulator.sample.SamplingCounter;
import io.elastune.simulator.sample.SamplingCounter.Counts;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Writes how much processor time the phases of a command took, and how much they sampled, to the
 * file that the variable {@code ELASTUNE_EFFORT} names, for {@code scripts/plan-benchmark}: lines
 * of phase, processor seconds, those of sampling, plans and samples. Without the variable, it
 * measures nothing.
 */
final class EffortReport {
  private static final String VARIABLE = "ELASTUNE_EFFORT";
  private static final double NANOS_PER_SECOND = 1e9;

  private final CliEnvironment cliEnvironment;
  private final Optional<String> file;
  private final LongSupplier processorNanos;
  private final List<String> lines = new ArrayList<>();
  private Counts counted = SamplingCounter.counts();
  private long nanos;

  /** Begins the first phase, which includes the start of the process. */
  EffortReport(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
    this.file = cliEnvironment.variable(VARIABLE);
    this.processorNanos = file.isPresent() ? ofProcess() : () -> 0;
    if (file.isPresent()) {
      SamplingCounter.measureWith(processorNanos);
    }
  }

  private static LongSupplier ofProcess() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)::getProcessCpuTime;
  }

  /** Returns the result of a phase. What came before it belongs to no phase that has a name. */
  <T> T of(String phase, Supplier<T> work) {
    end("other");
    T result = work.get();
    end(phase);
    return result;
  }

  /** Runs a phase. */
  void of(String phase, Runnable work) {
    of(
        phase,
        () -> {
          work.run();
          return phase;
        });
  }

  private void end(String phase) {
    Counts now = SamplingCounter.counts();
    long nowNanos = processorNanos.getAsLong();
    Counts counts = now.since(counted);
    lines.add(
        String.format(
            Locale.ROOT,
            "%s\t%.2f\t%.2f\t%d\t%d",
            phase,
            (nowNanos - nanos) / NANOS_PER_SECOND,
            counts.nanos() / NANOS_PER_SECOND,
            counts.plans(),
            counts.samples()));
    counted = now;
    nanos = nowNanos;
  }

  /** Writes the phases, one per line, if this is requested. */
  void write() {
    file.ifPresent(
        name -> {
          end("notes");
          AtomicFileWriter.write(cliEnvironment.path(name), String.join("\n", lines) + "\n");
        });
  }
}

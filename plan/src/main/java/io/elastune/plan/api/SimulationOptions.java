package io.elastune.plan.api;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How {@link Plans#simulate} predicts a plan. An empty value stands for the default of {@code
 * elastune simulate}.
 *
 * @param samples the maximum number of samples
 * @param ranks the word of an order of trials by metric, which is unknown before a run, as {@code
 *     --ranks} accepts it
 * @param curves a CSV file with learning curves, which determine this order
 * @param trace whether {@link PlanSimulation#json} has the events of the first sample
 */
public record SimulationOptions(
    OptionalInt samples, Optional<String> ranks, Optional<Path> curves, boolean trace) {
  /** The defaults of the command. */
  public static final SimulationOptions DEFAULT =
      new SimulationOptions(OptionalInt.empty(), Optional.empty(), Optional.empty(), false);

  /** Returns these options with another maximum number of samples. */
  public SimulationOptions withSamples(int most) {
    return new SimulationOptions(OptionalInt.of(most), ranks, curves, trace);
  }

  /** Returns these options with another order of trials. */
  public SimulationOptions withRanks(String order) {
    return new SimulationOptions(samples, Optional.of(order), curves, trace);
  }

  /** Returns these options with learning curves, as {@code --curves} does. */
  public SimulationOptions withCurves(Path file) {
    return new SimulationOptions(samples, ranks, Optional.of(file), trace);
  }

  /** Returns these options with the events of the first sample. */
  public SimulationOptions withTrace() {
    return new SimulationOptions(samples, ranks, curves, true);
  }
}

package io.elastune.cli.text;

import io.elastune.core.faults.DefaultFaultRates;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.inputs.NoteSampling;
import io.elastune.inputs.PlanFigures;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says how much of a prediction is caused by faults, and whose rates these are. */
final class FaultNote {
  private FaultNote() {}

  /** Returns whether the line compares the prediction with one without faults. */
  static boolean isComparison(Problem problem, Plan plan) {
    return !sources(problem, plan).isEmpty();
  }

  /**
   * Returns one line, or nothing if the offers and profiles of the plan state no rates.
   *
   * @param verbose whether to name publications in full
   */
  static Optional<String> of(
      Problem problem, Plan plan, PlanFigures figures, NoteSampling sampling, boolean verbose) {
    List<String> sources = sources(problem, plan);
    if (sources.isEmpty()) {
      return Optional.empty();
    }
    FaultShare share = FaultShare.of(problem, figures, sampling);
    return Optional.of(
        "included: faults, %s and %s (%s)"
            .formatted(share.time(), share.cost(), rates(sources, verbose)));
  }

  private static String rates(List<String> sources, boolean verbose) {
    return (sources.contains(FaultRate.ASSUMED) ? "~ " : "")
        + "rates: "
        + sources.stream()
            .map(source -> verbose ? source : DefaultFaultRates.shortName(source))
            .collect(Collectors.joining("; "));
  }

  private static List<String> sources(Problem problem, Plan plan) {
    return plan.allocations().values().stream()
        .map(Allocation::offer)
        .distinct()
        .flatMap(name -> problem.offer(name).stream())
        .flatMap(
            offer ->
                Stream.concat(
                    rates(offer.faults()), rates(problem.profile(offer).orElseThrow().faults())))
        .filter(rate -> rate.value() > 0)
        .map(FaultRate::source)
        .distinct()
        .sorted()
        .toList();
  }

  private static Stream<FaultRate> rates(InstanceFaultRates rates) {
    return Stream.of(
        rates.refusal(),
        rates.bootFailure(),
        rates.slowBoot(),
        rates.failures(),
        rates.preemptions());
  }

  private static Stream<FaultRate> rates(TrialFaultRates rates) {
    return Stream.of(rates.tornCheckpoint(), rates.crashes(), rates.hangs());
  }
}

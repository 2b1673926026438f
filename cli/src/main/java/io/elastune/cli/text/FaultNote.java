package io.elastune.cli.text;

import io.elastune.core.faults.DefaultFaultRates;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.time.Durations;
import io.elastune.inputs.NoteSampling;
import io.elastune.inputs.PlanFigures;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says how much of a prediction is caused by faults, and whose rates these are. */
final class FaultNote {
  private FaultNote() {}

  /** Returns whether the line compares the prediction with one without faults. */
  static boolean isComparison(Problem problem, Plan plan) {
    return !problem.omitsFaults() && !sources(problem, plan).isEmpty();
  }

  /**
   * Returns one line, or nothing if the offers and profiles of the plan state no rates.
   *
   * @param verbose whether to name publications in full
   */
  static Optional<String> of(
      Problem problem, Plan plan, PlanFigures figures, NoteSampling sampling, boolean verbose) {
    if (problem.omitsFaults()) {
      return omission(problem, plan);
    }
    List<String> sources = sources(problem, plan);
    if (sources.isEmpty()) {
      return Optional.empty();
    }
    FaultShare share = FaultShare.of(problem, plan, figures, sampling);
    return Optional.of(
        "included: faults, %s of the mean time and %s of the mean cost (%s)"
            .formatted(
                Durations.format(share.seconds()),
                UsdFormat.format(share.usd()),
                rates(sources, verbose)));
  }

  private static String rates(List<String> sources, boolean verbose) {
    return (sources.contains(FaultRate.ASSUMED) ? "~ " : "")
        + "rates: "
        + sources.stream()
            .map(source -> verbose ? source : DefaultFaultRates.shortName(source))
            .collect(Collectors.joining("; "));
  }

  /** Returns one line if offers or profiles state rates that the prediction does not contain. */
  static Optional<String> omission(Problem problem, Plan plan) {
    List<String> sources = sources(problem, plan, FaultNote::omitted, FaultNote::omitted);
    if (sources.isEmpty() || !problem.omitsFaults()) {
      return Optional.empty();
    }
    return Optional.of(
        "not included: lost instances and failed trials, because %s divides the instances (rates: %s)"
            .formatted(problem.policy().word(), String.join("; ", sources)));
  }

  private static List<String> sources(Problem problem, Plan plan) {
    return sources(problem, plan, FaultNote::all, FaultNote::all);
  }

  private static List<String> sources(
      Problem problem,
      Plan plan,
      Function<InstanceFaultRates, Stream<FaultRate>> ofInstances,
      Function<TrialFaultRates, Stream<FaultRate>> ofTrials) {
    return plan.allocations().values().stream()
        .map(Allocation::offer)
        .distinct()
        .flatMap(name -> problem.offer(name).stream())
        .flatMap(
            offer ->
                Stream.concat(
                    ofInstances.apply(offer.faults()),
                    ofTrials.apply(problem.profile(offer).orElseThrow().faults())))
        .filter(rate -> rate.value() > 0)
        .map(FaultRate::source)
        .distinct()
        .sorted()
        .toList();
  }

  private static Stream<FaultRate> all(InstanceFaultRates rates) {
    return Stream.concat(
        Stream.of(rates.refusal(), rates.bootFailure(), rates.slowBoot()), omitted(rates));
  }

  private static Stream<FaultRate> all(TrialFaultRates rates) {
    return Stream.concat(Stream.of(rates.tornCheckpoint()), omitted(rates));
  }

  /** Returns the rates of lost instances. */
  private static Stream<FaultRate> omitted(InstanceFaultRates rates) {
    return Stream.of(rates.failures(), rates.preemptions());
  }

  /** Returns the rates of failed trials. */
  private static Stream<FaultRate> omitted(TrialFaultRates rates) {
    return Stream.of(rates.crashes(), rates.hangs());
  }
}

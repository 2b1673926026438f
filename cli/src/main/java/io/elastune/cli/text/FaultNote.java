package io.elastune.cli.text;

import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.time.Durations;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Says how much of a prediction is caused by faults, and whose rates these are. */
final class FaultNote {
  private FaultNote() {}

  /** Returns one line, or nothing if the offers and profiles of the plan state no rates. */
  static Optional<String> of(Problem problem, Plan plan) {
    List<String> sources = sources(problem, plan);
    if (sources.isEmpty()) {
      return Optional.empty();
    }
    if (problem.omitsFaults()) {
      return omission(problem, plan);
    }
    FaultShare share = FaultShare.of(problem, plan);
    return Optional.of(
        "included: faults, %s of the mean time and %s of the mean cost (%srates: %s)"
            .formatted(
                Durations.format(share.seconds()),
                UsdFormat.format(share.usd()),
                sources.contains(FaultRate.ASSUMED) ? "~ " : "",
                String.join("; ", sources)));
  }

  /** Returns one line if offers or profiles state rates that the prediction does not contain. */
  static Optional<String> omission(Problem problem, Plan plan) {
    List<String> sources = sources(problem, plan);
    if (sources.isEmpty() || !problem.omitsFaults()) {
      return Optional.empty();
    }
    return Optional.of(
        "not included: lost instances and failed trials, because %s (rates: %s)"
            .formatted(
                problem.policy().choosesSizes()
                    ? problem.policy().word() + " divides the instances"
                    : "the search is asynchronous",
                String.join("; ", sources)));
  }

  private static List<String> sources(Problem problem, Plan plan) {
    return plan.allocations().values().stream()
        .map(Allocation::offer)
        .distinct()
        .flatMap(name -> problem.offer(name).stream())
        .flatMap(offer -> Stream.concat(rates(offer.faults()), rates(problem, offer)))
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

  private static Stream<FaultRate> rates(Problem problem, Offer offer) {
    TrialFaultRates rates = problem.profile(offer).orElseThrow().faults();
    return Stream.of(rates.crashes(), rates.hangs(), rates.tornCheckpoint());
  }
}

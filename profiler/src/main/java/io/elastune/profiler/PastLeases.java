package io.elastune.profiler;

import io.elastune.core.offer.Offer;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.FaultRow;
import io.elastune.executor.journal.LeaseRow;
import io.elastune.executor.journal.PreparationRow;
import io.elastune.executor.journal.RunReader;
import io.elastune.profiler.history.AttemptCounts;
import io.elastune.profiler.history.PastLease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The leases of a run and the attempts on them: how long they lasted and how they ended. */
final class PastLeases {
  /** Exit codes of attempts that ended without an error: done, and retry requested. */
  private static final Set<Integer> NO_ERROR = Set.of(0, 75);

  private final RunReader run;
  private final Map<String, Offer> offers;
  private final String setup;
  private final Map<String, String> losses;
  private final Map<String, PreparationRow> preparations;
  private final Set<String> refusals;

  /** Empty if no node became ready: then the job has failed, and not the instances. */
  private final Set<String> failedNodes;

  PastLeases(RunReader run, Map<String, Offer> offers, String setup) {
    this.run = run;
    this.offers = offers;
    this.setup = setup;
    losses = run.losses();
    preparations = run.preparations();
    refusals = run.refusals();
    boolean isAnyReady = run.leases().stream().anyMatch(row -> row.ready().isPresent());
    failedNodes = isAnyReady ? run.failedNodes() : Set.of();
  }

  /** Returns all leases whose offer is known. */
  List<PastLease> leases() {
    List<PastLease> leases = new ArrayList<>();
    for (LeaseRow row : run.leases()) {
      Optional.ofNullable(offers.get(row.offer()))
          .map(offer -> lease(row, offer))
          .ifPresent(leases::add);
    }
    return leases;
  }

  private PastLease lease(LeaseRow row, Offer offer) {
    PreparationRow preparation = preparations.getOrDefault(row.lease(), PreparationRow.UNKNOWN);
    return new PastLease(
        row.lease(),
        row.offer(),
        offer.infra(),
        offer.instanceType(),
        offer.market().word(),
        setup,
        row.requested(),
        seconds(Optional.of(row.requested()), row.running()),
        seconds(row.running(), row.ready()),
        preparation,
        seconds(row.running(), row.terminated().or(row::released)).orElse(0),
        end(row));
  }

  private static OptionalDouble seconds(Optional<Instant> from, Optional<Instant> to) {
    return from.isPresent() && to.isPresent()
        ? OptionalDouble.of(Math.max(0, Seconds.between(from.get(), to.get())))
        : OptionalDouble.empty();
  }

  private PastLease.End end(LeaseRow row) {
    if (refusals.contains(row.lease())) {
      return PastLease.End.REFUSED;
    }
    PastLease.End end =
        Optional.ofNullable(losses.get(row.lease()))
            .map(PastLease.End::valueOf)
            .orElse(PastLease.End.RELEASED);
    boolean isLost = end == PastLease.End.FAILED || end == PastLease.End.LOST_CONTACT;
    boolean hasFailed = failedNodes.contains(row.lease()) || (isLost && row.ready().isEmpty());
    return hasFailed ? PastLease.End.NOT_READY : end;
  }

  /** Returns the counts of attempts by the offer of their first instance. */
  List<AttemptCounts> attempts(List<AttemptRow> attempts, Map<String, Offer> offerOfLease) {
    Set<String> faulty = run.faults().stream().map(FaultRow::attempt).collect(Collectors.toSet());
    Map<String, AttemptCounts> counts = new TreeMap<>();
    for (AttemptRow row : attempts) {
      Optional<Offer> offer =
          row.places().stream()
              .map(GpuSlot::lease)
              .findFirst()
              .map(lease -> Optional.ofNullable(offerOfLease.get(lease)))
              .orElse(Optional.empty());
      if (offer.isPresent() && row.exitCode().isPresent()) {
        boolean failed =
            faulty.contains(row.attempt()) && !NO_ERROR.contains(row.exitCode().getAsInt());
        double seconds = seconds(Optional.of(row.started()), row.ended()).orElse(0);
        counts.merge(
            offer.get().name(),
            new AttemptCounts(offer.get().name(), 1, failed ? 1 : 0, seconds),
            (a, b) ->
                new AttemptCounts(
                    a.offer(),
                    a.ended() + b.ended(),
                    a.failed() + b.failed(),
                    a.exposureS() + b.exposureS()));
      }
    }
    return List.copyOf(counts.values());
  }
}

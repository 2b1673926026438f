package io.elastune.executor.decision.model;

import io.elastune.core.policy.PolicyView;
import io.elastune.executor.engine.BestReport;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The state of one trial.
 *
 * @param trial its number, from 1
 * @param chain the index of its chain
 * @param unit units at the end of the last group that it completed, also if it ended early
 * @param metric the metric that it reported there; empty before that
 * @param checkpoint units of its newest committed checkpoint; 0 for none
 * @param failures attempts that failed
 * @param retries attempts that requested a retry
 * @param attempts attempts started
 * @param slots the GPU slots of the last attempt, one per worker; empty before the first
 * @param hung whether the last attempt hung; the next one runs on other instances if they have free
 *     slots
 * @param reported names of the metrics in its last report at the end of a group, if that had no
 *     finite value of the search's metric; otherwise empty
 * @param measured what a profiling run has measured of it so far
 * @param endedAt units after which it ended early: it reported that it needs no more training, and
 *     keeps its metric in all later groups; empty for other trials
 * @param parent the trial that it continues with another configuration; empty for others
 * @param outOfMemory whether it was dropped because its configuration needs too much memory
 * @param reports its reports in ascending order of units, kept only under a policy that compares
 *     them
 * @param best its report with the best value so far, kept only if the best value counts
 * @param program its program that waits for its next attempt; empty if none does
 * @param digests the digests of its complete checkpoints, by unit, as its last attempt left them
 * @param proposal the configuration that the sampler proposed for it; empty for other trials
 */
@RecordBuilder
public record TrialState(
    int trial,
    int chain,
    Status status,
    int unit,
    OptionalDouble metric,
    int checkpoint,
    int failures,
    int retries,
    int attempts,
    List<GpuSlot> slots,
    boolean hung,
    List<String> reported,
    MeasuredTime measured,
    OptionalInt endedAt,
    Optional<TrialParent> parent,
    Optional<TrialProposal> proposal,
    boolean outOfMemory,
    List<PolicyView.Report> reports,
    Optional<BestReport> best,
    Optional<WaitingProgram> program,
    Map<Integer, String> digests) {
  public TrialState {
    digests = Map.copyOf(digests);
    slots = List.copyOf(slots);
    reported = List.copyOf(reported);
    reports = List.copyOf(reports);
  }

  /** The status of a trial. */
  public enum Status {
    /** Waits for a slot, or for the other trials of its group. */
    WAITING,
    RUNNING,
    /** Trained to the end of its chain. */
    COMPLETED,
    /** Not promoted to the next group. */
    STOPPED,
    /** Exceeded the limit of failures. */
    FAILED
  }

  public static TrialState fresh(int trial, int chain) {
    return TrialStateBuilder.builder()
        .trial(trial)
        .chain(chain)
        .status(Status.WAITING)
        .slots(List.of())
        .reported(List.of())
        .measured(MeasuredTime.NONE)
        .reports(List.of())
        .digests(Map.of())
        .build();
  }

  /** Returns the state with the digests of its checkpoints. */
  public TrialState withDigests(Map<Integer, String> others) {
    return TrialStateBuilder.builder(this).digests(others).build();
  }

  /**
   * Returns the state of a new trial that continues from a checkpoint of another one.
   *
   * @param unit units of that checkpoint; 0 for none
   */
  public static TrialState explored(int trial, int chain, int parent, int unit) {
    TrialState fresh = fresh(trial, chain);
    return fresh
        .with(Optional.of(new TrialParent(parent, unit, TrialParent.Use.NEEDED)))
        .committed(0);
  }

  /** Whether it has a metric by which it can be ranked: NaN and infinity are none. */
  public boolean hasValue() {
    return metric.isPresent() && Double.isFinite(metric.getAsDouble());
  }

  /** Whether it reported that it needs no more training. */
  public boolean endedEarly() {
    return endedAt.isPresent();
  }

  /** Whether {@code attempt} is its last one, and counts as ended. */
  public boolean isLastEnded(String attempt) {
    return status != Status.RUNNING && attempts == AttemptState.numberOf(attempt);
  }

  public TrialState as(Status other) {
    return TrialStateBuilder.builder(this).status(other).build();
  }

  /** The instances of the last attempt. */
  public Set<String> home() {
    return slots.stream().map(GpuSlot::lease).collect(Collectors.toSet());
  }

  public TrialState started(List<GpuSlot> gpuSlots) {
    return TrialStateBuilder.builder(this)
        .status(Status.RUNNING)
        .attempts(attempts + 1)
        .slots(gpuSlots)
        .hung(false)
        .program(Optional.empty())
        .build();
  }

  /** Returns the state in which its program waits for the next attempt. */
  public TrialState waiting(WaitingProgram other) {
    return TrialStateBuilder.builder(this).program(Optional.of(other)).build();
  }

  /**
   * Returns the state after the end of a group.
   *
   * @param early units after which it ended early; empty if it did not
   */
  public TrialState reached(int units, double value, OptionalInt early) {
    return TrialStateBuilder.builder(this)
        .status(Status.WAITING)
        .unit(units)
        .metric(OptionalDouble.of(value))
        .endedAt(early)
        .build();
  }

  /** Returns the state after a group in which it was a member without being trained. */
  public TrialState passed(int units) {
    return reached(units, metric.orElse(Double.NaN), endedAt);
  }

  /**
   * Returns the state with a newest checkpoint of this many units; 0 for none. Until a trial has a
   * checkpoint of its own, it can start from that of its parent.
   */
  public TrialState committed(int units) {
    int inherited = parent.filter(TrialParent::isNeeded).map(TrialParent::unit).orElse(0);
    if (units > inherited && inherited > 0) {
      return with(parent.map(from -> from.as(TrialParent.Use.REPLACED))).withCheckpoint(units);
    }
    return withCheckpoint(Math.max(units, inherited));
  }

  /** Returns the state in which the checkpoint of its parent cannot be read. */
  public TrialState withoutParentCheckpoint(int units) {
    return with(parent.map(from -> from.isNeeded() ? from.as(TrialParent.Use.LOST) : from))
        .withCheckpoint(units);
  }

  /** Whether it may start from the checkpoint of its parent, now or after a failure. */
  public boolean needsParent() {
    return parent.filter(TrialParent::isNeeded).isPresent()
        && (status == Status.WAITING || status == Status.RUNNING);
  }

  private TrialState withCheckpoint(int units) {
    return TrialStateBuilder.builder(this).checkpoint(units).build();
  }

  private TrialState with(Optional<TrialParent> other) {
    return TrialStateBuilder.builder(this).parent(other).build();
  }

  /** {@code hanging}: it stopped reporting, possibly because of its instance. */
  public TrialState failed(boolean hanging) {
    return TrialStateBuilder.builder(this)
        .status(Status.WAITING)
        .failures(failures + 1)
        .hung(hanging)
        .build();
  }

  /** Returns the state of a trial whose configuration needs more memory than there is. */
  public TrialState exhausted() {
    return TrialStateBuilder.builder(this).outOfMemory(true).build();
  }

  public TrialState retried() {
    return TrialStateBuilder.builder(this).status(Status.WAITING).retries(retries + 1).build();
  }

  /** Returns the state of a failed trial that is tried again: no attempt counts as failed. */
  TrialState forgiven() {
    return TrialStateBuilder.builder(this)
        .status(Status.WAITING)
        .failures(0)
        .retries(0)
        .outOfMemory(false)
        .hung(false)
        .build();
  }

  /** Returns the state after a report at the end of a group, with the names of its metrics. */
  public TrialState withReported(List<String> names) {
    return TrialStateBuilder.builder(this).reported(names).build();
  }

  /** Returns the state after a report with a better value than all before. */
  public TrialState withBest(BestReport report) {
    return TrialStateBuilder.builder(this).best(Optional.of(report)).build();
  }

  /** Returns the state of a trial of a profiling run after another measurement. */
  public TrialState withMeasured(MeasuredTime other) {
    return TrialStateBuilder.builder(this).measured(other).build();
  }

  /** Returns the state with a configuration that the sampler was asked for, or has proposed. */
  public TrialState with(TrialProposal other) {
    return TrialStateBuilder.builder(this).proposal(Optional.of(other)).build();
  }

  /** Returns the state after another report that a policy compares. */
  public TrialState with(PolicyView.Report report) {
    List<PolicyView.Report> all = new ArrayList<>(reports);
    all.add(report);
    return TrialStateBuilder.builder(this).reports(all).build();
  }

  /**
   * Returns the state of a trial that has reported and may train on.
   *
   * @param units units of the last rung that it has passed
   */
  public TrialState withResult(int units, double value) {
    return TrialStateBuilder.builder(this).unit(units).metric(OptionalDouble.of(value)).build();
  }

  /** Returns the mean seconds of the units between its first and its last report, if any. */
  public OptionalDouble meanUnitS() {
    if (reports.size() < 2) {
      return OptionalDouble.empty();
    }
    PolicyView.Report first = reports.get(0);
    PolicyView.Report last = lastReport();
    return OptionalDouble.of((last.trainedS() - first.trainedS()) / (last.unit() - first.unit()));
  }

  /** Returns its last report that a policy compares; one of 0 units before the first. */
  public PolicyView.Report lastReport() {
    return reports.isEmpty()
        ? new PolicyView.Report(0, Double.NaN, 0)
        : reports.get(reports.size() - 1);
  }

  /** Whether it can start: the sampler has answered, or was not asked. */
  public boolean isConfigured() {
    return proposal.filter(TrialProposal::isOpen).isEmpty();
  }
}

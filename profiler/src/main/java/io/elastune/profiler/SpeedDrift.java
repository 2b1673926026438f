package io.elastune.profiler;

import io.elastune.profiler.history.ProgramEvidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds changes of the speed of a program from run to run. A run that differs from those before it
 * by more than the measurements explain begins a new speed, if its code has changed or the user has
 * profiled the program again; otherwise, if the next run confirms it. Only the runs since then
 * count.
 *
 * @param current the evidence since the last change, the oldest first
 * @param change the last change
 * @param unconfirmed a change that only the last run shows
 */
record SpeedDrift(
    List<ProgramEvidence> current,
    Optional<SpeedChange> change,
    Optional<SpeedChange> unconfirmed) {
  /** Smaller differences are no change, however certain they are. */
  private static final double LEAST_WITH_SAME_CODE = 0.10;

  private static final double LEAST_WITH_OTHER_CODE = 0.05;
  private static final double CERTAIN_WITH_SAME_CODE = 3;
  private static final double CERTAIN_WITH_OTHER_CODE = 2;

  SpeedDrift {
    current = List.copyOf(current);
  }

  private record Timed(ProgramEvidence evidence, RunSpeed speed) {}

  /**
   * Divides the evidence.
   *
   * @param all the stored profile and the evidence of runs, the oldest first
   * @param stored the stored profile among them
   */
  static SpeedDrift of(List<ProgramEvidence> all, ProgramEvidence stored) {
    List<ProgramEvidence> current = new ArrayList<>();
    Optional<SpeedChange> change = Optional.empty();
    Optional<Timed> suspect = Optional.empty();
    Optional<SpeedChange> suspected = Optional.empty();
    for (ProgramEvidence evidence : all) {
      Optional<RunSpeed> speed = RunSpeed.of(evidence.profile(), stored.profile());
      Optional<SpeedChange> now = speed.flatMap(own -> change(current, evidence, own, stored));
      boolean trusted = now.map(SpeedChange::otherCode).orElse(false) || evidence.equals(stored);
      boolean confirms =
          suspect.isPresent() && speed.isPresent() && isClose(suspect.get(), speed.get());
      if (now.isPresent() && (trusted || confirms)) {
        change = confirms && suspected.isPresent() ? suspected : now;
        current.clear();
        suspect.filter(one -> confirms).ifPresent(one -> current.add(one.evidence()));
        current.add(evidence);
        suspect = Optional.empty();
        suspected = Optional.empty();
      } else {
        suspect.ifPresent(one -> current.add(one.evidence()));
        suspect = now.flatMap(found -> speed.map(own -> new Timed(evidence, own)));
        suspected = now;
        if (now.isEmpty()) {
          current.add(evidence);
        }
      }
    }
    suspect.ifPresent(one -> current.add(one.evidence()));
    return new SpeedDrift(current, change, suspected);
  }

  /** Returns the change that a run shows against those before it. */
  private static Optional<SpeedChange> change(
      List<ProgramEvidence> before,
      ProgramEvidence evidence,
      RunSpeed own,
      ProgramEvidence stored) {
    List<RunSpeed> speeds =
        before.stream()
            .flatMap(one -> RunSpeed.of(one.profile(), stored.profile()).stream())
            .toList();
    if (speeds.isEmpty()) {
      return Optional.empty();
    }
    RunSpeed mean = RunSpeed.mean(speeds);
    double difference = own.log() - mean.log();
    double error =
        Math.hypot(Math.hypot(own.standardError(), mean.standardError()), RunSpeed.between(speeds));
    boolean otherCode =
        evidence.code().isPresent()
            && before.stream()
                .noneMatch(one -> one.code().isEmpty() || one.code().equals(evidence.code()));
    double least = otherCode ? LEAST_WITH_OTHER_CODE : LEAST_WITH_SAME_CODE;
    double certain = otherCode ? CERTAIN_WITH_OTHER_CODE : CERTAIN_WITH_SAME_CODE;
    boolean changed =
        Math.abs(difference) > Math.log1p(least) && Math.abs(difference) > certain * error;
    return changed
        ? Optional.of(
            new SpeedChange(evidence.run(), Math.exp(difference), otherCode, before.size()))
        : Optional.empty();
  }

  private static boolean isClose(Timed suspect, RunSpeed speed) {
    return Math.abs(suspect.speed().log() - speed.log())
        < Math.max(
            Math.log1p(LEAST_WITH_OTHER_CODE),
            CERTAIN_WITH_OTHER_CODE
                * Math.hypot(suspect.speed().standardError(), speed.standardError()));
  }
}

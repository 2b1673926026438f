package io.elastune.profiler;

import io.elastune.profiler.history.ProgramEvidence;
import java.util.List;

/**
 * The runs of a program in the history.
 *
 * @param runs their number
 * @param samples their measurements, in addition to those of a stored profile
 */
public record PastRuns(int runs, int samples) {
  /** No runs. */
  public static final PastRuns NONE = new PastRuns(0, 0);

  static PastRuns of(List<ProgramEvidence> evidence) {
    return new PastRuns(
        evidence.size(),
        evidence.stream().mapToInt(run -> run.profile().measured().samples()).sum());
  }
}

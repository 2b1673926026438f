package io.elastune.executor.rehearsal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Collects the gaps of several jobs: the largest of each quantity, and those beyond the limits. */
final class GapFigures {
  private final List<List<PredictionGap>> jobs = new ArrayList<>();
  private final List<String> off = new ArrayList<>();

  /** Adds the gaps of a job; every job has the same quantities in the same order. */
  void add(String job, List<PredictionGap> gaps) {
    jobs.add(gaps);
    if (gaps.stream().anyMatch(PredictionGap::exceedsSignificantly)) {
      off.add("job " + job + ": " + gaps);
    }
  }

  /** Returns the jobs with a gap that exceeds its limit significantly. */
  List<String> off() {
    return List.copyOf(off);
  }

  /**
   * Prints, for each quantity, the largest gap with its standard error, and the root mean square of
   * gap / standard error: about 1 if chance alone causes the gaps.
   */
  void print(String what) {
    StringBuilder line = new StringBuilder().append(jobs.size()).append(" jobs ").append(what);
    for (int i = 0; i < jobs.get(0).size(); i++) {
      PredictionGap worst = jobs.get(0).get(i);
      double squares = 0;
      for (List<PredictionGap> gaps : jobs) {
        PredictionGap gap = gaps.get(i);
        worst = gap.gap() > worst.gap() ? gap : worst;
        squares += gap.error() > 0 ? Math.pow(gap.gap() / gap.error(), 2) : 0;
      }
      line.append(
          String.format(Locale.ROOT, "; %s, rms %.2f", worst, Math.sqrt(squares / jobs.size())));
    }
    System.out.println(line);
  }
}

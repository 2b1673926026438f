package io.elastune.cli.html;

import io.elastune.cli.inspect.RunRecord;
import io.elastune.cli.inspect.ValueFormat;
import io.elastune.executor.journal.TrialRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The colors of the best trials, which are the same in all charts of a page. */
final class TrialColors {
  private static final List<String> STYLES =
      List.of("bestcurve", "second", "third", "fourth", "fifth", "sixth");

  private final RunRecord run;
  private final List<TrialRow> best;

  TrialColors(RunRecord run) {
    this.run = run;
    this.best = run.ranked().limit(STYLES.size()).toList();
  }

  /** Returns the style of a trial's line: a color of its own for the best, else the common one. */
  String style(int trial) {
    for (int i = 0; i < best.size(); i++) {
      if (best.get(i).trial() == trial) {
        return "curve " + STYLES.get(i);
      }
    }
    return "curve";
  }

  /** Returns the colored trials, the worst first, so that the best is drawn on top. */
  List<Integer> drawnLast() {
    List<Integer> trials = new ArrayList<>(best.stream().map(TrialRow::trial).toList());
    Collections.reverse(trials);
    return trials;
  }

  /** Returns the style and the words of each key of the legend. */
  List<Map<String, String>> keys() {
    List<Map<String, String>> keys = new ArrayList<>();
    for (int i = 0; i < best.size(); i++) {
      TrialRow trial = best.get(i);
      String value = ValueFormat.text(trial.metric().orElseThrow());
      String unit =
          trial.unit() < best.get(0).unit() ? " at " + run.meta().unit() + " " + trial.unit() : "";
      keys.add(
          Map.of(
              "style",
              STYLES.get(i),
              "words",
              "trial " + trial.trial() + " (" + value + unit + ")"));
    }
    if (run.trials().size() > best.size()) {
      keys.add(Map.of("style", "other", "words", "other trials"));
    }
    return keys;
  }
}

package io.elastune.cli.html;

import io.elastune.cli.inspect.RunRecord;
import io.elastune.cli.inspect.ValueFormat;
import io.elastune.cli.svg.MarkupEscaper;
import io.elastune.executor.journal.RunReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The colors of the best trials, which are the same in all charts of a page. */
final class TrialColors {
  private static final List<String> STYLES =
      List.of("bestcurve", "second", "third", "fourth", "fifth", "sixth");

  private final RunRecord run;
  private final List<RunReader.TrialRow> best;

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
    List<Integer> trials = new ArrayList<>(best.stream().map(RunReader.TrialRow::trial).toList());
    Collections.reverse(trials);
    return trials;
  }

  /** Returns the legend as a paragraph of HTML. */
  String legend() {
    StringBuilder html = new StringBuilder("<p class=\"faint\">");
    for (int i = 0; i < best.size(); i++) {
      RunReader.TrialRow trial = best.get(i);
      html.append("<span class=\"key ")
          .append(STYLES.get(i))
          .append("\"></span>trial ")
          .append(trial.trial())
          .append(" (")
          .append(ValueFormat.text(trial.metric().orElseThrow()))
          .append(trial.unit() < best.get(0).unit() ? " at " + unit(trial) : "")
          .append(")");
    }
    if (run.trials().size() > best.size()) {
      html.append("<span class=\"key other\"></span>other trials");
    }
    return html.append("</p>\n").toString();
  }

  private String unit(RunReader.TrialRow trial) {
    return MarkupEscaper.escape(run.meta().unit()) + " " + trial.unit();
  }
}

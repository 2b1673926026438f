package io.elastune.core.policy;

import java.util.List;

/** Computes how fast trials converge (docs/searches.md, "Hermes"). */
public final class Convergence {
  private final HermesRule rule;

  /** Creates the computation of a rule. */
  public Convergence(HermesRule rule) {
    this.rule = rule;
  }

  /** Returns the slices that a trial has completed. */
  int slices(PolicyView.Task task) {
    return slices(task.reports());
  }

  private int slices(List<PolicyView.Report> reports) {
    return reports.isEmpty() ? 0 : reports.get(reports.size() - 1).unit() / rule.sliceUnits();
  }

  /**
   * Returns by how much the loss of a trial has fallen in its last complete slice, per second of
   * training: infinite before the end of its first slice, and lowest for a trial without a finite
   * metric. A minimized metric counts relative to the first one.
   */
  double of(PolicyView.Task task) {
    return of(task.reports());
  }

  /** Returns the same for the trial with these reports. */
  public double of(List<PolicyView.Report> reports) {
    int slices = slices(reports);
    if (slices == 0 || reports.size() < 2) {
      return Double.POSITIVE_INFINITY;
    }
    PolicyView.Report first = reports.get(0);
    PolicyView.Report before = slices == 1 ? first : lastIn(reports, slices - 1);
    PolicyView.Report last = lastIn(reports, slices);
    return rule.rate(
        first.loss(), before.loss() - last.loss(), last.trainedS() - before.trainedS());
  }

  /** Returns the last report up to the end of the last complete slice, of at least one report. */
  public PolicyView.Report lastCompared(List<PolicyView.Report> reports) {
    return lastIn(reports, slices(reports));
  }

  /** The last report up to the end of a slice; the first one if there is none. */
  private PolicyView.Report lastIn(List<PolicyView.Report> reports, int slice) {
    PolicyView.Report last = reports.get(0);
    for (PolicyView.Report report : reports) {
      if (report.unit() <= slice * rule.sliceUnits()) {
        last = report;
      }
    }
    return last;
  }
}

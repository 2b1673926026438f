package io.elastune.simulator.group;

import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.instance.CompiledGroup;
import java.util.stream.Stream;

/**
 * Finds when a trial first reports the metric that ends the search, in one sample without faults
 * (docs/searches.md, "Target").
 */
final class TargetReports implements GroupRun.Trace {
  private final DrawReader[] tornCounts;
  private final boolean exist;
  private CompiledGroup group;
  private double[] startups = {};
  private double[] torn = {};
  private int startup;
  private int tornAt;
  private double firstS = Double.POSITIVE_INFINITY;

  /**
   * @param groups those of the plan, in simulation order
   */
  TargetReports(CompiledGroup[] groups) {
    group = groups[0];
    exist = Stream.of(groups).anyMatch(one -> one.targets().length > 0);
    tornCounts = new DrawReader[groups.length];
    for (CompiledGroup one : groups) {
      tornCounts[one.group()] = new DrawReader(one.tornCounts());
    }
  }

  /** Whether a trial may report this metric. */
  boolean exist() {
    return exist;
  }

  /** Begins a sample. */
  void clear() {
    firstS = Double.POSITIVE_INFINITY;
  }

  /** Forgets the reports since {@code before}: a group is simulated again, with faults. */
  void restore(double before) {
    firstS = before;
  }

  /** Begins a group. */
  void select(CompiledGroup next, DrawReader startupReader, int sample) {
    if (!exist) {
      return;
    }
    group = next;
    startup = startupReader.offset(sample);
    startups = startupReader.values();
    tornAt = tornCounts[next.group()].offset(sample);
    torn = tornCounts[next.group()].values();
  }

  /** Records the report of a group with faults. */
  void report(double atS) {
    firstS = Math.min(firstS, atS);
  }

  @Override
  public void record(int trial, int slot, double startS, double endS) {
    double reportS =
        startS
            + group.targetS(trial, endS - startS, startups[startup + trial], torn[tornAt + trial]);
    firstS = Math.min(firstS, reportS);
  }

  /** Returns the time of the first report in the sample; infinite if there is none. */
  double firstS() {
    return firstS;
  }
}

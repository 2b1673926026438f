package io.elastune.executor.simulation;

import io.elastune.core.Preconditions;
import io.elastune.core.billing.Billing;
import java.util.List;

/**
 * The share of the wanted capacity of one offer that is available over time, as recorded or drawn.
 * The trace repeats after its end.
 *
 * @param changes the changes of the share in order of time, the first at second 0
 * @param lengthS seconds until the trace repeats
 */
public record CapacityTrace(List<Change> changes, double lengthS) {

  /** The least share that counts as available, against rounding in recorded traces. */
  private static final double NOTHING = 1e-9;

  /**
   * A change of the available share.
   *
   * @param atS seconds from the start of the trace
   * @param share available share from then on: 0 for no capacity, 1 for all that is requested
   */
  public record Change(double atS, double share) {
    public Change {
      Preconditions.notNegative("atS", atS);
      Preconditions.fraction("share", share);
    }
  }

  public CapacityTrace {
    changes = List.copyOf(changes);
    Preconditions.that(
        !changes.isEmpty() && changes.get(0).atS() == 0, "a trace must start at second 0");
    for (int i = 1; i < changes.size(); i++) {
      Preconditions.that(
          changes.get(i).atS() > changes.get(i - 1).atS(), "the times of a trace must increase");
    }
    Preconditions.that(
        lengthS > changes.get(changes.size() - 1).atS(), "a trace must end after its last change");
  }

  /** Returns the available share {@code seconds} after the start of the trace. */
  public double share(double seconds) {
    return changes.get(indexAt(seconds % lengthS)).share();
  }

  private int indexAt(double seconds) {
    int index = 0;
    while (index + 1 < changes.size() && changes.get(index + 1).atS() <= seconds) {
      index++;
    }
    return index;
  }

  /** Returns the seconds of the first change after {@code seconds}, or of the next repetition. */
  public double nextChangeS(double seconds) {
    double before = Math.floor(seconds / lengthS) * lengthS;
    int next = indexAt(seconds - before) + 1;
    return before + (next < changes.size() ? changes.get(next).atS() : lengthS);
  }

  /** Returns the mean share between two times, in seconds after the start of the trace. */
  public double meanShare(double fromS, double toS) {
    double sum = 0;
    double at = fromS;
    while (at < toS) {
      double until = Math.min(toS, nextChangeS(at));
      sum += (until - at) * share(at);
      at = until;
    }
    return sum / (toS - fromS);
  }

  /** Returns the mean share of the whole trace. */
  public double meanShare() {
    return meanShare(0, lengthS);
  }

  /** Returns the preemptions of one instance per hour in which it can run. */
  public double preemptionsPerHour() {
    double drops = 0;
    double hours = 0;
    for (int i = 0; i < changes.size(); i++) {
      double share = changes.get(i).share();
      boolean last = i + 1 == changes.size();
      double endS = last ? lengthS : changes.get(i + 1).atS();
      if (share > NOTHING) {
        hours += (endS - changes.get(i).atS()) / Billing.SECONDS_PER_HOUR;
        drops += preempted(share, changes.get(last ? 0 : i + 1).share());
      }
    }
    return hours == 0 ? 0 : drops / hours;
  }

  /** Returns the mean seconds for which no capacity is available; 0 if there always is some. */
  public double meanOutageS() {
    double outage = 0;
    int count = 0;
    for (int i = 0; i < changes.size(); i++) {
      if (changes.get(i).share() <= NOTHING) {
        double endS = i + 1 == changes.size() ? lengthS : changes.get(i + 1).atS();
        outage += endS - changes.get(i).atS();
        count += i == 0 || changes.get(i - 1).share() > NOTHING ? 1 : 0;
      }
    }
    return count == 0 ? 0 : outage / count;
  }

  /** Returns the probability that a running instance is preempted when the share changes. */
  static double preempted(double before, double after) {
    return before <= NOTHING || after >= before ? 0 : 1 - after / before;
  }
}

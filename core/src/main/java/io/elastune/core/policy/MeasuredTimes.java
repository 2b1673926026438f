package io.elastune.core.policy;

/**
 * The start-ups and times of units that the reports of a search have shown, on which the decisions
 * of a policy depend (docs/searches.md, "HyperSched"). The order in which they are added does not
 * matter. Immutable.
 *
 * <p>The first report of an attempt covers its start-up and the first unit. The second one shows
 * how long a unit takes, and so how long the start-up was.
 */
public final class MeasuredTimes {
  /** The times before the first report. */
  public static final MeasuredTimes NONE =
      new MeasuredTimes(OrderedValues.NONE, OrderedValues.NONE);

  /** So many are needed to replace the time of the profile. */
  static final int LEAST = 5;

  private static final double STARTUP_SHARE = 0.9;
  private static final double UNIT_SHARE = 0.5;

  private final OrderedValues startupsS;
  private final OrderedValues unitsS;

  private MeasuredTimes(OrderedValues startupsS, OrderedValues unitsS) {
    this.startupsS = startupsS;
    this.unitsS = unitsS;
  }

  /**
   * Returns the times with another start-up.
   *
   * @param seconds from the start of an attempt to the start of its first unit; less than 0, by the
   *     spread of units, counts as 0
   */
  public MeasuredTimes withStartup(double seconds) {
    return new MeasuredTimes(startupsS.with(Math.max(0, seconds)), unitsS);
  }

  /** Returns the times with the seconds per unit of another report. */
  public MeasuredTimes withUnit(double seconds) {
    return new MeasuredTimes(startupsS, unitsS.with(seconds));
  }

  /**
   * Returns the times with what further reports of an attempt show.
   *
   * @param before the units that it has reported before
   * @param completed the units that it has reported now
   * @param startupS seconds of its start-up; 0 if it had none
   * @param unitS seconds of each unit
   * @param showsUnits whether it has the width whose units are measured
   */
  public MeasuredTimes withReports(
      int before, int completed, double startupS, double unitS, boolean showsUnits) {
    MeasuredTimes times = this;
    if (before < 2 && completed >= 2 && startupS > 0) { // otherwise it trained
      times = times.withStartup(startupS);
    }
    for (int unit = Math.max(before, 1); showsUnits && unit < completed; unit++) {
      times = times.withUnit(unitS);
    }
    return times;
  }

  /**
   * Returns the timing in which the 90th percentile of the start-ups and the median of the times of
   * units replace those of the profile, once there are five.
   */
  public PolicyView.Timing replacing(PolicyView.Timing profile) {
    return new PolicyView.Timing(
        profile.leftS(),
        startupsS.size() < LEAST ? profile.startupS() : startupsS.quantile(STARTUP_SHARE),
        unitsS.size() < LEAST ? profile.unitS() : unitsS.quantile(UNIT_SHARE));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MeasuredTimes times
        && startupsS.equals(times.startupsS)
        && unitsS.equals(times.unitsS);
  }

  @Override
  public int hashCode() {
    return 31 * startupsS.hashCode() + unitsS.hashCode();
  }

  @Override
  public String toString() {
    return "start-ups " + startupsS + " s, units " + unitsS + " s";
  }
}

package io.elastune.planner.model;

/**
 * Mean and variance of the time by which faults delay the end of one group, and the cost of the
 * work that is repeated.
 *
 * <p>Losses of an instance are Poisson. The instances work in parallel up to the barrier, so the
 * group ends later by the losses of the instance that has the most of them. This is a closed form
 * for the search; the simulator evaluates the plans that are found.
 */
final class FaultDelay {
  /** Probabilities below which the tail of a distribution does not count. */
  private static final double NEGLIGIBLE = 1e-6;

  /** Faults per instance from which on their number is about its mean. */
  private static final double MANY = 50;

  private double meanS;
  private double varianceS2;
  private double losses;

  /** Mean seconds. */
  double meanS() {
    return meanS;
  }

  /** Variance in seconds squared. */
  double varianceS2() {
    return varianceS2;
  }

  /** Mean number of lost instances. */
  double losses() {
    return losses;
  }

  void clear() {
    meanS = 0;
    varianceS2 = 0;
    losses = 0;
  }

  /**
   * How a group runs without faults.
   *
   * @param durationS its seconds
   * @param lastS the seconds of its last wave: of all, if all trials run at once
   * @param slackS mean seconds by which the last of these trials ends later than one of them
   * @param instances instances that it uses
   * @param fresh instances that it requests
   * @param slots trials that run at once
   * @param trials trials in all
   * @param team instances of a team
   */
  record Course(
      double durationS,
      double lastS,
      double slackS,
      int instances,
      int fresh,
      int slots,
      int trials,
      int team) {
    /**
     * The seconds that a trial waits for an instance: for its own, or until another one has ended
     * its trial, whichever comes first.
     */
    double waitS(double readyS, double othersS) {
      return instances > team ? Math.min(readyS, othersS) : readyS;
    }

    /** The seconds before the last wave: what is lost then is shared by all slots. */
    double earlyS() {
      return Math.max(0, durationS - lastS);
    }

    /** The part of a delay that the trials which end last do not hide. */
    double visibleS(double seconds) {
      return seconds == 0 ? 0 : seconds * seconds / (seconds + slackS);
    }
  }

  /** Computes the delay of a group. */
  void run(GroupFaults faults, Course course) {
    clear();
    if (faults.isNone()) {
      return;
    }
    double perS = faults.lossesPerS();
    int instances = course.instances();
    losses = perS * instances * course.durationS();
    double lossS = faults.repeatS() + faults.readyS();
    addShared(losses * course.earlyS() / course.durationS(), lossS / instances * course.team());
    double waitS = course.waitS(faults.readyS(), course.lastS() / 2);
    addMaximum(
        Math.max(1, faults.independent(instances) / course.team()),
        perS * course.team() * course.lastS(),
        course.visibleS(faults.repeatS() + waitS));
    double attempts = faults.attemptPerS() * course.slots();
    addShared(attempts * course.earlyS(), faults.attemptLossS() / course.slots());
    addMaximum(
        course.slots(),
        faults.attemptPerS() * course.lastS(),
        course.visibleS(faults.attemptLossS()));
    addAny(Math.min(course.slots(), course.trials()), faults.torn(), faults.tornS(), course);
    GroupFaults.Request request = faults.request();
    addRequests(request.refusal(), request.refusalS(), course);
    addRequests(request.bootFailure(), request.bootFailureS(), course);
    addRequests(request.slowBoot(), request.slowBootS(), course);
  }

  /** Adds faults of new instances; the other slots run the trials if there are several waves. */
  private void addRequests(double probability, double seconds, Course course) {
    if (course.earlyS() > 0) {
      addShared(probability * course.fresh(), seconds / course.instances());
    } else {
      addAny(course.fresh(), probability, course.waitS(seconds, course.lastS()), course);
    }
  }

  /** Adds a Poisson number of faults, each of which costs seconds. */
  private void addShared(double mean, double seconds) {
    add(mean * seconds, mean * seconds * seconds);
  }

  /** Adds the largest of {@code count} Poisson numbers of faults, each of which costs seconds. */
  private void addMaximum(double count, double mean, double seconds) {
    if (mean == 0 || seconds == 0) {
      return;
    }
    if (mean > MANY) {
      add(mean * seconds, mean * seconds * seconds);
      return;
    }
    double term = Math.exp(-mean);
    double below = term;
    double first = 0;
    double second = 0;
    int faults = 1;
    double above = -Math.expm1(-mean * count);
    while (above > NEGLIGIBLE) {
      first += above;
      second += (2 * faults - 1) * above;
      term *= mean / faults;
      below += term;
      faults++;
      above = 1 - Math.pow(below, count);
    }
    add(first * seconds, (second - first * first) * seconds * seconds);
  }

  /** Adds a delay that occurs if any of {@code count} faults does. */
  private void addAny(int count, double probability, double seconds, Course course) {
    if (probability > 0 && count > 0) {
      double any = -Math.expm1(count * Math.log1p(-probability));
      double visibleS = course.visibleS(seconds);
      add(any * visibleS, any * (1 - any) * visibleS * visibleS);
    }
  }

  private void add(double seconds, double seconds2) {
    meanS += seconds;
    varianceS2 += seconds2;
  }
}

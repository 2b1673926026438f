package io.elastune.core.policy;

/**
 * The place of an event of a {@link PolicyTimeline} among all events. Times are whole nanoseconds,
 * as in a simulated environment: otherwise the sums of many durations would put events that are at
 * the same time there in another order. Of events at the same time, the readiness of instances
 * comes first; then that of the task which has done the same for longest, and of several, the task
 * that started first. So a simulated environment orders them, too.
 *
 * @param seconds the time in seconds, a whole number of nanoseconds
 * @param ns the time in nanoseconds
 * @param sinceNs when the task began what ends now, in nanoseconds
 * @param order the number of the task's attempt in the order of all starts, or of the instance
 */
record TimelineMoment(double seconds, long ns, long sinceNs, int order) {
  private static final double NANOS = 1e9;

  /** The moment after all events. */
  static final TimelineMoment NEVER = afterInstances(Double.POSITIVE_INFINITY);

  /**
   * Returns the moment at which a task completes a unit, or ends.
   *
   * @param sinceS when it began what ends now
   */
  static TimelineMoment of(double seconds, double sinceS, int order) {
    return of(ns(seconds), ns(sinceS), order);
  }

  /** Returns the moment at which an instance is ready. */
  static TimelineMoment ofInstance(double seconds, int instance) {
    return of(ns(seconds), Long.MIN_VALUE, instance);
  }

  /** Returns the moment before all tasks' events at the same time. */
  static TimelineMoment afterInstances(double seconds) {
    return of(ns(seconds), Long.MIN_VALUE, Integer.MAX_VALUE);
  }

  private static TimelineMoment of(long ns, long sinceNs, int order) {
    return new TimelineMoment(seconds(ns), ns, sinceNs, order);
  }

  /** Returns a time in seconds. */
  static double seconds(long ns) {
    return ns == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : ns / NANOS;
  }

  /** Returns a time rounded to nanoseconds. */
  static long ns(double seconds) {
    return seconds == Double.POSITIVE_INFINITY ? Long.MAX_VALUE : Math.round(seconds * NANOS);
  }

  boolean isAfter(TimelineMoment other) {
    return compare(ns, sinceNs, order, other.ns, other.sinceNs, other.order) > 0;
  }

  /** Compares two moments; negative if the first one comes first. */
  static int compare(
      long ns, long sinceNs, int order, long otherNs, long otherSinceNs, int otherOrder) {
    if (ns != otherNs) {
      return ns < otherNs ? -1 : 1;
    }
    return sinceNs != otherSinceNs
        ? Long.compare(sinceNs, otherSinceNs)
        : Integer.compare(order, otherOrder);
  }
}

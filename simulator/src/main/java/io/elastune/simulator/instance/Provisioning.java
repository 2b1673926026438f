package io.elastune.simulator.instance;

import io.elastune.core.plan.RentedInstance;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.draw.DrawTable;
import java.util.Arrays;

/**
 * When a requested instance is running and ready, and the failed boots before (docs/model.md,
 * "Faults"): after each, another instance is requested at once and takes its place.
 *
 * @param failedBoots by failed boot, seconds from the first request to its start, and its duration
 * @param queuingS seconds from the first request until the instance runs whose boot does not fail
 * @param bootingS seconds that it boots
 */
// An array, because the sampling loop reads it; equality of these records is not used.
@SuppressWarnings("ArrayRecordComponent")
public record Provisioning(double[] failedBoots, double queuingS, double bootingS) {
  /** No failed boots. */
  public static final double[] NONE = {};

  /**
   * Returns the times of an instance that is held, on a timeline that begins at another time of the
   * run; the same ones if its boot fails.
   */
  public Provisioning of(RentedInstance held, double beginS) {
    return failedBoots.length > 0
        ? this
        : new Provisioning(
            failedBoots,
            held.runningS() - beginS,
            Math.max(held.readyS(), beginS) - held.runningS());
  }

  /**
   * Returns the times of a request.
   *
   * @param failures number of boots that fail
   * @param queueS seconds that the first instance queues
   * @param bootS seconds that it boots
   * @param queues the distribution of queueing
   * @param boots the distribution of booting
   * @param others the random streams of the instances after the first
   */
  static Provisioning of(
      int failures,
      double queueS,
      double bootS,
      DrawTable queues,
      DrawTable boots,
      RandomStreams others) {
    double[] failed = new double[2 * failures];
    double runningS = queueS;
    double lastsS = bootS;
    for (int i = 0; i < failures; i++) {
      failed[2 * i] = runningS;
      failed[2 * i + 1] = lastsS;
      RandomStreams own = others.at(i);
      runningS += lastsS + queues.one(own, "queue");
      lastsS = boots.one(own, "boot");
    }
    return new Provisioning(failed, runningS, lastsS);
  }

  /** Returns the same after so many failed boots. */
  Provisioning after(int failed) {
    return failed == 0
        ? this
        : new Provisioning(
            Arrays.copyOfRange(failedBoots, 2 * failed, failedBoots.length), queuingS, bootingS);
  }

  /** Returns when the instance after {@code failed} failed boots is running. */
  public double runningS(double requestedS, int failed) {
    return requestedS + (fails(failed) ? failedBoots[2 * failed] : queuingS);
  }

  /** Returns when that instance is ready, or when its boot fails. */
  public double readyS(double requestedS, int failed) {
    return runningS(requestedS, failed) + (fails(failed) ? failedBoots[2 * failed + 1] : bootingS);
  }

  /**
   * Returns when the instance, or one that takes its place after a failed boot, has been running
   * for some time.
   *
   * @param failed number of failed boots before
   * @param fromS from when on it counts
   * @param lastsS seconds of running from then on
   */
  public double afterRunningS(double requestedS, int failed, double fromS, double lastsS) {
    double leftS = lastsS;
    for (int boot = failed; fails(boot); boot++) {
      double beginS = Math.max(fromS, runningS(requestedS, boot));
      double bootedS = Math.max(0, readyS(requestedS, boot) - beginS);
      if (leftS < bootedS) {
        return beginS + leftS;
      }
      leftS -= bootedS;
    }
    return Math.max(fromS, requestedS + queuingS) + leftS;
  }

  /** Returns whether the boot of that instance fails. */
  public boolean fails(int failed) {
    return 2 * failed < failedBoots.length;
  }
}

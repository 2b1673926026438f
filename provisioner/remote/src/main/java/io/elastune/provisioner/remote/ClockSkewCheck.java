package io.elastune.provisioner.remote;

import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.RefusalReason;
import java.time.Duration;

/**
 * Checks that the clocks of a cloud and of this machine agree. A node's dead-man timer compares the
 * node's clock, which follows the cloud's, with an expiry set by this machine's clock.
 */
public final class ClockSkewCheck {
  private static final Duration MOST_APART = Duration.ofSeconds(60);

  private ClockSkewCheck() {}

  /**
   * Returns the result of the clock check.
   *
   * @param check the name of the check
   * @param cloud the name of the cloud
   * @param ahead how far the cloud's clock is ahead of this machine's, in whole seconds
   */
  public static CheckResult check(String check, String cloud, Duration ahead) {
    String detail = cloud + "'s clock " + apart(ahead.toSeconds());
    return ahead.abs().compareTo(MOST_APART) <= 0
        ? CheckResult.passed(check, detail)
        : CheckResult.failed(
            check,
            detail + ": nodes would shut down too early or too late",
            "set this machine's clock, e.g. by enabling NTP",
            RefusalReason.INVALID);
  }

  private static String apart(long seconds) {
    if (seconds == 0) {
      return "and this machine's agree to the second";
    }
    return "is "
        + Math.abs(seconds)
        + " s "
        + (seconds > 0 ? "ahead of" : "behind")
        + " this machine's";
  }
}

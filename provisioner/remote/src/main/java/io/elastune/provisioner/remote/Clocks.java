package io.elastune.provisioner.remote;

import io.elastune.provisioner.Finding;
import io.elastune.provisioner.Refusal;
import java.time.Duration;

/**
 * Whether a cloud's clock and ours agree: a node's dead-man timer compares the node's clock, which
 * is the cloud's, with a time that ours has set.
 */
public final class Clocks {
  private static final Duration MOST_APART = Duration.ofSeconds(60);

  private Clocks() {}

  /**
   * What to say of the two.
   *
   * @param check its name
   * @param cloud whose clock it is
   * @param ahead by how much the cloud's is ahead of ours; only whole seconds count
   */
  public static Finding finding(String check, String cloud, Duration ahead) {
    String detail = cloud + "'s clock " + apart(ahead.toSeconds());
    return ahead.abs().compareTo(MOST_APART) <= 0
        ? Finding.good(check, detail)
        : Finding.bad(
            check,
            detail + ": nodes would end too early, or too late",
            "set this machine's clock, e.g. switch NTP on",
            Refusal.INVALID);
  }

  private static String apart(long seconds) {
    if (seconds == 0) {
      return "and ours agree to the second";
    }
    return "is " + Math.abs(seconds) + " s " + (seconds > 0 ? "ahead of" : "behind") + " ours";
  }
}

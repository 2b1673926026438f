package io.elastune.cli.text;

import io.elastune.core.time.Durations;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.provisioner.CloudImpairment;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/** Impairments of clouds as text: what it means for the run and its cost, and what to do. */
public final class CloudHealthText {
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

  private CloudHealthText() {}

  /**
   * Returns the text of an impairment when it began.
   *
   * @param reason a reason with the code {@code CLOUD_IMPAIRED}
   * @param numbers what was billed then
   */
  static String impaired(DecisionReason reason, Map<String, Double> numbers) {
    return impaired(reason, numbers, "");
  }

  /** Returns the same for an impairment that exists at {@code now}. */
  public static String impaired(DecisionReason reason, Map<String, Double> numbers, Instant now) {
    Duration left = Duration.between(now, since(reason));
    boolean isFuture = left.compareTo(Duration.ZERO) > 0;
    return impaired(reason, numbers, isFuture ? "in " + Durations.format(left) + ", " : "");
  }

  private static String impaired(
      DecisionReason reason, Map<String, Double> numbers, String relative) {
    String message = reason.details().get(2);
    String since = "since " + moment(since(reason));
    String text =
        switch (impairment(reason)) {
          case LOGIN_EXPIRING ->
              "the login expires "
                  + relative
                  + "at "
                  + moment(since(reason))
                  + "; "
                  + message
                  + "; the run uses the new login by itself";
          case LOGIN_EXPIRED ->
              "the login is not accepted "
                  + since
                  + ": "
                  + message
                  + ". Trials on running instances continue; "
                  + billed(numbers)
                  + " meanwhile. Nothing is launched, renewed or terminated: nodes shut down by"
                  + " themselves after their dead-man time. After a new login the run continues";
          case THROTTLED ->
              "calls are throttled " + since + ": " + message + "; they are repeated more slowly";
          case UNREACHABLE ->
              "no call has succeeded "
                  + since
                  + ": "
                  + message
                  + ". Trials continue; "
                  + billed(numbers)
                  + " meanwhile. Calls are repeated; nodes shut down by themselves after their"
                  + " dead-man time";
          case TERMINATION_UNCONFIRMED ->
              "the termination of "
                  + message
                  + " is requested "
                  + since
                  + " and not confirmed; it is repeated, and the instances may still be billed";
          case DISK_LOW ->
              message
                  + " "
                  + since
                  + ". If it is full, trials fail, and the run stops. Free space there: 'elastune runs rm"
                  + " --older-than 30d' removes ended runs";
        };
    return reason.details().get(0) + ": " + text;
  }

  /** Returns a point in time, to the second. */
  public static String moment(Instant at) {
    return MOMENT.format(at);
  }

  private static String billed(Map<String, Double> numbers) {
    long instances = numbers.getOrDefault("instances", 0.0).longValue();
    return instances == 0
        ? "no instance is billed"
        : Plural.counted(instances, "instance")
            + (instances == 1 ? " is" : " are")
            + " billed "
            + UsdFormat.format(numbers.getOrDefault("usd_per_hour", 0.0))
            + "/h";
  }

  /** Returns the text of the end of an impairment; the code is {@code CLOUD_RECOVERED}. */
  static String recovered(DecisionReason reason) {
    return reason.details().get(0)
        + ": "
        + switch (impairment(reason)) {
          case LOGIN_EXPIRING -> "the login no longer expires within an hour";
          case LOGIN_EXPIRED -> "the login is accepted again, and the run continues";
          case THROTTLED -> "calls are no longer throttled";
          case UNREACHABLE -> "calls succeed again";
          case DISK_LOW -> "the disk has enough free space again";
          case TERMINATION_UNCONFIRMED -> "all requested terminations are confirmed or in progress";
        };
  }

  /** Returns the impairment of a reason. */
  public static CloudImpairment impairment(DecisionReason reason) {
    return CloudImpairment.of(reason.details().get(1));
  }

  /** Returns when an impairment began; of a login that is about to expire, when it expires. */
  public static Instant since(DecisionReason reason) {
    return Instant.parse(reason.details().get(3));
  }
}

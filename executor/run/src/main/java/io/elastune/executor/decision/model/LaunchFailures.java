package io.elastune.executor.decision.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The launches of a run that failed for unknown reasons, counted by their cause: an outage of hours
 * must not fill screen and journal.
 *
 * @param counts by cause: the number of launches that failed with it
 */
public record LaunchFailures(SortedMap<String, Integer> counts) {
  /** No launch has failed. */
  public static final LaunchFailures NONE = new LaunchFailures(new TreeMap<>());

  /** The number of causes that are counted apart; all others are one cause. */
  private static final int MOST_CAUSES = 20;

  /** What differs between equal failures: IDs of requests, times and numbers. */
  private static final Pattern VARIABLE = Pattern.compile("[0-9A-Fa-f-]*[0-9][0-9A-Fa-f-]*");

  private static final String OTHER = "other";

  public LaunchFailures {
    counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
  }

  /** Returns the state after another launch has failed. */
  public LaunchFailures with(String offer, String zone, String message) {
    SortedMap<String, Integer> all = new TreeMap<>(counts);
    all.merge(cause(offer, zone, message), 1, Integer::sum);
    return new LaunchFailures(all);
  }

  /** Returns how many launches have failed with this cause. */
  public int count(String offer, String zone, String message) {
    return counts.getOrDefault(cause(offer, zone, message), 0);
  }

  /** Whether a failure is shown that has occurred that often: the 1st, the 10th, the 100th. */
  public static boolean isShown(int count) {
    int power = 1;
    while (power < count) {
      power *= 10;
    }
    return power == count;
  }

  private String cause(String offer, String zone, String message) {
    String cause = offer + " " + zone + " " + VARIABLE.matcher(message).replaceAll("#");
    return counts.containsKey(cause) || counts.size() < MOST_CAUSES ? cause : OTHER;
  }
}

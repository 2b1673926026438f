package io.elastune.cli.schedule;

import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One of the five fields of a cron expression: its name, range and names of values. */
enum CronField {
  MINUTE("minute", 0, 59, ""),
  HOUR("hour", 0, 23, ""),
  DAY("day of month", 1, 31, ""),
  MONTH("month", 1, 12, "jan feb mar apr may jun jul aug sep oct nov dec"),
  WEEKDAY("day of week", 0, 7, "sun mon tue wed thu fri sat");

  private static final Pattern ITEM =
      Pattern.compile("(\\*|(\\w+)(?:-(\\w+))?)(?:/([1-9][0-9]{0,2}))?");
  private static final int SUNDAY = 7;

  private final String label;
  private final int low;
  private final int high;
  private final String names;

  CronField(String label, int low, int high, String names) {
    this.label = label;
    this.low = low;
    this.high = high;
    this.names = names;
  }

  /**
   * Returns the values of a field such as {@code 1,15-20}. Sunday is 0.
   *
   * @throws IllegalArgumentException with a sentence for users
   */
  SortedSet<Integer> values(String text) {
    SortedSet<Integer> values = new TreeSet<>();
    for (String item : text.split(",", -1)) {
      Matcher parts = ITEM.matcher(item);
      if (!parts.matches()) {
        throw invalid(item);
      }
      boolean all = parts.group(1).equals("*");
      int from = all ? low : value(parts.group(2));
      int to = all ? highest() : parts.group(3) == null ? from : value(parts.group(3));
      if (parts.group(4) != null && !all && parts.group(3) == null) {
        to = highest(); // Like cron: 5/10 starts at 5 and has no end.
      }
      if (from > to) {
        throw invalid(item);
      }
      int step = parts.group(4) == null ? 1 : Integer.parseInt(parts.group(4));
      for (int value = from; value <= to; value += step) {
        values.add(this == WEEKDAY && value == SUNDAY ? 0 : value);
      }
    }
    return values;
  }

  private int highest() {
    return this == WEEKDAY ? SUNDAY - 1 : high;
  }

  private int value(String text) {
    int named = List.of(names.split(" ", -1)).indexOf(text.toLowerCase(Locale.ROOT));
    int value =
        named >= 0
            ? named + (this == MONTH ? 1 : 0)
            : text.matches("[0-9]{1,2}") ? Integer.parseInt(text) : -1;
    if (value < low || value > high) {
      throw invalid(text);
    }
    return value;
  }

  private IllegalArgumentException invalid(String item) {
    return new IllegalArgumentException(
        "the " + label + " must be from " + low + " to " + high + ", is '" + item + "'");
  }
}

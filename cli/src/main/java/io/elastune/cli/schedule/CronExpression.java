package io.elastune.cli.schedule;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * A cron expression with the five standard fields: minute, hour, day of month, month, day of week.
 * As in cron, a date matches one of the two day fields if both are restricted, and both otherwise.
 */
public final class CronExpression {
  /** A date that exists, such as February 29, occurs within this number of years. */
  private static final int YEARS = 9;

  private static final int FIELDS = 5;
  private static final int DAYS_PER_WEEK = 7;

  private final String text;
  private final SortedSet<Integer> minutes;
  private final SortedSet<Integer> hours;
  private final SortedSet<Integer> days;
  private final SortedSet<Integer> months;
  private final SortedSet<Integer> weekdays;
  private final boolean anyDay;
  private final boolean anyWeekday;

  private CronExpression(String text, String[] fields) {
    this.text = text;
    this.minutes = CronField.MINUTE.values(fields[0]);
    this.hours = CronField.HOUR.values(fields[1]);
    this.days = CronField.DAY.values(fields[2]);
    this.months = CronField.MONTH.values(fields[3]);
    this.weekdays = CronField.WEEKDAY.values(fields[4]);
    this.anyDay = fields[2].startsWith("*");
    this.anyWeekday = fields[4].startsWith("*");
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException with a sentence for users
   */
  public static CronExpression parse(String text) {
    String[] fields = text.strip().split("\\s+", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException(
          "must have 5 fields (minute, hour, day of month, month, day of week), has "
              + (text.isBlank() ? 0 : fields.length));
    }
    CronExpression expression = new CronExpression(String.join(" ", fields), fields);
    LocalDate leapYear = LocalDate.of(2024, 1, 1);
    if (leapYear.datesUntil(leapYear.plusYears(YEARS)).noneMatch(expression::matches)) {
      throw new IllegalArgumentException("no date matches day and month");
    }
    return expression;
  }

  /** Returns the next starts, in the time zone of {@code after}. */
  public List<ZonedDateTime> next(ZonedDateTime after, int count) {
    List<ZonedDateTime> starts = new ArrayList<>();
    LocalDate date = after.toLocalDate();
    for (; starts.size() < count; date = date.plusDays(1)) {
      if (matches(date)) {
        for (int hour : hours) {
          for (int minute : minutes) {
            ZonedDateTime start = date.atTime(LocalTime.of(hour, minute)).atZone(after.getZone());
            if (start.isAfter(after) && starts.size() < count) {
              starts.add(start);
            }
          }
        }
      }
    }
    return List.copyOf(starts);
  }

  /** Returns the expressions for {@code OnCalendar} of systemd. Several are alternatives. */
  public List<String> calendarEvents() {
    String time =
        " *-" + list(months, 12) + "-%s " + list(hours, 24) + ":" + list(minutes, 60) + ":00";
    String onDays = time.formatted(list(days, 31)).strip();
    String onWeekdays =
        weekdays.stream().map(CronExpression::weekday).collect(Collectors.joining(","));
    if (weekdays.size() == DAYS_PER_WEEK) {
      return List.of(onDays);
    }
    if (anyDay || anyWeekday) {
      return List.of(onWeekdays + " " + onDays);
    }
    return List.of(onDays, onWeekdays + time.formatted("*"));
  }

  private boolean matches(LocalDate date) {
    boolean day = days.contains(date.getDayOfMonth());
    boolean weekday = weekdays.contains(date.getDayOfWeek().getValue() % DAYS_PER_WEEK);
    boolean either = !anyDay && !anyWeekday;
    return months.contains(date.getMonthValue()) && (either ? day || weekday : day && weekday);
  }

  private static String list(SortedSet<Integer> values, int all) {
    return values.size() == all
        ? "*"
        : values.stream().map("%02d"::formatted).collect(Collectors.joining(","));
  }

  private static String weekday(int number) {
    String name = DayOfWeek.of(number == 0 ? DAYS_PER_WEEK : number).name();
    return name.charAt(0) + name.substring(1, 3).toLowerCase(Locale.ROOT);
  }

  @Override
  @JsonValue
  public String toString() {
    return text;
  }
}

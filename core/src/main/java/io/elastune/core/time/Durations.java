package io.elastune.core.time;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats durations such as {@code 90s}, {@code 45m}, {@code 1h30m} and {@code 14d}. */
public final class Durations {
  /** The longest duration in files, in seconds: 3650 days. */
  public static final long LONGEST_S = 3650L * 24 * 3600;

  /** The longest duration that can be parsed; it prevents arithmetic overflow. */
  public static final Duration LONGEST = Duration.ofSeconds(LONGEST_S);

  private static final Pattern FORM =
      Pattern.compile(
          "(?:(\\d{1,9}(?:\\.\\d{1,20})?)d)?(?:(\\d{1,9}(?:\\.\\d{1,20})?)h)?"
              + "(?:(\\d{1,9}(?:\\.\\d{1,20})?)m)?(?:(\\d{1,9}(?:\\.\\d{1,20})?)s)?");
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;
  private static final int DAY = 24 * HOUR;
  private static final List<Integer> UNIT_SECONDS = List.of(DAY, HOUR, MINUTE, 1);
  private static final int DECIMALS_BELOW_S = 10;
  private static final int SECONDS_SHOWN_BELOW_S = 10 * MINUTE;
  private static final int DAYS_SHOWN_FROM_S = 2 * DAY;

  private Durations() {}

  /** Parses one or more numbers with units, largest unit first; at most {@link #LONGEST}. */
  public static Optional<Duration> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (text.isEmpty() || !form.matches()) {
      return Optional.empty();
    }
    BigDecimal seconds = BigDecimal.ZERO;
    for (int i = 0; i < UNIT_SECONDS.size(); i++) {
      String number = form.group(i + 1);
      if (number != null) {
        seconds =
            seconds.add(new BigDecimal(number).multiply(BigDecimal.valueOf(UNIT_SECONDS.get(i))));
      }
    }
    if (seconds.compareTo(BigDecimal.valueOf(LONGEST.toSeconds())) > 0) {
      return Optional.empty();
    }
    long whole = seconds.longValue();
    long nanos = seconds.subtract(BigDecimal.valueOf(whole)).movePointRight(9).longValue();
    return Optional.of(Duration.ofSeconds(whole, nanos));
  }

  /** Formats a non-negative duration exactly, such that {@link #parse} returns an equal one. */
  public static String formatExact(Duration duration) {
    long seconds = duration.toSeconds();
    StringBuilder text = new StringBuilder();
    append(text, seconds / DAY, "d");
    append(text, seconds % DAY / HOUR, "h");
    append(text, seconds % HOUR / MINUTE, "m");
    BigDecimal rest =
        BigDecimal.valueOf(seconds % MINUTE)
            .add(BigDecimal.valueOf(duration.toNanosPart(), 9))
            .stripTrailingZeros();
    if (rest.signum() != 0 || text.isEmpty()) {
      text.append(rest.toPlainString()).append('s');
    }
    return text.toString();
  }

  private static void append(StringBuilder text, long count, String unit) {
    if (count != 0) {
      text.append(count).append(unit);
    }
  }

  /**
   * Formats rounded seconds for screens: {@code 1.3s}, {@code 47s}, {@code 1m30s}, {@code 12m},
   * {@code 2h31m}.
   */
  public static String format(double seconds) {
    if (Double.isNaN(seconds)) {
      return "?";
    }
    if (Double.isInfinite(seconds)) {
      return seconds > 0 ? "∞" : "-∞";
    }
    return seconds < 0 ? "-" + formatPositive(-seconds) : formatPositive(seconds);
  }

  /** Formats a duration, rounded, for screens. */
  public static String format(Duration duration) {
    return format(duration.toSeconds() + duration.toNanosPart() / 1e9);
  }

  private static String formatPositive(double seconds) {
    long tenths = Math.round(seconds * 10);
    if (tenths < DECIMALS_BELOW_S * 10 && tenths % 10 != 0) {
      return String.format(Locale.ROOT, "%.1fs", tenths / 10.0);
    }
    long whole = Math.round(seconds);
    if (whole < MINUTE) {
      return whole + "s";
    }
    if (whole < SECONDS_SHOWN_BELOW_S) {
      return whole / MINUTE + "m" + (whole % MINUTE == 0 ? "" : twoDigits(whole % MINUTE) + "s");
    }
    long minutes = Math.round(seconds / MINUTE);
    if (minutes < HOUR / MINUTE) {
      return minutes + "m";
    }
    if (whole < DAYS_SHOWN_FROM_S) {
      return minutes / 60 + "h" + twoDigits(minutes % 60) + "m";
    }
    long hours = Math.round(seconds / HOUR);
    return hours / 24 + "d" + twoDigits(hours % 24) + "h";
  }

  private static String twoDigits(long number) {
    return String.format(Locale.ROOT, "%02d", number);
  }
}

package io.elastune.cli.text;

import io.elastune.inputs.Inputs;
import io.elastune.inputs.ProfileSummary;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Renders the first line of a plan screen: its title, and the source and age of its numbers. */
public final class ProvenanceLine {
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm'Z'").withZone(ZoneOffset.UTC);
  private static final int WIDTH_OF_TITLE = 28;
  private static final String GAP = "     ";

  private ProvenanceLine() {}

  /** Returns the line, e.g. with the title {@code Plan for NAME}. */
  public static String line(String title, Inputs inputs, Instant now) {
    List<String> sources = sources(inputs, now);
    return String.format("%-" + WIDTH_OF_TITLE + "s   %s", title, String.join(GAP, sources));
  }

  /** Returns the source and age of prices, and of the profile if there is one. */
  public static List<String> sources(Inputs inputs, Instant now) {
    return inputs.profiles().isEmpty()
        ? List.of(prices(inputs))
        : List.of(prices(inputs), profile(inputs, now));
  }

  private static String prices(Inputs inputs) {
    return "prices " + source(inputs);
  }

  /** Returns the source and the date of the offers. */
  static String source(Inputs inputs) {
    return inputs.catalog().value().source() + " " + date(inputs.catalog().value().date());
  }

  private static String profile(Inputs inputs, Instant now) {
    if (inputs.profiles().stream().allMatch(file -> file.value().measured().isAssumed())) {
      return "profile assumed";
    }
    ProfileSummary profile = ProfileSummary.of(inputs.profiles());
    return "profile measured " + ago(profile.at(), now) + " (n=" + profile.samples() + ")";
  }

  /** Returns a date unchanged, and a point in time to the minute. */
  private static String date(String text) {
    try {
      return MINUTE.format(OffsetDateTime.parse(text));
    } catch (DateTimeException e) {
      return text;
    }
  }

  private static String ago(Instant then, Instant now) {
    Duration age = Duration.between(then, now);
    if (age.isNegative()) {
      return MINUTE.format(then);
    }
    if (age.toDays() > 1) {
      return age.toDays() + " d ago";
    }
    return age.toHours() > 0 ? age.toHours() + " h ago" : age.toMinutes() + " min ago";
  }
}

package io.elastune.core.config.codec;

import io.elastune.core.IntRange;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import io.elastune.core.job.Deadline;
import io.elastune.core.job.FailedTrialLimit;
import io.elastune.core.plan.RungRule;
import io.elastune.core.time.Durations;
import io.elastune.core.time.Seconds;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Codecs for quantities with their own notation: durations, fractions, ranges and date-times. */
public final class QuantityCodecs {
  private static final Pattern PERCENTAGE = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,12})?)\\s?%");
  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})\\.\\.(\\d{1,9})");
  private static final Pattern SIZE = Pattern.compile("(\\d{1,15})([kKMGT]?)B?");
  private static final BigDecimal MOST_BYTES = BigDecimal.TEN.pow(15);
  private static final List<String> SIZE_UNITS = List.of("", "K", "M", "G", "T");
  private static final Pattern NEAR_RANGE =
      Pattern.compile("(\\d{1,9})\\s*(?:\\.\\.\\.?|-|–|to|:)\\s*(\\d{1,9})");
  private static final String DURATION_PATTERN = "^([0-9.]+d)?([0-9.]+h)?([0-9.]+m)?([0-9.]+s)?$";

  private static final String AT_DEADLINE = "deadline";

  private QuantityCodecs() {}

  /** Returns the codec for a duration from {@code least} to {@code most}. */
  public static Codec<Duration> duration(Duration least, Duration most) {
    return new ScalarCodec<>(
        "duration",
        OrderedMaps.map("type", "string", "pattern", DURATION_PATTERN),
        scalar -> readDuration(scalar, least, most),
        Durations::formatExact);
  }

  private static ReadResult<Duration> readDuration(
      ScalarNode scalar, Duration least, Duration most) {
    ReadResult<Duration> read = readDuration(scalar, least);
    return read.value().filter(duration -> duration.compareTo(most) > 0).isPresent()
        ? ReadResult.invalid(
            "must be at most " + Durations.formatExact(most) + ", not " + scalar.displayText())
        : read;
  }

  private static ReadResult<Duration> readDuration(ScalarNode scalar, Duration least) {
    Optional<Duration> duration = parseDuration(scalar);
    if (duration.isEmpty()) {
      return ReadResult.invalid(
          "must be a duration such as 90s, 45m, 1h30m or 14d (at most 3650d), not "
              + scalar.describe(),
          durationHint(scalar, least));
    }
    return duration.get().compareTo(least) < 0
        ? ReadResult.invalid(
            least.toNanos() <= 1
                ? "must be above 0, not " + scalar.displayText()
                : "must be at least "
                    + Durations.formatExact(least)
                    + ", not "
                    + scalar.displayText())
        : ReadResult.valid(duration.get());
  }

  static Optional<Duration> parseDuration(ScalarNode scalar) {
    return scalar.kind() == ScalarType.STRING ? Durations.parse(scalar.text()) : Optional.empty();
  }

  private static String durationHint(ScalarNode scalar, Duration least) {
    return switch (scalar.kind()) {
      case WHOLE_NUMBER, NUMBER -> {
        List<String> valid =
            Stream.of("s", "m", "h")
                .map(unit -> scalar.displayText() + unit)
                .filter(text -> isAtLeast(text, least))
                .toList();
        yield valid.isEmpty() ? "" : "did you mean " + alternatives(valid) + "?";
      }
      case STRING -> {
        String tidy = scalar.text().replaceAll("\\s", "").toLowerCase(java.util.Locale.ROOT);
        String shorter = tidy.replaceAll("(?<=\\d)([dhms])[a-z]+", "$1");
        yield isAtLeast(shorter, least) ? "did you mean " + shorter + "?" : "";
      }
      case BOOLEAN, EMPTY -> "";
    };
  }

  private static boolean isAtLeast(String text, Duration least) {
    return Durations.parse(text).filter(duration -> duration.compareTo(least) >= 0).isPresent();
  }

  private static String alternatives(List<String> texts) {
    int last = texts.size() - 1;
    String others = String.join(", ", texts.subList(0, last));
    return others.isEmpty() ? texts.get(last) : others + " or " + texts.get(last);
  }

  /** Returns the codec for a duration, or a date with time and offset. */
  public static Codec<Deadline> deadline() {
    return new ScalarCodec<>(
        "duration, or date-time with offset",
        OrderedMaps.map("type", "string"),
        QuantityCodecs::readDeadline,
        deadline ->
            deadline.match(
                within -> Durations.formatExact(within.duration()), at -> at.instant().toString()));
  }

  /** Returns the codec for a duration, or the word {@code deadline}. */
  public static Codec<RungRule.TimeLimit> timeLimit() {
    return new ScalarCodec<>(
        "duration, or deadline",
        OrderedMaps.map("type", "string"),
        QuantityCodecs::readTimeLimit,
        limit ->
            limit.seconds().isPresent()
                ? Durations.formatExact(duration(limit.seconds().getAsDouble()))
                : AT_DEADLINE);
  }

  private static Duration duration(double seconds) {
    return Duration.between(Instant.EPOCH, Seconds.after(Instant.EPOCH, seconds));
  }

  private static ReadResult<RungRule.TimeLimit> readTimeLimit(ScalarNode scalar) {
    if (scalar.kind() == ScalarType.STRING && scalar.text().equals(AT_DEADLINE)) {
      return ReadResult.valid(new RungRule.TimeLimit(OptionalDouble.empty()));
    }
    ReadResult<Duration> duration = readDuration(scalar, Duration.ofSeconds(1));
    return new ReadResult<>(
        duration.value().map(value -> new RungRule.TimeLimit(OptionalDouble.of(Seconds.of(value)))),
        duration.message(),
        duration.hint());
  }

  private static ReadResult<Deadline> readDeadline(ScalarNode scalar) {
    Optional<Instant> moment = parseDateTime(scalar);
    if (moment.isPresent()) {
      return ReadResult.valid(new Deadline.At(moment.get()));
    }
    if (scalar.text().matches("\\d{4}-\\d\\d-.*")) {
      return ReadResult.invalid(
          "must be a date-time with offset, not " + scalar.describe(), dateTimeHint(scalar));
    }
    ReadResult<Duration> duration = readDuration(scalar, Duration.ofNanos(1));
    return new ReadResult<>(
        duration.value().map(Deadline.Within::new), duration.message(), duration.hint());
  }

  /**
   * Returns the codec for a fraction from 0 to 1: {@code 80%} or 0.8.
   *
   * @param inner whether 0 and 1 are excluded
   */
  public static Codec<Double> fraction(boolean inner) {
    Map<String, Object> number = new LinkedHashMap<>();
    number.put("type", "number");
    number.put(inner ? "exclusiveMinimum" : "minimum", 0);
    number.put(inner ? "exclusiveMaximum" : "maximum", 1);
    Map<String, Object> text =
        OrderedMaps.map("type", "string", "pattern", "^[0-9]+(\\.[0-9]+)?\\s?%$");
    return new ScalarCodec<>(
        "fraction: 80% or 0.8",
        OrderedMaps.map("anyOf", List.of(number, text)),
        scalar -> readShare(scalar, inner),
        NumberCodecs::pretty);
  }

  private static ReadResult<Double> readShare(ScalarNode scalar, boolean inner) {
    Matcher percentage = PERCENTAGE.matcher(scalar.text());
    Optional<Double> value =
        scalar.kind() == ScalarType.STRING && percentage.matches()
            ? Optional.of(new BigDecimal(percentage.group(1)).movePointLeft(2).doubleValue())
            : NumberCodecs.numberValue(scalar);
    if (value.isEmpty()) {
      return ReadResult.invalid("must be a fraction such as 80% or 0.8, not " + scalar.describe());
    }
    double share = value.get();
    boolean right = inner ? share > 0 && share < 1 : share >= 0 && share <= 1;
    if (right) {
      return ReadResult.valid(share);
    }
    boolean forgotten = scalar.kind() != ScalarType.STRING && share > 1 && share <= 100;
    return ReadResult.invalid(
        "must be " + (inner ? "between 0 and 1" : "from 0 to 1") + ", not " + scalar.displayText(),
        forgotten && (!inner || share < 100) ? "did you mean " + scalar.text() + "%?" : "");
  }

  /** Returns the codec for a number of failed trials, or a share of all trials in percent. */
  public static Codec<FailedTrialLimit> failedTrialLimit() {
    return new ScalarCodec<>(
        "whole number of at least 0, or a share: 10%",
        OrderedMaps.map(
            "anyOf",
            List.of(
                OrderedMaps.map("type", "integer", "minimum", 0),
                OrderedMaps.map("type", "string", "pattern", "^[0-9]+(\\.[0-9]+)?\\s?%$"))),
        QuantityCodecs::readFailedTrialLimit,
        QuantityCodecs::failedTrialLimitValue);
  }

  private static ReadResult<FailedTrialLimit> readFailedTrialLimit(ScalarNode scalar) {
    Matcher percentage = PERCENTAGE.matcher(scalar.text());
    if (scalar.kind() == ScalarType.STRING && percentage.matches()) {
      BigDecimal fraction = new BigDecimal(percentage.group(1)).movePointLeft(2);
      return fraction.compareTo(BigDecimal.ONE) > 0
          ? ReadResult.invalid("must be at most 100%, not " + scalar.displayText())
          : ReadResult.valid(new FailedTrialLimit.Share(fraction.doubleValue()));
    }
    if (scalar.kind() == ScalarType.WHOLE_NUMBER && scalar.text().matches("[0-9]{1,9}")) {
      return ReadResult.valid(new FailedTrialLimit.Count(Integer.parseInt(scalar.text())));
    }
    boolean fraction =
        scalar.kind() == ScalarType.NUMBER
            && NumberCodecs.numberValue(scalar).filter(value -> value > 0 && value < 1).isPresent();
    return ReadResult.invalid(
        "must be a whole number of at least 0, or a share such as 10%, not " + scalar.describe(),
        fraction ? "did you mean " + percent(new BigDecimal(scalar.text())) + "?" : "");
  }

  private static Object failedTrialLimitValue(FailedTrialLimit limit) {
    return limit instanceof FailedTrialLimit.Share share
        ? percent(BigDecimal.valueOf(share.fraction()))
        : (Object) (long) ((FailedTrialLimit.Count) limit).failed();
  }

  private static String percent(BigDecimal fraction) {
    return fraction.movePointRight(2).stripTrailingZeros().toPlainString() + "%";
  }

  /** Returns the codec for a size in bytes, such as 500M: units are powers of 1000. */
  public static Codec<Long> size() {
    return new ScalarCodec<>(
        "size in bytes: 500M",
        OrderedMaps.map(
            "anyOf",
            List.of(
                OrderedMaps.map("type", "integer", "minimum", 1),
                OrderedMaps.map("type", "string", "pattern", "^[0-9]+[kKMGT]?B?$"))),
        QuantityCodecs::readSize,
        QuantityCodecs::sizeValue);
  }

  private static ReadResult<Long> readSize(ScalarNode scalar) {
    Matcher size = SIZE.matcher(scalar.text());
    boolean text = scalar.kind() == ScalarType.STRING || scalar.kind() == ScalarType.WHOLE_NUMBER;
    BigDecimal bytes = BigDecimal.ZERO;
    if (text && size.matches()) {
      int power = SIZE_UNITS.indexOf(size.group(2).toUpperCase(java.util.Locale.ROOT));
      bytes = new BigDecimal(size.group(1)).scaleByPowerOfTen(3 * power);
    }
    return bytes.signum() > 0 && bytes.compareTo(MOST_BYTES) <= 0
        ? ReadResult.valid(bytes.longValueExact())
        : ReadResult.invalid(
            "must be a size such as 200k, 500M or 2G (at most 1000T), not " + scalar.describe());
  }

  private static Object sizeValue(long bytes) {
    int power = 0;
    long number = bytes;
    while (number % 1000 == 0 && power + 1 < SIZE_UNITS.size()) {
      number /= 1000;
      power++;
    }
    return power == 0 ? (Object) number : number + SIZE_UNITS.get(power);
  }

  /** Returns the codec for a range of whole numbers of at least 1, or a single one. */
  public static Codec<IntRange> range() {
    String type = "range: 1..8, or a whole number";
    return new ScalarCodec<>(
        type,
        OrderedMaps.map(
            "anyOf",
            List.of(
                OrderedMaps.map("type", "integer", "minimum", 1),
                OrderedMaps.map("type", "string", "pattern", "^[0-9]+\\.\\.[0-9]+$"))),
        QuantityCodecs::readRange,
        range ->
            range.low() == range.high() ? (Object) (long) range.low() : (Object) range.toString());
  }

  private static ReadResult<IntRange> readRange(ScalarNode scalar) {
    Matcher range = RANGE.matcher(scalar.text());
    if (scalar.kind() == ScalarType.STRING && range.matches()) {
      return rangeOf(Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)));
    }
    if (scalar.kind() == ScalarType.WHOLE_NUMBER && scalar.text().matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(scalar.text());
      return rangeOf(number, number);
    }
    Matcher near = NEAR_RANGE.matcher(scalar.text());
    return ReadResult.invalid(
        "must be a range such as 1..8, or a whole number of at least 1, not " + scalar.describe(),
        near.matches() ? "did you mean " + near.group(1) + ".." + near.group(2) + "?" : "");
  }

  private static ReadResult<IntRange> rangeOf(int low, int high) {
    if (low > high) {
      return ReadResult.invalid(
          "the range " + low + ".." + high + " is empty",
          "did you mean " + high + ".." + low + "?");
    }
    return low < 1
        ? ReadResult.invalid("must start at 1 or above, not at " + low)
        : ReadResult.valid(new IntRange(low, high));
  }

  /** Returns the codec for a date with time and offset. */
  public static Codec<Instant> dateTime() {
    return new ScalarCodec<>(
        "date-time with offset",
        OrderedMaps.map("type", "string", "format", "date-time"),
        scalar -> {
          Optional<Instant> moment = parseDateTime(scalar);
          return moment.isPresent()
              ? ReadResult.valid(moment.get())
              : ReadResult.invalid(
                  "must be a date-time with offset, not " + scalar.describe(),
                  dateTimeHint(scalar));
        },
        Instant::toString);
  }

  static Optional<Instant> parseDateTime(ScalarNode scalar) {
    try {
      return scalar.kind() == ScalarType.STRING
          ? Optional.of(OffsetDateTime.parse(scalar.text()).toInstant())
          : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  static String dateTimeHint(ScalarNode scalar) {
    String text = scalar.text();
    if (text.matches("\\d{4}-\\d\\d-\\d\\d")) {
      return "did you mean " + text + "T18:00:00Z?";
    }
    return text.matches("\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?")
        ? "add the offset: " + text.replace(' ', 'T') + "Z for UTC"
        : "e.g. 2026-11-20T18:00:00Z";
  }
}

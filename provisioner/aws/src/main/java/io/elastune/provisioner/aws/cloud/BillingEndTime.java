package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.aws.model.Ec2Instance;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses when billing ended from EC2's text, e.g. {@code User initiated (2026-11-21 08:30:00 GMT)}.
 * The text omits fractions of a second, so the time is rounded up: the computed cost is never below
 * the billed cost.
 */
final class BillingEndTime {
  private static final Pattern STAMP =
      Pattern.compile("\\((\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}) (?:GMT|UTC)\\)");
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private BillingEndTime() {}

  static Optional<Instant> of(Ec2Instance instance) {
    Matcher stamp = STAMP.matcher(instance.transition());
    if (!stamp.find()) {
      return Optional.empty();
    }
    try {
      LocalDateTime time = LocalDateTime.parse(stamp.group(1), FORMAT);
      return Optional.of(time.toInstant(ZoneOffset.UTC).plusSeconds(1));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}

package io.elastune.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.ExternalPrograms;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronExpressionTest {
  private static final ZonedDateTime NOW = ZonedDateTime.parse("2026-11-23T13:30:30Z[UTC]");
  private static final int STARTS = 4;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 2 * * *      | 2026-11-24T02:00Z 2026-11-25T02:00Z",
        "*/20 13 * * *  | 2026-11-23T13:40Z 2026-11-24T13:00Z",
        "30,31 13 * * * | 2026-11-23T13:31Z 2026-11-24T13:30Z",
        "5/25 0 1 jan * | 2027-01-01T00:05Z 2027-01-01T00:30Z",
        "0 9 * * MON-FRI| 2026-11-24T09:00Z 2026-11-25T09:00Z",
        "0 9 * * 7      | 2026-11-29T09:00Z 2026-12-06T09:00Z",
        "0 9 29 2 *     | 2028-02-29T09:00Z 2032-02-29T09:00Z",
        // Both day fields are restricted: either is sufficient.
        "0 9 27 * sat   | 2026-11-27T09:00Z 2026-11-28T09:00Z",
        "0 9 */2 * sun  | 2026-11-29T09:00Z 2026-12-13T09:00Z",
      })
  void findsNextStarts(String cron, String expected) {
    List<String> starts =
        CronExpression.parse(cron).next(NOW, 2).stream()
            .map(start -> start.toOffsetDateTime().toString())
            .toList();
    assertThat(String.join(" ", starts)).isEqualTo(expected);
  }

  @Test
  void startsInTheGapOfDaylightSavingTimeAreLater() {
    ZonedDateTime before = ZonedDateTime.parse("2026-03-28T12:00+01:00[Europe/Berlin]");
    assertThat(CronExpression.parse("30 2 * * *").next(before, 2).toString())
        .isEqualTo(
            "[2026-03-29T03:30+02:00[Europe/Berlin], 2026-03-30T02:30+02:00[Europe/Berlin]]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 2 * *        | must have 5 fields",
        "@daily         | must have 5 fields (minute, hour, day of month, month, day of week), has"
            + " 1",
        "60 2 * * *     | the minute must be from 0 to 59, is '60'",
        "0 24 * * *     | the hour must be from 0 to 23, is '24'",
        "0 2 0 * *      | the day of month must be from 1 to 31, is '0'",
        "0 2 * nov-oct *| the month must be from 1 to 12, is 'nov-oct'",
        "0 2 * * fry    | the day of week must be from 0 to 7, is 'fry'",
        "*/0 2 * * *    | the minute must be from 0 to 59, is '*/0'",
        "1,,2 2 * * *   | the minute must be from 0 to 59, is ''",
        "0 2 30 2 *     | no date matches day and month",
      })
  void rejectsOthers(String cron, String message) {
    assertThatThrownBy(() -> CronExpression.parse(cron))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  /** The timer of systemd starts at the times that the screen names. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 2 * * *",
        "*/20 13 * * *",
        "5/25 0 1 jan *",
        "0 9 * * MON-FRI",
        "0 9 * * 7",
        "0 9 27 * sat",
        "0 9 */10 * sun",
        "15 3,4 1-7 * *",
        "0 0 * 6-8 1,3"
      })
  void systemdAgrees(String cron) throws Exception {
    assumeTrue(ExternalPrograms.isInstalled("systemd-analyze"), "systemd-analyze is missing");
    TreeSet<String> found = new TreeSet<>();
    for (String event : CronExpression.parse(cron).calendarEvents()) {
      String output =
          ExternalPrograms.output(
              Path.of("").toAbsolutePath(),
              Map.of("TZ", "UTC", "LC_ALL", "C"),
              "systemd-analyze",
              "calendar",
              "--base-time=2026-11-23 13:30:30 UTC",
              "--iterations=" + STARTS,
              event);
      Matcher time =
          Pattern.compile("(\\d{4}-\\d\\d-\\d\\d) (\\d\\d:\\d\\d):00 UTC").matcher(output);
      while (time.find()) {
        found.add(time.group(1) + "T" + time.group(2) + "Z");
      }
    }
    assertThat(found.stream().limit(STARTS).toList())
        .isEqualTo(
            CronExpression.parse(cron).next(NOW, STARTS).stream()
                .map(start -> start.toOffsetDateTime().toString())
                .toList());
  }
}

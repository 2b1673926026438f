package io.elastune.cli.schedule;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.elastune.cli.inspect.RunSchedule;
import java.util.List;

/** A schedule in the documents of {@code schedule add} and {@code schedule list}. */
public record ScheduleDocument(
    @JsonUnwrapped Schedule schedule,
    @JsonPropertyDescription("Its next starts.") List<String> nextStarts,
    @JsonPropertyDescription("The time zone of its cron expression.") String timeZone,
    @JsonUnwrapped RunSchedule.MonthDocument cost) {}

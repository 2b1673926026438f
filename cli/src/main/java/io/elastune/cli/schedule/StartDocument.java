package io.elastune.cli.schedule;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** A line of {@code schedule log --json}, and of the log file. */
public record StartDocument(
    @JsonPropertyDescription("When the timer fired.") Instant at,
    @JsonPropertyDescription("What the line reports.") String state,
    @JsonPropertyDescription("The exit code, if the run has ended or was not started.")
        OptionalInt exit,
    @JsonPropertyDescription("Why it was skipped, or empty.") String text,
    @JsonPropertyDescription("The name of the job.") String job,
    @JsonPropertyDescription("The run and its profiling runs.") List<String> runs,
    @JsonPropertyDescription("Their cost in USD; null if that of one is unknown.")
        OptionalDouble usd,
    @JsonPropertyDescription("The cost of each run in USD; null if it is unknown.")
        Map<String, OptionalDouble> usdByRun) {
  static StartDocument of(StartRecord record) {
    boolean exited =
        record.state() == StartRecord.State.ENDED || record.state() == StartRecord.State.SKIPPED;
    Map<String, OptionalDouble> costs = new LinkedHashMap<>();
    record.runs().forEach(cost -> costs.put(cost.run(), cost.usd()));
    return new StartDocument(
        record.at(),
        record.state().name().toLowerCase(Locale.ROOT),
        exited ? OptionalInt.of(record.exit()) : OptionalInt.empty(),
        record.text(),
        record.job(),
        record.names(),
        record.usd(),
        costs);
  }
}

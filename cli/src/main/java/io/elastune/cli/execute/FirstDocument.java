package io.elastune.cli.execute;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.plan.json.KeyIfPresent;
import io.elastune.plan.json.PlannedGroup;
import java.util.List;
import java.util.Optional;

/** The first document of commands that execute a run with {@code --json}. */
public record FirstDocument(
    @JsonPropertyDescription("\"started\" or \"resumed\".") String event,
    @JsonPropertyDescription("The ID of the run.") String run,
    @KeyIfPresent @JsonPropertyDescription("Started: the trial groups with their allocations.")
        Optional<List<PlannedGroup>> plan,
    @KeyIfPresent @JsonPropertyDescription("True if the run continues in the background.")
        Optional<Boolean> detached,
    @KeyIfPresent @JsonPropertyDescription("Detached: the ID of the process.") Optional<Long> pid,
    @KeyIfPresent @JsonPropertyDescription("Detached: the log of the process.")
        Optional<String> log) {
  /** Returns the first document of {@code run --json}. */
  static FirstDocument started(String run, List<PlannedGroup> plan) {
    return new FirstDocument(
        "started", run, Optional.of(plan), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Returns the first document of {@code resume --json}. */
  static FirstDocument resumed(String run) {
    return new FirstDocument(
        "resumed", run, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Returns the document of a run that continues as process {@code processId}. */
  FirstDocument detached(long processId, String processLog) {
    return new FirstDocument(
        event, run, plan, Optional.of(true), Optional.of(processId), Optional.of(processLog));
  }
}

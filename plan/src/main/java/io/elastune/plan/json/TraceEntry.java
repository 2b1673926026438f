package io.elastune.plan.json;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.search.TraceEvent;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;

/** One event of a sample, as part of the document of {@code simulate}. */
record TraceEntry(
    @JsonPropertyDescription("Seconds from the start of the run.") double atS,
    @JsonPropertyDescription("What happened.") String event,
    @JsonPropertyDescription("The number of the trial, if the event has one.") OptionalInt trial,
    @JsonPropertyDescription("The name of its group.") Optional<String> group,
    @JsonPropertyDescription("Units at the start of the task.") OptionalInt from,
    @JsonPropertyDescription("Units at the end of the task.") OptionalInt to,
    @JsonPropertyDescription("The number of the instance, from 1.") OptionalInt instance,
    @JsonPropertyDescription("GPUs of the trial.") OptionalInt gpus,
    @JsonPropertyDescription("Trials that share the GPU.") OptionalInt trialsPerGpu,
    @JsonPropertyDescription("The trial whose checkpoint it continues from.") OptionalInt parent) {
  static TraceEntry of(TraceEvent event) {
    Optional<TraceEvent.Task> task = event.task();
    return new TraceEntry(
        event.atS(),
        event.kind().word(),
        number(task, TraceEvent.Task::trial),
        task.map(TraceEvent.Task::group),
        number(task, TraceEvent.Task::from),
        number(task, TraceEvent.Task::to),
        event.instance().stream().map(instance -> instance + 1).findFirst(),
        number(task, TraceEvent.Task::gpus),
        number(task, TraceEvent.Task::trialsPerGpu),
        task.map(TraceEvent.Task::parent).orElse(OptionalInt.empty()));
  }

  private static OptionalInt number(
      Optional<TraceEvent.Task> task, ToIntFunction<TraceEvent.Task> value) {
    return task.stream().mapToInt(value).findFirst();
  }
}

package io.elastune.cli.json;

import io.elastune.core.search.TraceEvent;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;
import tools.jackson.databind.node.ObjectNode;

/** Converts the events of one sample to JSON. */
public final class TraceJson {
  private TraceJson() {}

  /** Adds the array {@code trace}. Instances are numbered from 1. */
  public static void add(ObjectNode document, List<TraceEvent> events) {
    var trace = document.putArray("trace");
    for (TraceEvent event : events) {
      ObjectNode node =
          trace.addObject().put("at_s", event.atS()).put("event", event.kind().word());
      Optional<TraceEvent.Task> task = event.task();
      put(node, "trial", task, TraceEvent.Task::trial);
      node.put("group", task.map(TraceEvent.Task::group).orElse(null));
      put(node, "from", task, TraceEvent.Task::from);
      put(node, "to", task, TraceEvent.Task::to);
      put(node, "instance", event.instance().stream().map(i -> i + 1).boxed().findFirst());
      put(node, "gpus", task, TraceEvent.Task::gpus);
      put(node, "trials_per_gpu", task, TraceEvent.Task::trialsPerGpu);
      put(
          node,
          "parent",
          task.map(TraceEvent.Task::parent)
              .filter(OptionalInt::isPresent)
              .map(OptionalInt::getAsInt));
    }
  }

  private static void put(
      ObjectNode node,
      String name,
      Optional<TraceEvent.Task> task,
      ToIntFunction<TraceEvent.Task> value) {
    put(node, name, task.map(value::applyAsInt));
  }

  private static void put(ObjectNode node, String name, Optional<Integer> value) {
    value.ifPresentOrElse(number -> node.put(name, number), () -> node.putNull(name));
  }
}

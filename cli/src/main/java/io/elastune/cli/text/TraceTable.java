package io.elastune.cli.text;

import io.elastune.core.search.TraceEvent;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Shows the events of one sample of a prediction. */
public final class TraceTable {
  private TraceTable() {}

  /** Returns a table with a row for each event. Instances are numbered from 1. */
  public static List<String> lines(List<TraceEvent> events, String units) {
    TextTable table =
        new TextTable()
            .right("at s")
            .left("event")
            .right("trial")
            .left("group")
            .right(units)
            .right("instance")
            .right("gpus")
            .right("parent");
    for (TraceEvent event : events) {
      Optional<TraceEvent.Task> task = event.task();
      table.row(
          String.format(Locale.ROOT, "%.3f", event.atS()),
          event.kind().word(),
          cell(task, TraceEvent.Task::trial),
          cell(task, TraceEvent.Task::group),
          cell(task, of -> of.from() + "-" + of.to()),
          event.instance().isPresent() ? event.instance().getAsInt() + 1 : "",
          cell(task, TraceTable::gpus),
          cell(task, of -> of.parent().isPresent() ? of.parent().getAsInt() : ""));
    }
    return table.lines();
  }

  private static String gpus(TraceEvent.Task task) {
    return task.trialsPerGpu() == 1 ? "" + task.gpus() : "1/" + task.trialsPerGpu();
  }

  private static Object cell(
      Optional<TraceEvent.Task> task, Function<TraceEvent.Task, Object> value) {
    return task.map(value).orElse("");
  }
}

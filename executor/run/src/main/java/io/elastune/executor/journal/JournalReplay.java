package io.elastune.executor.journal;

import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;

/**
 * Decides the events of a journal again, in order, and checks that the commands are the same. It
 * can continue with events that are appended later.
 */
final class JournalReplay {
  private record Definition(long seq, RunDefinition value) {}

  private record DefinitionRow(long seq, String body) {}

  private record CommandRow(long seq, String kind, String body) {}

  private record Entry(long seq, long nowNs, String kind, String body) {
    Instant now() {
      return Nanoseconds.toInstant(nowNs);
    }
  }

  private final String version;
  private Definition definition;
  private RunCore core;
  private RunState state;
  private long seq;

  private JournalReplay(String version, Definition definition, RunState state) {
    this.version = version;
    this.definition = definition;
    this.core = new RunCore(definition.value());
    this.state = state;
  }

  /**
   * Creates a replay that has decided no event yet.
   *
   * @param rows the metadata of the run
   * @throws CannotResumeException if this version cannot decide the events again
   */
  static JournalReplay start(SqlConnection connection, Map<String, String> rows) {
    String version = rows.getOrDefault("version", "?");
    checkFormat(connection, version);
    Definition definition = definitions(connection, 0, version).get(0);
    return new JournalReplay(version, definition, first(definition.value(), rows));
  }

  /** The definition that applies to the next event. */
  RunDefinition definition() {
    return definition.value();
  }

  /** The state after the latest event. */
  RunState state() {
    return state;
  }

  /**
   * Decides the events that were appended since.
   *
   * @throws CannotResumeException if this version decides one of them differently
   */
  void advance(SqlConnection connection, StepConsumer steps) {
    List<Entry> entries = entries(connection);
    // Read after the events: a transaction contains an event with its commands and definition.
    long from = definition.seq() == seq ? seq : definition.seq() + 1; // replaced before its use
    List<Definition> later = definitions(connection, from, version);
    Map<Long, List<String>> commands = commands(connection);
    int next = 0;
    for (Entry entry : entries) {
      while (next < later.size() && later.get(next).seq() < entry.seq()) {
        use(later.get(next++));
      }
      RunEvent event = EventJson.read(entry.kind(), entry.body());
      RunState before = state;
      StepResult stepResult = again(event, entry);
      check(entry.seq(), stepResult.commands(), commands);
      state = stepResult.state();
      seq = entry.seq();
      steps.accept(event, before, stepResult);
    }
    later.stream().skip(next).filter(some -> some.seq() <= seq).forEach(this::use);
  }

  private void use(Definition other) {
    definition = other;
    core = new RunCore(other.value());
  }

  private StepResult again(RunEvent event, Entry entry) {
    try {
      return core.replay(state, event, entry.now());
    } catch (IllegalArgumentException | IllegalStateException | NoSuchElementException e) {
      throw other(version, "cannot be decided again (event " + entry.seq() + "): " + e);
    }
  }

  private void check(long entry, List<Command> decided, Map<Long, List<String>> commands) {
    List<String> now =
        decided.stream().map(c -> WireNames.command(c.getClass()) + EventJson.json(c)).toList();
    if (!now.equals(commands.getOrDefault(entry, List.of()))) {
      throw other(
          version, "would have been decided differently by this version (event " + entry + ")");
    }
  }

  private List<Entry> entries(SqlConnection connection) {
    return connection.records(Entry.class, "SELECT * FROM event WHERE seq > ? ORDER BY seq", seq);
  }

  private Map<Long, List<String>> commands(SqlConnection connection) {
    return connection
        .records(CommandRow.class, "SELECT * FROM command WHERE seq > ? ORDER BY id", seq)
        .stream()
        .collect(
            Collectors.groupingBy(
                CommandRow::seq,
                Collectors.mapping(row -> row.kind() + row.body(), Collectors.toList())));
  }

  private static List<Definition> definitions(SqlConnection connection, long from, String version) {
    try {
      return connection
          .records(
              DefinitionRow.class, "SELECT * FROM definition WHERE seq >= ? ORDER BY seq", from)
          .stream()
          .map(row -> new Definition(row.seq(), EventJson.readDefinition(row.body())))
          .toList();
    } catch (JacksonException e) {
      throw other(version, "cannot be read by this version: " + e.getOriginalMessage());
    }
  }

  private static void checkFormat(SqlConnection connection, String version) {
    int format = connection.list("PRAGMA user_version", row -> row.getInt(1)).get(0);
    if (format != Journal.FORMAT) {
      throw new CannotResumeException(
          "its journal has format "
              + format
              + ", written by Elastune "
              + version
              + "; this version resumes format "
              + Journal.FORMAT
              + " only");
    }
  }

  private static CannotResumeException other(String version, String what) {
    return new CannotResumeException("its journal, written by Elastune " + version + ", " + what);
  }

  private static RunState first(RunDefinition definition, Map<String, String> rows) {
    String confirmed = rows.get(Journal.CONFIRMED);
    return confirmed == null
        ? RunState.initial(definition)
        : RunState.confirmed(definition, Nanoseconds.toInstant(Long.parseLong(confirmed)));
  }
}

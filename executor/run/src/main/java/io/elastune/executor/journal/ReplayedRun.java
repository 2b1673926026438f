package io.elastune.executor.journal;

import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import tools.jackson.core.JacksonException;

/**
 * The state of a run when its journal was last written, from deciding all its events again.
 *
 * @param definition the latest definition of the run
 * @param state the state at the latest time in the journal
 * @param meta the metadata of the run
 * @param unconfirmed number of commands that may not have been executed
 */
public record ReplayedRun(RunDefinition definition, RunState state, RunMeta meta, int unconfirmed) {
  private record Definition(long seq, RunDefinition value) {}

  private record Entry(long seq, Instant now, String kind, String body) {}

  /**
   * Reads the journal in {@code folder}. The result is reliable only for the holder of the run's
   * lock.
   *
   * @throws CannotResumeException if this version cannot resume it
   * @throws JournalException if it cannot be read
   */
  public static ReplayedRun read(RunFolder folder) {
    try (Connection connection = Journal.open(folder.journal(), true);
        RunReader reader = RunReader.open(folder)) {
      Map<String, String> rows = reader.meta();
      checkFormat(connection, rows.getOrDefault("version", "?"));
      RunMeta meta = RunMeta.of(rows);
      List<Definition> definitions = definitions(connection, meta.version());
      RunState first = first(definitions.get(0).value(), rows);
      RunState state = new Replay(connection, meta.version()).state(first, definitions);
      Instant seen = reader.progress().at();
      return new ReplayedRun(
          definitions.get(definitions.size() - 1).value(),
          seen.isAfter(state.now()) ? state.at(seen) : state,
          meta,
          unconfirmed(connection));
    } catch (SQLException e) {
      throw new JournalException("cannot close the journal: " + e.getMessage(), e);
    }
  }

  private static void checkFormat(Connection connection, String version) {
    int format = Sql.list(connection, "PRAGMA user_version", row -> row.getInt(1)).get(0);
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

  private static List<Definition> definitions(Connection connection, String version) {
    try {
      return Sql.list(
          connection,
          "SELECT seq, body FROM definition ORDER BY seq",
          row -> new Definition(row.getLong(1), EventJson.readDefinition(row.getString(2))));
    } catch (JacksonException e) {
      throw other(version, "cannot be read by this version: " + e.getOriginalMessage());
    }
  }

  private static CannotResumeException other(String version, String what) {
    return new CannotResumeException("its journal, written by Elastune " + version + ", " + what);
  }

  private static RunState first(RunDefinition definition, Map<String, String> rows) {
    String confirmed = rows.get(Journal.CONFIRMED);
    return confirmed == null
        ? RunState.initial(definition)
        : RunState.confirmed(definition, Sql.ofNanos(Long.parseLong(confirmed)));
  }

  private static int unconfirmed(Connection connection) {
    return Sql.list(
            connection,
            "SELECT count(*) FROM command WHERE done_ms IS NULL AND seq >="
                + " (SELECT coalesce(max(seq), 0) FROM event WHERE kind = ?)",
            row -> row.getInt(1),
            WireNames.event(RunEvent.Resumed.class))
        .get(0);
  }

  /** Decides the events of the journal again, and checks that the commands are the same. */
  private static final class Replay {
    private final Connection connection;
    private final String version;
    private final Map<Long, List<String>> commands = new HashMap<>();

    Replay(Connection connection, String version) {
      this.connection = connection;
      this.version = version;
      Sql.list(
          connection,
          "SELECT seq, kind, body FROM command ORDER BY id",
          row ->
              commands
                  .computeIfAbsent(row.getLong(1), seq -> new ArrayList<>())
                  .add(row.getString(2) + row.getString(3)));
    }

    RunState state(RunState first, List<Definition> definitions) {
      RunState state = first;
      int next = 1;
      RunCore core = new RunCore(definitions.get(0).value());
      for (Entry entry : entries()) {
        while (next < definitions.size() && definitions.get(next).seq() < entry.seq()) {
          core = new RunCore(definitions.get(next++).value());
        }
        StepResult stepResult = again(core, state, entry);
        check(entry.seq(), stepResult.commands());
        state = stepResult.state();
      }
      return state;
    }

    private StepResult again(RunCore core, RunState state, Entry entry) {
      RunEvent event = EventJson.read(entry.kind(), entry.body());
      try {
        return core.replay(state, event, entry.now());
      } catch (IllegalArgumentException | IllegalStateException | NoSuchElementException e) {
        throw other(version, "cannot be decided again (event " + entry.seq() + "): " + e);
      }
    }

    private List<Entry> entries() {
      return Sql.list(
          connection,
          "SELECT seq, now_ns, kind, body FROM event ORDER BY seq",
          row ->
              new Entry(
                  row.getLong(1), Sql.ofNanos(row.getLong(2)), row.getString(3), row.getString(4)));
    }

    private void check(long seq, List<Command> decided) {
      List<String> now =
          decided.stream().map(c -> WireNames.command(c.getClass()) + EventJson.json(c)).toList();
      if (!now.equals(commands.getOrDefault(seq, List.of()))) {
        throw other(
            version, "would have been decided differently by this version (event " + seq + ")");
      }
    }
  }
}

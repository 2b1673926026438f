package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.input.AtomicFileWriter;
import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The schedules in {@code $ELASTUNE_HOME/schedules}: a file and a log for each. */
final class ScheduleStore {
  private static final String SUFFIX = ".json";

  private final CliEnvironment cliEnvironment;

  ScheduleStore(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
  }

  private Path folder() {
    return cliEnvironment.home().resolve("schedules");
  }

  private Path file(String name, String suffix) {
    return folder().resolve(name + suffix);
  }

  /** Returns the file that is locked while a run of the schedule is in progress. */
  Path lock(String name) {
    return file(name, ".lock");
  }

  /** Returns the file with the output of the runs. */
  Path output(String name) {
    return file(name, ".out");
  }

  /** Returns all schedules by name. */
  List<Schedule> all() {
    if (!Files.isDirectory(folder())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder())) {
      return files
          .map(path -> String.valueOf(path.getFileName()))
          .filter(name -> name.endsWith(SUFFIX))
          .map(name -> name.substring(0, name.length() - SUFFIX.length()))
          .sorted()
          .map(this::get)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Optional<Schedule> find(String name) {
    return Files.exists(file(name, SUFFIX)) ? Optional.of(get(name)) : Optional.empty();
  }

  /**
   * Returns a schedule.
   *
   * @throws CommandFailure if it does not exist or cannot be read
   */
  Schedule get(String name) {
    Path path = file(name, SUFFIX);
    if (!Files.exists(path)) {
      throw CommandFailure.usage(
          ErrorDetail.of(name, "is not a schedule", "elastune schedule list shows all"));
    }
    try {
      return Schedule.of(JsonMapper.shared().readTree(Files.readString(path)));
    } catch (IOException | JacksonException | IllegalArgumentException e) {
      throw CommandFailure.usage(
          ErrorDetail.inFile(
              cliEnvironment.displayPath(path),
              0,
              "",
              "cannot be read: " + e.getMessage(),
              "remove it with 'elastune schedule rm " + name + "' and add it again"));
    }
  }

  void put(Schedule schedule) {
    createFolder();
    AtomicFileWriter.write(file(schedule.name(), SUFFIX), schedule.json().toPrettyString() + "\n");
  }

  /** Removes the schedule. Its log remains: its runs count if it is added again. */
  void remove(String name) {
    try {
      Files.deleteIfExists(file(name, SUFFIX));
      Files.deleteIfExists(lock(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void createFolder() {
    try {
      PrivateFiles.createFolder(folder());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a line to the log. */
  void append(String name, StartRecord line) {
    try {
      Files.writeString(
          file(name, ".log"),
          line.json() + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the last line of each start, the oldest first. An incomplete line is left out. */
  List<StartRecord> log(String name) {
    Map<String, StartRecord> starts = new LinkedHashMap<>();
    try {
      if (Files.exists(file(name, ".log"))) {
        for (String line : Files.readAllLines(file(name, ".log"))) {
          try {
            StartRecord start = StartRecord.of(JsonMapper.shared().readTree(line));
            // A skipped start has its own entry, even in the second of another one.
            String key = start.at() + (start.state() == StartRecord.State.SKIPPED ? "-" : "");
            starts.put(key, start);
          } catch (JacksonException | DateTimeException | IllegalArgumentException e) {
            // A crash of the machine may cut the last line.
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(starts.values());
  }
}

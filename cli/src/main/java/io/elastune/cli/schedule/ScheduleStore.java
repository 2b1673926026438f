package io.elastune.cli.schedule;

import io.elastune.cli.env.AtomicFileWriter;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.inspect.PollDelay;
import io.elastune.core.files.LockedFile;
import io.elastune.core.files.PrivateFolder;
import io.elastune.plan.json.JsonDocuments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
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
  /** The syntax of names, which are also names of files and timers. */
  static final String NAME = "[a-z0-9][a-z0-9-]{0,62}";

  private static final String SUFFIX = ".json";

  /** A check holds a lock for microseconds, a start for as long as its run. */
  private static final int ATTEMPTS = 25;

  /** A change of another command calls crontab or systemctl several times: 30 s. */
  private static final int ATTEMPTS_TO_CHANGE = 1500;

  private static final long PAUSE_MS = 20;

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

  /** Locks that file, unless another process holds the lock for longer than a check. */
  Optional<LockedFile> tryLock(String name) throws IOException {
    return tryLock(name, ATTEMPTS);
  }

  private Optional<LockedFile> tryLock(String name, int attempts) throws IOException {
    return LockedFile.tryAcquire(lock(name), attempts, () -> PollDelay.sleepMillis(PAUSE_MS));
  }

  /**
   * Acquires the lock for changes of schedules and timers: a crontab is read and written as a
   * whole.
   *
   * @throws CommandFailure if another command holds it for longer than a change takes
   */
  LockedFile lockChanges() throws IOException {
    createFolder();
    return tryLock("", ATTEMPTS_TO_CHANGE)
        .orElseThrow(
            () ->
                CommandFailure.invalid(
                    "", "another command is changing the schedules", "run this one again"));
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
    requireExists(name);
    Path path = file(name, SUFFIX);
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

  /**
   * Fails if there is no schedule with this name.
   *
   * @throws CommandFailure if it does not exist
   */
  void requireExists(String name) {
    if (!name.matches(NAME) || !Files.exists(file(name, SUFFIX))) {
      throw CommandFailure.invalid(name, "is not a schedule", "elastune schedule list shows all");
    }
  }

  void put(Schedule schedule) {
    createFolder();
    AtomicFileWriter.write(
        file(schedule.name(), SUFFIX), JsonDocuments.of(schedule).toPrettyString() + "\n");
  }

  /** Removes the schedule. Its log remains: its runs count if it is added again. */
  void remove(String name) {
    try {
      Files.deleteIfExists(file(name, SUFFIX)); // the lock may be held by a run in progress
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void createFolder() {
    try {
      var unused = PrivateFolder.open(folder());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Adds a line to the log, on the disk when this returns. A line that a full disk has cut remains
   * a line of its own.
   */
  void append(String name, StartRecord line) {
    createFolder();
    Path log = file(name, ".log");
    try (FileChannel channel =
        FileChannel.open(
            log, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      boolean cut =
          channel.size() > 0
              && channel.read(last, channel.size() - 1) == 1
              && last.get(0) != (byte) '\n';
      String text = (cut ? "\n" : "") + JsonDocuments.of(StartDocument.of(line)) + "\n";
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      channel.position(channel.size());
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
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
            // A line without a run has its own entry, even in the second of a start.
            String key = start.at() + (start.hasRun() ? "" : start.state() + "" + start.names());
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

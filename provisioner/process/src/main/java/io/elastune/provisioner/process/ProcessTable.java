package io.elastune.provisioner.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists the running processes of this machine, from {@code /proc} or otherwise {@code ps}. */
public final class ProcessTable {
  private static final Path PROC = Path.of("/proc");

  /** The index of {@code utime} in the fields; {@code stime, cutime, cstime} follow (proc(5)). */
  private static final int UTIME = 11;

  private static final int CPU_FIELDS = 4;

  /** {@code USER_HZ}, which is 100 on all architectures that Java runs on. */
  private static final double TICKS_PER_S = 100;

  private static final String ROOT = "0";

  private static final boolean HAS_PROC = Files.isReadable(PROC.resolve("self/environ"));

  /**
   * A running process, not a zombie.
   *
   * @param group the id of its process group
   * @param parent the id of its parent
   */
  public record Entry(long pid, long group, long parent) {}

  private ProcessTable() {}

  /** Returns whether the environment of the user's processes can be read, as on Linux. */
  public static boolean canReadEnvironments() {
    return HAS_PROC;
  }

  /** Returns all processes except this one. */
  public static List<Entry> read() {
    long self = ProcessHandle.current().pid();
    List<Entry> entries = new ArrayList<>(HAS_PROC ? fromProc() : fromPs());
    entries.removeIf(entry -> entry.pid() == self);
    return entries;
  }

  /** Returns the value of a variable in the initial environment of a process. */
  public static Optional<String> variable(long pid, String name) {
    String start = name + "=";
    for (String pair : environment(pid).split("\0", -1)) {
      if (pair.startsWith(start)) {
        return Optional.of(pair.substring(start.length()));
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the CPU time that a process has used in seconds, with that of the children that it has
   * waited for; 0 if it has ended.
   */
  public static double cpuSeconds(long pid) {
    if (!HAS_PROC) {
      return ProcessHandle.of(pid)
          .flatMap(process -> process.info().totalCpuDuration())
          .map(used -> used.toMillis() / 1e3)
          .orElse(0.0);
    }
    try {
      String[] fields = statFields(PROC.resolve(Long.toString(pid)));
      long ticks = 0;
      for (int field = UTIME; field < UTIME + CPU_FIELDS; field++) {
        ticks += Long.parseLong(fields[field]);
      }
      return ticks / TICKS_PER_S;
    } catch (IOException e) {
      return 0;
    }
  }

  /**
   * Returns whether this user may signal a process: not if a program such as {@code sudo} has given
   * it to another user. True where this is not known.
   */
  static boolean maySignal(long pid) {
    List<String> own = users(PROC.resolve("self"));
    List<String> other = users(PROC.resolve(Long.toString(pid)));
    return own.isEmpty()
        || other.isEmpty()
        || own.contains(ROOT)
        || own.subList(0, 2).stream()
            .anyMatch(user -> user.equals(other.get(0)) || user.equals(other.get(2)));
  }

  /** Returns the real, effective and saved user (proc(5)); nothing if the process has ended. */
  private static List<String> users(Path folder) {
    try {
      return Files.readString(folder.resolve("status"), StandardCharsets.ISO_8859_1)
          .lines()
          .filter(line -> line.startsWith("Uid:"))
          .map(line -> List.of(line.substring("Uid:".length()).strip().split("\\s+")))
          .filter(users -> users.size() > 2)
          .findFirst()
          .orElse(List.of());
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Returns id, name and user of a process, for people. */
  static String describe(long pid) {
    String name = "";
    try {
      Path file = PROC.resolve(Long.toString(pid)).resolve("comm");
      name = " (" + Files.readString(file, StandardCharsets.ISO_8859_1).strip() + ")";
    } catch (IOException e) {
      // It has no name here, or has ended.
    }
    String user =
        ProcessHandle.of(pid)
            .flatMap(process -> process.info().user())
            .map(owner -> " of user " + owner)
            .orElse("");
    return "process " + pid + name + user;
  }

  private static String environment(long pid) {
    if (!HAS_PROC) {
      return "";
    }
    try {
      Path file = PROC.resolve(Long.toString(pid)).resolve("environ");
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // It has ended, or belongs to another user.
    }
  }

  static List<Entry> fromProc() {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[0-9]*")) {
      folders.forEach(folder -> stat(folder).ifPresent(entries::add));
    } catch (IOException | DirectoryIteratorException e) {
      throw new IllegalStateException("cannot read /proc", e);
    }
    return entries;
  }

  /**
   * The fields after {@code pid (name)}, from the state on; the name may contain spaces and
   * parentheses.
   */
  private static String[] statFields(Path folder) throws IOException {
    String stat =
        new String(Files.readAllBytes(folder.resolve("stat")), StandardCharsets.ISO_8859_1);
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
  }

  private static Optional<Entry> stat(Path folder) {
    try {
      String[] fields = statFields(folder);
      return entry(folder.getFileName().toString(), fields[2], fields[1], fields[0]);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static List<Entry> fromPs() {
    List<Entry> entries = new ArrayList<>();
    try {
      Process ps = new ProcessBuilder("ps", "-A", "-o", "pid=,pgid=,ppid=,stat=").start();
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(ps.getInputStream(), StandardCharsets.ISO_8859_1))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          String[] fields = line.trim().split("\\s+", 4);
          entry(fields[0], fields[1], fields[2], fields[3])
              .filter(entry -> entry.pid() != ps.pid())
              .ifPresent(entries::add);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot run ps", e);
    }
    return entries;
  }

  private static Optional<Entry> entry(String pid, String group, String parent, String state) {
    return state.startsWith("Z") || state.startsWith("X")
        ? Optional.empty()
        : Optional.of(
            new Entry(Long.parseLong(pid), Long.parseLong(group), Long.parseLong(parent)));
  }
}

package io.elastune.provisioner.host;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All processes that belong to something: those that carry its mark in their environment (Linux),
 * those in the process groups of its leaders, and the leaders' descendants.
 *
 * @param variable the mark's variable, e.g. {@code ELASTUNE_LEASE}
 * @param value the mark's value
 * @param leaders processes started with {@link Tools#detached}, their ids not yet given to others
 */
public record ProcessFamily(String variable, String value, Set<Long> leaders) {
  /** The signals that are sent. */
  public enum Signal {
    TERM,
    KILL
  }

  public ProcessFamily {
    leaders = Set.copyOf(leaders);
  }

  /** Those that still run. */
  public Set<Long> members() {
    return ProcessTable.read().stream()
        .filter(this::isMember)
        .map(ProcessTable.Entry::pid)
        .collect(Collectors.toSet());
  }

  /** Whether any still runs. */
  public boolean isAlive() {
    return ProcessTable.read().stream().anyMatch(this::isMember);
  }

  /** Sends a signal to all that still run: to groups as a whole, then to every single one. */
  public void signal(Signal signal) {
    List<ProcessTable.Entry> entries = ProcessTable.read().stream().filter(this::isMember).toList();
    Set<Long> groups = new HashSet<>();
    entries.forEach(entry -> groups.add(entry.group()));
    groups.retainAll(leaders);
    Set<ProcessHandle> handles = new HashSet<>();
    entries.forEach(entry -> ProcessHandle.of(entry.pid()).ifPresent(handles::add));
    leaders.stream()
        .map(ProcessHandle::of)
        .flatMap(Optional::stream)
        .flatMap(leader -> Stream.concat(Stream.of(leader), leader.descendants()))
        .forEach(handles::add);
    // Looked up before the first signal: whoever is born after it writes the checkpoint.
    signalGroups(signal, groups);
    handles.stream()
        .filter(handle -> !groups.contains(groupOf(handle, entries)))
        .forEach(handle -> send(signal, handle));
  }

  private boolean isMember(ProcessTable.Entry entry) {
    return leaders.contains(entry.group())
        || leaders.contains(entry.pid())
        || ProcessTable.variable(entry.pid(), variable).filter(value::equals).isPresent();
  }

  /** A group as a whole cannot escape by forking, as one process after the other could. */
  private static void signalGroups(Signal signal, Set<Long> groups) {
    if (groups.isEmpty()) {
      return;
    }
    List<String> command =
        new ArrayList<>(
            List.of("sh", "-c", "exec 2>&-; kill -s \"$@\"", "kill", signal.name(), "--"));
    groups.forEach(group -> command.add("-" + group));
    try {
      Process kill = new ProcessBuilder(command).start();
      kill.getOutputStream().close();
      if (!kill.waitFor(5, TimeUnit.SECONDS)) {
        kill.destroyForcibly();
      }
    } catch (IOException e) {
      throw new IllegalStateException("sh cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long groupOf(ProcessHandle handle, List<ProcessTable.Entry> entries) {
    return entries.stream()
        .filter(entry -> entry.pid() == handle.pid())
        .mapToLong(ProcessTable.Entry::group)
        .findFirst()
        .orElse(-1);
  }

  private static void send(Signal signal, ProcessHandle handle) {
    boolean unused = signal == Signal.KILL ? handle.destroyForcibly() : handle.destroy();
  }
}

package io.elastune.provisioner.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds and signals the processes of one owner, such as a lease. They are the processes with its
 * marker variable in their environment (Linux), those in the process groups of its leaders, and the
 * leaders' descendants.
 *
 * @param variable the marker variable, e.g. {@code ELASTUNE_LEASE}
 * @param value the value of the marker variable
 * @param leaders processes started with {@link HostTools#detached}, whose ids are not reused yet
 */
public record OwnedProcesses(String variable, String value, Set<Long> leaders) {
  /** A signal to send. */
  public enum Signal {
    TERM,
    KILL
  }

  public OwnedProcesses {
    leaders = Set.copyOf(leaders);
  }

  /** Returns the ids of the running processes. */
  public Set<Long> members() {
    return ProcessTable.read().stream()
        .filter(this::isMember)
        .map(ProcessTable.Entry::pid)
        .collect(Collectors.toSet());
  }

  /** Returns the CPU time of each running process in seconds, by process id. */
  public Map<Long, Double> cpuSeconds() {
    return members().stream()
        .collect(Collectors.toMap(Function.identity(), ProcessTable::cpuSeconds));
  }

  /** Returns whether any process is still running. */
  public boolean isAlive() {
    return ProcessTable.read().stream().anyMatch(this::isMember);
  }

  /** Signals all running processes: first whole groups, then the remaining processes. */
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
    // Collected before the first signal: processes started after it write the checkpoint.
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

  /** Signals whole groups: their processes cannot escape by forking meanwhile. */
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
      throw new IllegalStateException("cannot run sh", e);
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

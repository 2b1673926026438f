package io.elastune.provisioner.process;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds and signals the processes of one owner, such as a lease. They are the processes with its
 * marker variable in their environment or with its mark in their limits (Linux), those in the
 * process groups of its leaders, and all descendants of these. A leader may be a {@link Keeper}, of
 * which also those processes descend that have left their group and have lost their parents.
 *
 * @param variable the marker variable, e.g. {@code ELASTUNE_LEASE}
 * @param value the value of the marker variable
 * @param leaders processes started with {@link HostTools#detached}, whose ids are not reused yet
 */
public record OwnedProcesses(String variable, String value, Set<Long> leaders) {
  /** The process group of the threads of the kernel. */
  private static final long KERNEL = 0;

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
    return members(ProcessTable.read());
  }

  private Set<Long> members(List<ProcessTable.Entry> all) {
    Map<Long, List<Long>> children = new HashMap<>();
    Deque<Long> pending = new ArrayDeque<>();
    LimitMark.Test mark = LimitMark.test(variable, value);
    for (ProcessTable.Entry entry : all) {
      children.computeIfAbsent(entry.parent(), parent -> new ArrayList<>()).add(entry.pid());
      if (isMember(entry, mark)) {
        pending.add(entry.pid());
      }
    }
    Set<Long> found = new HashSet<>();
    while (!pending.isEmpty()) {
      long pid = pending.remove();
      if (found.add(pid)) {
        pending.addAll(children.getOrDefault(pid, List.of()));
      }
    }
    found.remove(ProcessHandle.current().pid());
    return found;
  }

  /** Returns the CPU time of each running process in seconds, by process id. */
  public Map<Long, Double> cpuSeconds() {
    return members().stream()
        .collect(Collectors.toMap(Function.identity(), ProcessTable::cpuSeconds));
  }

  /** Returns whether any process is still running. */
  public boolean isAlive() {
    LimitMark.Test mark = LimitMark.test(variable, value);
    return ProcessTable.read().stream().anyMatch(entry -> isMember(entry, mark));
  }

  /**
   * Returns the running processes, for people, if none of them can be ended: they belong to other
   * users, such as root by {@code sudo}, and keepers wait for them. Empty if any may end.
   */
  public List<String> unendable() {
    List<Long> kept = members().stream().filter(pid -> !Keeper.isKeeper(pid)).sorted().toList();
    return kept.stream().anyMatch(ProcessTable::maySignal)
        ? List.of()
        : kept.stream().map(ProcessTable::describe).toList();
  }

  /**
   * Returns the running processes of leases, for people, wherever they are.
   *
   * @param run whose leases they are
   */
  public static List<String> left(String run, Collection<String> leases) {
    Set<String> marks = leases.stream().map(LimitMark::lease).collect(Collectors.toSet());
    Set<Long> found =
        ProcessTable.read().stream()
            .filter(entry -> entry.group() != KERNEL)
            .map(ProcessTable.Entry::pid)
            .filter(pid -> LimitMark.leaseOf(pid).filter(marks::contains).isPresent())
            .collect(Collectors.toSet());
    found.addAll(new OwnedProcesses("ELASTUNE_RUN", run, Set.of()).members());
    return found.stream()
        .filter(pid -> !Keeper.isKeeper(pid))
        .sorted()
        .map(ProcessTable::describe)
        .toList();
  }

  /**
   * Signals all running processes: first whole groups, then the remaining processes. A keeper gets
   * no signal, because it ends by itself after the processes that it keeps; if it was suspended, it
   * continues.
   */
  public void signal(Signal signal) {
    List<ProcessTable.Entry> all = ProcessTable.read();
    Set<Long> members = members(all);
    // Both of a pair are in the group of the first one, which no other process can join.
    Set<Long> keepers =
        all.stream()
            .filter(entry -> members.contains(entry.pid()) && leaders.contains(entry.group()))
            .map(ProcessTable.Entry::pid)
            .filter(Keeper::isKeeper)
            .collect(Collectors.toSet());
    Set<Long> keptGroups =
        all.stream()
            .filter(entry -> keepers.contains(entry.pid()))
            .map(ProcessTable.Entry::group)
            .collect(Collectors.toSet());
    members.removeAll(keepers);
    Set<Long> groups = new HashSet<>();
    all.stream()
        .filter(entry -> members.contains(entry.pid()))
        .map(ProcessTable.Entry::group)
        .filter(group -> members.contains(group) || leaders.contains(group))
        .filter(group -> !keptGroups.contains(group))
        .forEach(groups::add);
    Set<ProcessHandle> handles = new HashSet<>();
    all.stream()
        .filter(entry -> members.contains(entry.pid()) && !groups.contains(entry.group()))
        .forEach(entry -> ProcessHandle.of(entry.pid()).ifPresent(handles::add));
    // Collected before the first signal: processes started after it write the checkpoint.
    signalGroups(signal.name(), groups.stream().map(group -> "-" + group).toList());
    handles.forEach(handle -> send(signal, handle));
    if (signal == Signal.KILL) {
      signalGroups("CONT", keepers.stream().map(String::valueOf).toList());
      if (members.isEmpty() && keepers.containsAll(members(ProcessTable.read()))) {
        // They keep nothing, and yet they have not ended.
        keepers.forEach(keeper -> ProcessHandle.of(keeper).ifPresent(one -> send(signal, one)));
      }
    }
  }

  private boolean isMember(ProcessTable.Entry entry, LimitMark.Test mark) {
    return leaders.contains(entry.group())
        || leaders.contains(entry.pid())
        || ProcessTable.variable(entry.pid(), variable).filter(value::equals).isPresent()
        || (entry.group() != KERNEL && mark.matches(entry.pid()));
  }

  /** Signals whole groups: their processes cannot escape by forking meanwhile. */
  private static void signalGroups(String signal, List<String> targets) {
    if (targets.isEmpty()) {
      return;
    }
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "exec 2>&-; kill -s \"$@\"", "kill", signal, "--"));
    command.addAll(targets);
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

  private static void send(Signal signal, ProcessHandle handle) {
    boolean unused = signal == Signal.KILL ? handle.destroyForcibly() : handle.destroy();
  }
}

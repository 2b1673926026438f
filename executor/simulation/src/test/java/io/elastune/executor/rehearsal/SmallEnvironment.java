package io.elastune.executor.rehearsal;

import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseOfEvent;
import io.elastune.provisioner.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * An environment so small that all its event orders can be enumerated. Nothing takes time: all
 * possible next events can occur, and be delivered, in any order.
 */
final class SmallEnvironment {
  static final int KILLED = 137;

  /** The states of an instance. */
  enum Stage {
    PENDING,
    RUNNING,
    READY,
    GONE
  }

  /** The workers of one attempt. */
  record PendingWork(
      int trial, String lease, int from, int to, int unit, boolean over, boolean hangs) {
    PendingWork withUnit(int other) {
      return new PendingWork(trial, lease, from, to, other, over, hangs);
    }

    PendingWork asEnded() {
      return new PendingWork(trial, lease, from, to, unit, true, hangs);
    }

    PendingWork asHanging() {
      return new PendingWork(trial, lease, from, to, unit, over, true);
    }
  }

  /** The trial that reports after each unit that it needs no more training; 0 for none. */
  final int earlyTrial;

  /** The only object of its value: comparing it is fast. */
  RunState core;

  final TreeMap<String, Stage> instances;
  final TreeMap<String, PendingWork> workers;
  final TreeMap<Integer, Integer> checkpoints;
  final TreeMap<Integer, Integer> furthest;
  final TreeMap<Integer, Integer> committed;
  final Set<String> known;
  final Set<String> watched;
  final Set<String> released;
  final List<CloudEvent> cloudEvents;
  final List<EngineEvent> engineEvents;
  boolean faultLeft;
  boolean nextCallLost;
  boolean nextCallDeferred;
  final List<Command> deferredCalls;

  /** Whether the next checkpoint will be torn. */
  boolean nextCheckpointTorn;

  /** The lease of the instance whose disk is full. */
  Optional<String> fullDisk = Optional.empty();

  /** The trial whose checkpoints are lost. */
  Optional<Integer> trialWithoutCheckpoints = Optional.empty();

  Optional<String> broken;
  private int hash;

  SmallEnvironment(RunState core, int earlyTrial) {
    this.core = core;
    this.earlyTrial = earlyTrial;
    instances = new TreeMap<>();
    workers = new TreeMap<>();
    checkpoints = new TreeMap<>();
    furthest = new TreeMap<>();
    committed = new TreeMap<>();
    known = new HashSet<>();
    watched = new HashSet<>();
    released = new HashSet<>();
    cloudEvents = new ArrayList<>();
    engineEvents = new ArrayList<>();
    deferredCalls = new ArrayList<>();
    faultLeft = true;
    broken = Optional.empty();
  }

  private SmallEnvironment(SmallEnvironment other) {
    earlyTrial = other.earlyTrial;
    core = other.core;
    instances = new TreeMap<>(other.instances);
    workers = new TreeMap<>(other.workers);
    checkpoints = new TreeMap<>(other.checkpoints);
    furthest = new TreeMap<>(other.furthest);
    committed = new TreeMap<>(other.committed);
    known = new HashSet<>(other.known);
    watched = new HashSet<>(other.watched);
    released = new HashSet<>(other.released);
    cloudEvents = new ArrayList<>(other.cloudEvents);
    engineEvents = new ArrayList<>(other.engineEvents);
    faultLeft = other.faultLeft;
    nextCallLost = other.nextCallLost;
    nextCallDeferred = other.nextCallDeferred;
    deferredCalls = new ArrayList<>(other.deferredCalls);
    nextCheckpointTorn = other.nextCheckpointTorn;
    fullDisk = other.fullDisk;
    trialWithoutCheckpoints = other.trialWithoutCheckpoints;
    broken = other.broken;
  }

  SmallEnvironment copy() {
    return new SmallEnvironment(this);
  }

  Instant now() {
    return core.now();
  }

  /** Returns the number of existing instances whose release was not requested. */
  long unreleasedCount() {
    return instances.entrySet().stream()
        .filter(e -> e.getValue() != Stage.GONE && !released.contains(e.getKey()))
        .count();
  }

  void addCloudEvent(CloudEvent event) {
    cloudEvents.add(event);
    // The sort is stable: events of one lease keep their order.
    cloudEvents.sort(Comparator.comparing(SmallEnvironment::lease));
  }

  /** Returns the lease of an event. */
  static String lease(CloudEvent event) {
    return event.match(new LeaseOfEvent());
  }

  void addEngineEvent(String attempt, EngineEvent event) {
    if (watched.contains(attempt)) {
      engineEvents.add(event);
    }
  }

  void setStage(String lease, Stage stage) {
    instances.put(lease, stage);
    if (!known.contains(lease)) {
      return;
    }
    switch (stage) {
      case PENDING -> {}
      case RUNNING -> addCloudEvent(new CloudEvent.Running(lease, lease, now()));
      case READY ->
          addCloudEvent(new CloudEvent.Ready(lease, new Node(lease, List.of("0")), now()));
      case GONE -> addCloudEvent(new CloudEvent.Terminated(lease, now()));
    }
  }

  /** Ends an instance and the attempts on it. */
  void end(String lease) {
    setStage(lease, Stage.GONE);
    workers.forEach(
        (attempt, pendingWork) -> {
          if (pendingWork.lease().equals(lease) && !pendingWork.over()) {
            workers.put(attempt, pendingWork.asEnded());
            addEngineEvent(attempt, ended(attempt, pendingWork, KILLED, true));
          }
        });
  }

  EngineEvent.Ended ended(String attempt, PendingWork pendingWork, int exitCode, boolean lost) {
    int limit = exitCode == 0 ? pendingWork.to() : Math.min(pendingWork.unit(), pendingWork.to());
    int newest = Math.min(checkpoints.getOrDefault(pendingWork.trial(), 0), limit);
    return new EngineEvent.Ended(
        attempt,
        exitCode,
        newest == 0 ? OptionalInt.empty() : OptionalInt.of(newest),
        exitCode == 0 && newest < pendingWork.unit(),
        "",
        now(),
        lost);
  }

  /** Trains, saves and reports one more unit of an attempt; ends it after the last unit. */
  void train(String attempt) {
    PendingWork pendingWork = Objects.requireNonNull(workers.get(attempt));
    int unit = pendingWork.unit() + 1;
    boolean another =
        workers.entrySet().stream()
            .anyMatch(
                e ->
                    !e.getKey().equals(attempt)
                        && e.getValue().trial() == pendingWork.trial()
                        && !e.getValue().over());
    int newest = Math.min(committed.getOrDefault(pendingWork.trial(), 0), pendingWork.to() - 1);
    if (another || unit <= newest) {
      broken =
          Optional.of("unit " + unit + " of trial " + pendingWork.trial() + " is trained twice");
    }
    furthest.merge(pendingWork.trial(), unit, Math::max);
    PendingWork after = pendingWork.withUnit(unit);
    workers.put(attempt, after);
    if (fullDisk.filter(pendingWork.lease()::equals).isPresent()) {
      stop(attempt, 1);
      return;
    }
    if (!nextCheckpointTorn) {
      checkpoints.merge(pendingWork.trial(), unit, Math::max);
    }
    nextCheckpointTorn = false;
    addEngineEvent(attempt, reported(attempt, pendingWork.trial(), unit));
    if (isLast(after)) {
      workers.put(attempt, after.asEnded());
      addEngineEvent(attempt, ended(attempt, after, 0, false));
    }
  }

  /** Whether the workers end by themselves after their present unit. */
  boolean isLast(PendingWork pendingWork) {
    boolean early = pendingWork.trial() == earlyTrial && pendingWork.unit() > pendingWork.from();
    return early || pendingWork.unit() == pendingWork.to();
  }

  EngineEvent.Reported reported(String attempt, int trial, int unit) {
    return new EngineEvent.Reported(
        attempt, unit, Map.of("acc", 0.1 * trial), trial == earlyTrial, now());
  }

  void stop(String attempt, int exitCode) {
    PendingWork pendingWork = workers.get(attempt);
    if (pendingWork != null && !pendingWork.over()) {
      workers.put(attempt, pendingWork.asEnded());
      addEngineEvent(attempt, ended(attempt, pendingWork, exitCode, false));
    }
  }

  /** Deletes the checkpoints of a trial. */
  void deleteCheckpoints(int trial) {
    checkpoints.remove(trial);
    trialWithoutCheckpoints = Optional.of(trial);
  }

  List<InstanceInfo> list() {
    return instances.entrySet().stream()
        .filter(e -> e.getValue() != Stage.GONE)
        .map(e -> new InstanceInfo(e.getKey(), e.getKey(), "running"))
        .toList();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof SmallEnvironment other
        && hashCode() == other.hashCode()
        && core.equals(other.core) // fast: the same object
        && parts().equals(other.parts());
  }

  /** Computed once; called only when the environment does not change any more. */
  @Override
  public int hashCode() {
    if (hash == 0) {
      hash = 31 * parts().hashCode() + System.identityHashCode(core);
    }
    return hash;
  }

  private List<Object> parts() {
    return List.of(
        instances,
        workers,
        checkpoints,
        committed,
        known,
        watched,
        released,
        cloudEvents,
        engineEvents,
        faultLeft,
        List.of(
            nextCallLost,
            nextCallDeferred,
            nextCheckpointTorn,
            fullDisk,
            trialWithoutCheckpoints,
            deferredCalls,
            furthest),
        broken);
  }
}

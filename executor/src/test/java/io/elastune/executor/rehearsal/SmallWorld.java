package io.elastune.executor.rehearsal;

import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseOf;
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
final class SmallWorld {
  static final int KILLED = 137;

  /** The states of an instance. */
  enum Stage {
    PENDING,
    RUNNING,
    READY,
    GONE
  }

  /** The workers of one attempt. */
  record Work(int trial, String lease, int from, int to, int unit, boolean over, boolean hangs) {
    Work at(int other) {
      return new Work(trial, lease, from, to, other, over, hangs);
    }

    Work ended() {
      return new Work(trial, lease, from, to, unit, true, hangs);
    }

    Work hanging() {
      return new Work(trial, lease, from, to, unit, over, true);
    }
  }

  RunState core;
  final TreeMap<String, Stage> instances;
  final TreeMap<String, Work> works;
  final TreeMap<Integer, Integer> checkpoints;
  final TreeMap<Integer, Integer> furthest;
  final TreeMap<Integer, Integer> committed;
  final Set<String> known;
  final Set<String> watched;
  final Set<String> released;
  final List<CloudEvent> answers;
  final List<EngineEvent> told;
  boolean faultLeft;
  boolean nextCallInVain;
  boolean nextCallLate;
  final List<Command> late;

  /** Whether the next checkpoint will be torn. */
  boolean tears;

  /** The lease of the instance whose disk is full. */
  Optional<String> fullDisk = Optional.empty();

  /** The trial whose checkpoints are lost. */
  Optional<Integer> robbed = Optional.empty();

  Optional<String> broken;
  private int hash;

  SmallWorld(RunState core) {
    this.core = core;
    instances = new TreeMap<>();
    works = new TreeMap<>();
    checkpoints = new TreeMap<>();
    furthest = new TreeMap<>();
    committed = new TreeMap<>();
    known = new HashSet<>();
    watched = new HashSet<>();
    released = new HashSet<>();
    answers = new ArrayList<>();
    told = new ArrayList<>();
    late = new ArrayList<>();
    faultLeft = true;
    broken = Optional.empty();
  }

  private SmallWorld(SmallWorld other) {
    core = other.core;
    instances = new TreeMap<>(other.instances);
    works = new TreeMap<>(other.works);
    checkpoints = new TreeMap<>(other.checkpoints);
    furthest = new TreeMap<>(other.furthest);
    committed = new TreeMap<>(other.committed);
    known = new HashSet<>(other.known);
    watched = new HashSet<>(other.watched);
    released = new HashSet<>(other.released);
    answers = new ArrayList<>(other.answers);
    told = new ArrayList<>(other.told);
    faultLeft = other.faultLeft;
    nextCallInVain = other.nextCallInVain;
    nextCallLate = other.nextCallLate;
    late = new ArrayList<>(other.late);
    tears = other.tears;
    fullDisk = other.fullDisk;
    robbed = other.robbed;
    broken = other.broken;
  }

  SmallWorld copy() {
    return new SmallWorld(this);
  }

  Instant now() {
    return core.now();
  }

  /** Returns the number of existing instances whose release was not requested. */
  long open() {
    return instances.entrySet().stream()
        .filter(e -> e.getValue() != Stage.GONE && !released.contains(e.getKey()))
        .count();
  }

  void answer(CloudEvent event) {
    answers.add(event);
    // The sort is stable: events of one lease keep their order.
    answers.sort(Comparator.comparing(SmallWorld::lease));
  }

  /** Returns the lease of an event. */
  static String lease(CloudEvent event) {
    return event.match(new LeaseOf());
  }

  void tell(String attempt, EngineEvent event) {
    if (watched.contains(attempt)) {
      told.add(event);
    }
  }

  void move(String lease, Stage stage) {
    instances.put(lease, stage);
    if (!known.contains(lease)) {
      return;
    }
    switch (stage) {
      case PENDING -> {}
      case RUNNING -> answer(new CloudEvent.Running(lease, lease, now()));
      case READY -> answer(new CloudEvent.Ready(lease, new Node(lease, List.of("0")), now()));
      case GONE -> answer(new CloudEvent.Terminated(lease, now()));
    }
  }

  /** Ends an instance and the attempts on it. */
  void end(String lease) {
    move(lease, Stage.GONE);
    works.forEach(
        (attempt, work) -> {
          if (work.lease().equals(lease) && !work.over()) {
            works.put(attempt, work.ended());
            tell(attempt, ended(attempt, work, KILLED, true));
          }
        });
  }

  EngineEvent.Ended ended(String attempt, Work work, int exitCode, boolean lost) {
    int limit = exitCode == 0 ? work.to() : Math.min(work.unit(), work.to());
    int newest = Math.min(checkpoints.getOrDefault(work.trial(), 0), limit);
    return new EngineEvent.Ended(
        attempt,
        exitCode,
        newest == 0 ? OptionalInt.empty() : OptionalInt.of(newest),
        exitCode == 0 && newest < work.to(),
        "",
        now(),
        lost);
  }

  /** Trains, saves and reports one more unit of an attempt; ends it after the last unit. */
  void train(String attempt) {
    Work work = Objects.requireNonNull(works.get(attempt));
    int unit = work.unit() + 1;
    boolean another =
        works.entrySet().stream()
            .anyMatch(
                e ->
                    !e.getKey().equals(attempt)
                        && e.getValue().trial() == work.trial()
                        && !e.getValue().over());
    int newest = Math.min(committed.getOrDefault(work.trial(), 0), work.to() - 1);
    if (another || unit <= newest) {
      broken = Optional.of("unit " + unit + " of trial " + work.trial() + " is trained twice");
    }
    furthest.merge(work.trial(), unit, Math::max);
    Work after = work.at(unit);
    works.put(attempt, after);
    if (fullDisk.filter(work.lease()::equals).isPresent()) {
      stop(attempt, 1);
      return;
    }
    if (!tears) {
      checkpoints.merge(work.trial(), unit, Math::max);
    }
    tears = false;
    tell(
        attempt, new EngineEvent.Reported(attempt, unit, Map.of("acc", 0.1 * work.trial()), now()));
    if (unit == work.to()) {
      works.put(attempt, after.ended());
      tell(attempt, ended(attempt, after, 0, false));
    }
  }

  void stop(String attempt, int exitCode) {
    Work work = works.get(attempt);
    if (work != null && !work.over()) {
      works.put(attempt, work.ended());
      tell(attempt, ended(attempt, work, exitCode, false));
    }
  }

  /** Deletes the checkpoints of a trial. */
  void rob(int trial) {
    checkpoints.remove(trial);
    robbed = Optional.of(trial);
  }

  List<InstanceInfo> list() {
    return instances.entrySet().stream()
        .filter(e -> e.getValue() != Stage.GONE)
        .map(e -> new InstanceInfo(e.getKey(), e.getKey(), "running"))
        .toList();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof SmallWorld other
        && hashCode() == other.hashCode()
        && parts().equals(other.parts());
  }

  /** Computed once; called only when the environment does not change any more. */
  @Override
  public int hashCode() {
    if (hash == 0) {
      hash = parts().hashCode();
    }
    return hash;
  }

  private List<Object> parts() {
    return List.of(
        core,
        instances,
        works,
        checkpoints,
        committed,
        known,
        watched,
        released,
        answers,
        told,
        faultLeft,
        List.of(nextCallInVain, nextCallLate, tears, fullDisk, robbed, late, furthest),
        broken);
  }
}

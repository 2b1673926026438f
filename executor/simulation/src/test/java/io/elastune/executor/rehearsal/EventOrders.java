package io.elastune.executor.rehearsal;

import io.elastune.executor.decision.NextTick;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.rehearsal.SmallEnvironment.Stage;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.RefusalReason;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Enumerates all event orders of a small environment; each state is explored once. */
final class EventOrders {
  private static final int MAX_INSTANCES = 2;
  private static final int CLOCK_JUMP_S = 3600;

  private final RunDefinition definition;
  private final DecisionFunction core;
  private final int earlyTrial;
  private final Map<SmallEnvironment, BigInteger> seen = new HashMap<>();

  /** The only object for each state of the decision core. */
  private final Map<RunState, RunState> cores = new HashMap<>();

  private final IdentityHashMap<RunState, Map<RunEvent, StepResult>> decided =
      new IdentityHashMap<>();

  private final Set<SmallEnvironment> exploring = new HashSet<>();
  private final Set<String> broken = new TreeSet<>();
  private long steps;
  private boolean untilBroken;

  /** Creates an enumeration with this decision core. */
  EventOrders(RunDefinition definition, DecisionFunction core) {
    this(definition, core, 0);
  }

  /** Creates an enumeration in which one trial always reports that it needs no more training. */
  EventOrders(RunDefinition definition, DecisionFunction core, int earlyTrial) {
    this.earlyTrial = earlyTrial;
    this.definition = definition;
    this.core = core;
  }

  /** Explores all event orders, and returns their number. */
  BigInteger count() {
    RunState initial = RunState.initial(definition);
    cores.put(initial, initial);
    SmallEnvironment first = new SmallEnvironment(initial, earlyTrial);
    BigInteger sum = BigInteger.ZERO;
    for (SmallEnvironment next : process(first, new RunEvent.Began(Instant.EPOCH))) {
      sum = sum.add(count(next));
    }
    return sum;
  }

  /** Returns whether an order violates an invariant; ends at the first one. */
  boolean isAnyBroken() {
    untilBroken = true;
    count();
    return !broken.isEmpty();
  }

  int states() {
    return seen.size();
  }

  long steps() {
    return steps;
  }

  Set<String> broken() {
    return broken;
  }

  private BigInteger count(SmallEnvironment world) {
    BigInteger known = seen.get(world);
    if (known != null) {
      return known;
    }
    check(world);
    BigInteger sum = BigInteger.ZERO;
    if (world.core.phase() == RunState.Phase.FINISHED || world.broken.isPresent()) {
      sum = BigInteger.ONE;
    } else if (exploring.add(world)) {
      for (SmallEnvironment next : next(world)) {
        if (untilBroken && !broken.isEmpty()) {
          break;
        }
        steps++;
        sum = sum.add(count(next));
      }
      exploring.remove(world);
    } else {
      broken.add("possible cycle in phase " + world.core.phase());
    }
    seen.put(world, sum);
    return sum;
  }

  private void check(SmallEnvironment world) {
    world.broken.ifPresent(broken::add);
    if (world.unreleasedCount() > MAX_INSTANCES) {
      broken.add("more instances than intended: " + world.instances);
    }
    if (world.core.phase() != RunState.Phase.FINISHED) {
      return;
    }
    if (world.instances.values().stream().anyMatch(stage -> stage != Stage.GONE)) {
      broken.add("left: " + world.instances + " with exit " + world.core.ending().exitCode());
    }
    boolean full = world.fullDisk.isPresent(); // failures of the trials are legitimate then
    if (world.core.ending().exitCode() != 0 && !(full && world.core.ending().exitCode() == 16)) {
      broken.add("exit " + world.core.ending());
    }
    for (TrialState trial : world.core.trials().values()) {
      boolean ended =
          trial.status() == TrialState.Status.COMPLETED
              || trial.status() == TrialState.Status.STOPPED
              || (full && world.core.ending().exitCode() == 16)
              || (full && trial.status() == TrialState.Status.FAILED);
      int units = trial.endedAt().orElse(trial.unit());
      if (!ended || world.furthest.getOrDefault(trial.trial(), 0) < units) {
        broken.add("not accounted for: " + trial);
      }
    }
  }

  private List<SmallEnvironment> next(SmallEnvironment world) {
    List<SmallEnvironment> next = new ArrayList<>();
    addEvents(world, next);
    boolean quiet = next.isEmpty();
    if (world.faultLeft) {
      faults(world, next);
      next.addAll(withClockJump(world));
    }
    if (quiet) {
      Optional<Instant> alarm = NextTick.next(definition, world.core);
      if (alarm.isEmpty()) {
        broken.add("deadlock: no event and no timer");
      } else {
        Instant at = alarm.get().isAfter(world.now()) ? alarm.get() : world.now();
        next.addAll(process(world.copy(), new RunEvent.Ticked(at.plusSeconds(1))));
      }
    }
    return next;
  }

  /** Adds the states after each possible event of the environment, and after each delivery. */
  private void addEvents(SmallEnvironment world, List<SmallEnvironment> next) {
    world.instances.forEach(
        (lease, stage) -> {
          if (stage == Stage.PENDING || stage == Stage.RUNNING) {
            Stage then = stage == Stage.PENDING ? Stage.RUNNING : Stage.READY;
            next.add(after(world, w -> w.setStage(lease, then)));
          }
        });
    world.workers.forEach(
        (attempt, pendingWork) -> {
          if (!pendingWork.over() && !pendingWork.hangs()) {
            next.add(after(world, w -> w.train(attempt)));
          }
        });
    if (!world.deferredCalls.isEmpty()) {
      next.add(after(world, w -> new SmallEnvironmentExecutor(w).executeDeferred()));
    }
    for (CloudEvent answer : nextByLease(world)) {
      SmallEnvironment then = after(world, w -> w.cloudEvents.remove(answer));
      next.addAll(process(then, new RunEvent.FromCloud(answer)));
    }
    for (EngineEvent told : nextByAttempt(world)) {
      SmallEnvironment then = after(world, w -> w.engineEvents.remove(told));
      next.addAll(process(then, new RunEvent.FromEngine(told)));
    }
  }

  private static void delay(SmallEnvironment world, CloudEvent answer) {
    world.cloudEvents.remove(answer);
    world.addCloudEvent(answer);
  }

  /** Returns the next event of each lease. */
  private static List<CloudEvent> nextByLease(SmallEnvironment world) {
    Map<String, CloudEvent> nextByLease = new HashMap<>();
    world.cloudEvents.forEach(
        event -> nextByLease.putIfAbsent(SmallEnvironment.lease(event), event));
    return List.copyOf(nextByLease.values());
  }

  /** Returns the next event of each attempt. Events of one attempt keep their order. */
  private static List<EngineEvent> nextByAttempt(SmallEnvironment world) {
    Map<String, EngineEvent> nextByAttempt = new HashMap<>();
    world.engineEvents.forEach(event -> nextByAttempt.putIfAbsent(event.attempt(), event));
    return List.copyOf(nextByAttempt.values());
  }

  /** Adds the states after each possible fault. Only one fault occurs per run. */
  private static void faults(SmallEnvironment world, List<SmallEnvironment> next) {
    world.instances.forEach(
        (lease, stage) -> {
          if (stage == Stage.PENDING) {
            next.add(fault(world, w -> refuse(w, lease)));
          } else if (stage != Stage.GONE) {
            next.add(fault(world, w -> lose(w, lease)));
            next.add(fault(world, w -> sendNotice(w, lease)));
            next.add(
                fault(
                    world,
                    w -> {
                      sendNotice(w, lease);
                      lose(w, lease);
                    }));
          }
        });
    world.workers.forEach(
        (attempt, pendingWork) -> {
          if (!pendingWork.over()) {
            next.add(fault(world, w -> w.stop(attempt, 1)));
            next.add(
                fault(world, w -> w.workers.computeIfPresent(attempt, (a, x) -> x.asHanging())));
          }
        });
    for (CloudEvent answer : new HashSet<>(world.cloudEvents)) {
      next.add(fault(world, w -> w.cloudEvents.remove(answer))); // lost
      next.add(fault(world, w -> w.addCloudEvent(answer))); // duplicated, the copy last
      next.add(fault(world, w -> delay(w, answer))); // late: others overtake it
    }
    for (EngineEvent told : nextByAttempt(world)) {
      if (told instanceof EngineEvent.Reported) {
        next.add(fault(world, w -> w.engineEvents.remove(told)));
      }
      next.add(fault(world, w -> w.engineEvents.add(w.engineEvents.indexOf(told), told)));
    }
    next.add(fault(world, w -> w.nextCallLost = true));
    next.add(fault(world, w -> w.nextCallDeferred = true));
    next.add(fault(world, w -> w.nextCheckpointTorn = true));
    world.instances.forEach(
        (lease, stage) -> {
          if (stage == Stage.READY) {
            next.add(fault(world, w -> w.fullDisk = Optional.of(lease)));
          }
        });
    for (int trial : world.checkpoints.keySet()) {
      next.add(fault(world, w -> w.deleteCheckpoints(trial)));
    }
  }

  /**
   * The controller's clock jumps forward. A jump backward has no effect, since the core has already
   * seen later times.
   */
  private List<SmallEnvironment> withClockJump(SmallEnvironment world) {
    SmallEnvironment copy = world.copy();
    copy.faultLeft = false;
    return process(copy, new RunEvent.Ticked(world.now().plusSeconds(CLOCK_JUMP_S)));
  }

  private static void refuse(SmallEnvironment world, String lease) {
    world.instances.put(lease, Stage.GONE);
    if (world.known.contains(lease)) {
      world.addCloudEvent(
          new CloudEvent.Refused(lease, RefusalReason.CAPACITY, "none left", world.now()));
    }
  }

  private static void lose(SmallEnvironment world, String lease) {
    world.end(lease);
    if (world.known.contains(lease)) {
      world.addCloudEvent(
          new CloudEvent.Lost(lease, LossReason.PREEMPTED, "taken back", world.now()));
    }
  }

  private static void sendNotice(SmallEnvironment world, String lease) {
    if (world.known.contains(lease)) {
      world.addCloudEvent(new CloudEvent.Leaving(lease, "soon", world.now()));
    }
  }

  private static SmallEnvironment fault(SmallEnvironment world, Consumer<SmallEnvironment> what) {
    SmallEnvironment copy = after(world, what);
    copy.faultLeft = false;
    return copy;
  }

  private static SmallEnvironment after(SmallEnvironment world, Consumer<SmallEnvironment> what) {
    SmallEnvironment copy = world.copy();
    what.accept(copy);
    return copy;
  }

  /**
   * Returns the states that follow from an event. If no fault has occurred yet, the controller may
   * also be killed at any point of the step.
   */
  private List<SmallEnvironment> process(SmallEnvironment world, RunEvent event) {
    StepResult stepResult = step(world, event);
    List<SmallEnvironment> next = new ArrayList<>();
    next.add(after(world, w -> apply(w, event, stepResult, stepResult.commands().size())));
    if (world.faultLeft) {
      for (boolean withWorkers : new boolean[] {true, false}) {
        next.add(killed(world.copy(), withWorkers, 0)); // before the event was journaled
        for (int i = 0; i <= stepResult.commands().size(); i++) {
          int executed = i;
          SmallEnvironment half = after(world, w -> apply(w, event, stepResult, executed));
          if (half.core.phase() != RunState.Phase.FINISHED) {
            next.add(killed(half.copy(), withWorkers, 0));
            next.add(killed(half.copy(), withWorkers, CLOCK_JUMP_S));
            next.add(killed(half, withWorkers, -CLOCK_JUMP_S));
          }
        }
      }
    }
    return next;
  }

  /** Returns the step of the decision core, which is computed once. */
  private StepResult step(SmallEnvironment world, RunEvent event) {
    return decided
        .computeIfAbsent(world.core, state -> new HashMap<>())
        .computeIfAbsent(event, next -> step(world.core, next));
  }

  private StepResult step(RunState state, RunEvent event) {
    StepResult stepResult = core.step(state, event);
    RunState first = cores.putIfAbsent(stepResult.state(), stepResult.state());
    return first == null
        ? stepResult
        : new StepResult(first, stepResult.commands(), stepResult.notes());
  }

  private static void apply(
      SmallEnvironment world, RunEvent event, StepResult stepResult, int executed) {
    if (event instanceof RunEvent.FromEngine engine
        && engine.event() instanceof EngineEvent.Ended ended
        && world.core.attempts().containsKey(ended.attempt())) {
      int trial = AttemptState.trialOf(ended.attempt());
      world.committed.put(trial, ended.checkpoint().orElse(0));
    }
    world.core = stepResult.state();
    List<Command> commands = stepResult.commands().subList(0, executed);
    commands.forEach(new SmallEnvironmentExecutor(world)::execute);
  }

  /** Kills the controller; another one resumes from its journal, with a clock that may be wrong. */
  private SmallEnvironment killed(SmallEnvironment world, boolean withWorkers, int clockJumpS) {
    world.faultLeft = false;
    world.cloudEvents.clear();
    world.engineEvents.clear();
    world.known.clear();
    world.watched.clear();
    if (withWorkers) {
      world.workers.replaceAll((attempt, pendingWork) -> pendingWork.asEnded());
    }
    world.deferredCalls.clear(); // calls not executed by then are lost
    RunEvent.Resumed resumed = new RunEvent.Resumed(0, world.core.now().plusSeconds(clockJumpS));
    if (world.core.began().isEmpty()) {
      resumed = new RunEvent.Resumed(0, Instant.EPOCH);
    }
    StepResult stepResult = step(world, resumed);
    apply(world, resumed, stepResult, stepResult.commands().size());
    return world;
  }
}

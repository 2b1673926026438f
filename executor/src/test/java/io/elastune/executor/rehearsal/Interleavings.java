package io.elastune.executor.rehearsal;

import io.elastune.executor.core.Alarm;
import io.elastune.executor.core.AttemptState;
import io.elastune.executor.core.Command;
import io.elastune.executor.core.RunDefinition;
import io.elastune.executor.core.RunEvent;
import io.elastune.executor.core.RunState;
import io.elastune.executor.core.Step;
import io.elastune.executor.core.TrialState;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.rehearsal.SmallWorld.Stage;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.Loss;
import io.elastune.provisioner.Refusal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** All ways in which a small world may go on, each state looked at once. */
final class Interleavings {
  private static final int MOST_INSTANCES = 2;
  private static final int LEAP_S = 3600;

  private final RunDefinition definition;
  private final Decider core;
  private final Map<SmallWorld, BigInteger> seen = new HashMap<>();
  private final Set<SmallWorld> onTheWay = new HashSet<>();
  private final Set<String> broken = new TreeSet<>();
  private long steps;

  /** {@code core}: who decides. */
  Interleavings(RunDefinition definition, Decider core) {
    this.definition = definition;
    this.core = core;
  }

  /** Goes through all of them, and says how many there are. */
  BigInteger count() {
    SmallWorld first = new SmallWorld(RunState.initial(definition));
    BigInteger sum = BigInteger.ZERO;
    for (SmallWorld next : take(first, new RunEvent.Began(Instant.EPOCH))) {
      sum = sum.add(count(next));
    }
    return sum;
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

  private BigInteger count(SmallWorld world) {
    BigInteger known = seen.get(world);
    if (known != null) {
      return known;
    }
    judge(world);
    BigInteger sum = BigInteger.ZERO;
    if (world.core.phase() == RunState.Phase.FINISHED || world.broken.isPresent()) {
      sum = BigInteger.ONE;
    } else if (onTheWay.add(world)) {
      for (SmallWorld next : next(world)) {
        steps++;
        sum = sum.add(count(next));
      }
      onTheWay.remove(world);
    } else {
      broken.add("it may go round in circles: " + world.core.phase());
    }
    seen.put(world, sum);
    return sum;
  }

  private void judge(SmallWorld world) {
    world.broken.ifPresent(broken::add);
    if (world.open() > MOST_INSTANCES) {
      broken.add("more instances than intended: " + world.instances);
    }
    if (world.core.phase() != RunState.Phase.FINISHED) {
      return;
    }
    if (world.instances.values().stream().anyMatch(stage -> stage != Stage.GONE)) {
      broken.add("left: " + world.instances + " with exit " + world.core.ending().exitCode());
    }
    boolean full = world.fullDisk.isPresent(); // then the program's failures are its own
    if (world.core.ending().exitCode() != 0 && !(full && world.core.ending().exitCode() == 16)) {
      broken.add("exit " + world.core.ending());
    }
    for (TrialState trial : world.core.trials().values()) {
      boolean ended =
          trial.status() == TrialState.Status.COMPLETED
              || trial.status() == TrialState.Status.STOPPED
              || (full && world.core.ending().exitCode() == 16)
              || (full && trial.status() == TrialState.Status.FAILED);
      if (!ended || world.furthest.getOrDefault(trial.trial(), 0) < trial.unit()) {
        broken.add("not accounted for: " + trial);
      }
    }
  }

  private List<SmallWorld> next(SmallWorld world) {
    List<SmallWorld> next = new ArrayList<>();
    happenings(world, next);
    boolean quiet = next.isEmpty();
    if (world.faultLeft) {
      faults(world, next);
      next.addAll(leapt(world));
    }
    if (quiet) {
      Optional<Instant> alarm = Alarm.next(definition, world.core);
      if (alarm.isEmpty()) {
        broken.add("it waits for ever");
      } else {
        Instant at = alarm.get().isAfter(world.now()) ? alarm.get() : world.now();
        next.addAll(take(world.copy(), new RunEvent.Ticked(at.plusSeconds(1))));
      }
    }
    return next;
  }

  /** What happens of itself, and what is told. */
  private void happenings(SmallWorld world, List<SmallWorld> next) {
    world.instances.forEach(
        (lease, stage) -> {
          if (stage == Stage.PENDING || stage == Stage.RUNNING) {
            Stage then = stage == Stage.PENDING ? Stage.RUNNING : Stage.READY;
            next.add(after(world, w -> w.move(lease, then)));
          }
        });
    world.works.forEach(
        (attempt, work) -> {
          if (!work.over() && !work.hangs()) {
            next.add(after(world, w -> w.train(attempt)));
          }
        });
    if (!world.late.isEmpty()) {
      next.add(after(world, w -> new SmallDoors(w).catchUp()));
    }
    for (CloudEvent answer : firsts(world)) {
      SmallWorld then = after(world, w -> w.answers.remove(answer));
      next.addAll(take(then, new RunEvent.FromCloud(answer)));
    }
    for (EngineEvent told : heads(world)) {
      SmallWorld then = after(world, w -> w.told.remove(told));
      next.addAll(take(then, new RunEvent.FromEngine(told)));
    }
  }

  private static void putOff(SmallWorld world, CloudEvent answer) {
    world.answers.remove(answer);
    world.answer(answer);
  }

  /** What is told next of each lease. */
  private static List<CloudEvent> firsts(SmallWorld world) {
    Map<String, CloudEvent> firsts = new HashMap<>();
    world.answers.forEach(event -> firsts.putIfAbsent(SmallWorld.lease(event), event));
    return List.copyOf(firsts.values());
  }

  /** What is told next of each attempt: that keeps its order. */
  private static List<EngineEvent> heads(SmallWorld world) {
    Map<String, EngineEvent> heads = new HashMap<>();
    world.told.forEach(event -> heads.putIfAbsent(event.attempt(), event));
    return List.copyOf(heads.values());
  }

  /** Everything that may go wrong now; nothing else does after it. */
  private static void faults(SmallWorld world, List<SmallWorld> next) {
    world.instances.forEach(
        (lease, stage) -> {
          if (stage == Stage.PENDING) {
            next.add(fault(world, w -> refuse(w, lease)));
          } else if (stage != Stage.GONE) {
            next.add(fault(world, w -> lose(w, lease)));
            next.add(fault(world, w -> giveNotice(w, lease)));
            next.add(
                fault(
                    world,
                    w -> {
                      giveNotice(w, lease);
                      lose(w, lease);
                    }));
          }
        });
    world.works.forEach(
        (attempt, work) -> {
          if (!work.over()) {
            next.add(fault(world, w -> w.stop(attempt, 1)));
            next.add(fault(world, w -> w.works.computeIfPresent(attempt, (a, x) -> x.hanging())));
          }
        });
    for (CloudEvent answer : new HashSet<>(world.answers)) {
      next.add(fault(world, w -> w.answers.remove(answer))); // lost
      next.add(fault(world, w -> w.answer(answer))); // told twice, the second time last
      next.add(fault(world, w -> putOff(w, answer))); // late: others overtake it
    }
    for (EngineEvent told : heads(world)) {
      if (told instanceof EngineEvent.Reported) {
        next.add(fault(world, w -> w.told.remove(told)));
      }
      next.add(fault(world, w -> w.told.add(w.told.indexOf(told), told)));
    }
    next.add(fault(world, w -> w.nextCallInVain = true));
    next.add(fault(world, w -> w.nextCallLate = true));
    next.add(fault(world, w -> w.tears = true));
    world.instances.forEach(
        (lease, stage) -> {
          if (stage == Stage.READY) {
            next.add(fault(world, w -> w.fullDisk = Optional.of(lease)));
          }
        });
    for (int trial : world.checkpoints.keySet()) {
      next.add(fault(world, w -> w.rob(trial)));
    }
  }

  /** The controller's clock leaps ahead; leaping back it finds itself told later times before. */
  private List<SmallWorld> leapt(SmallWorld world) {
    SmallWorld copy = world.copy();
    copy.faultLeft = false;
    return take(copy, new RunEvent.Ticked(world.now().plusSeconds(LEAP_S)));
  }

  private static void refuse(SmallWorld world, String lease) {
    world.instances.put(lease, Stage.GONE);
    if (world.known.contains(lease)) {
      world.answer(new CloudEvent.Refused(lease, Refusal.CAPACITY, "none left", world.now()));
    }
  }

  private static void lose(SmallWorld world, String lease) {
    world.end(lease);
    if (world.known.contains(lease)) {
      world.answer(new CloudEvent.Lost(lease, Loss.PREEMPTED, "taken back", world.now()));
    }
  }

  private static void giveNotice(SmallWorld world, String lease) {
    if (world.known.contains(lease)) {
      world.answer(new CloudEvent.Leaving(lease, "soon", world.now()));
    }
  }

  private static SmallWorld fault(SmallWorld world, Consumer<SmallWorld> what) {
    SmallWorld copy = after(world, what);
    copy.faultLeft = false;
    return copy;
  }

  private static SmallWorld after(SmallWorld world, Consumer<SmallWorld> what) {
    SmallWorld copy = world.copy();
    what.accept(copy);
    return copy;
  }

  /** What follows from an event: with the fault still to come, also a death at any point of it. */
  private List<SmallWorld> take(SmallWorld world, RunEvent event) {
    Step step = core.step(world.core, event);
    List<SmallWorld> next = new ArrayList<>();
    next.add(after(world, w -> decided(w, event, step, step.commands().size())));
    if (world.faultLeft) {
      for (boolean withWorkers : new boolean[] {true, false}) {
        next.add(died(world.copy(), withWorkers, 0)); // before its journal knew of the event
        for (int i = 0; i <= step.commands().size(); i++) {
          int carriedOut = i;
          SmallWorld half = after(world, w -> decided(w, event, step, carriedOut));
          if (half.core.phase() != RunState.Phase.FINISHED) {
            next.add(died(half.copy(), withWorkers, 0));
            next.add(died(half.copy(), withWorkers, LEAP_S));
            next.add(died(half, withWorkers, -LEAP_S));
          }
        }
      }
    }
    return next;
  }

  private static void decided(SmallWorld world, RunEvent event, Step step, int carriedOut) {
    if (event instanceof RunEvent.FromEngine engine
        && engine.event() instanceof EngineEvent.Ended ended
        && world.core.attempts().containsKey(ended.attempt())) {
      int trial = AttemptState.trialOf(ended.attempt());
      world.committed.put(trial, ended.checkpoint().orElse(0));
    }
    world.core = step.state();
    List<Command> commands = step.commands().subList(0, carriedOut);
    commands.forEach(new SmallDoors(world)::carryOut);
  }

  /** The controller dies, and another one goes on from its journal, by a clock that may be off. */
  private SmallWorld died(SmallWorld world, boolean withWorkers, int leapS) {
    world.faultLeft = false;
    world.answers.clear();
    world.told.clear();
    world.known.clear();
    world.watched.clear();
    if (withWorkers) {
      world.works.replaceAll((attempt, work) -> work.ended());
    }
    world.late.clear(); // what had not been done by then never is
    RunEvent.Resumed resumed = new RunEvent.Resumed(0, world.core.now().plusSeconds(leapS));
    if (world.core.began().isEmpty()) {
      resumed = new RunEvent.Resumed(0, Instant.EPOCH);
    }
    Step step = core.step(world.core, resumed);
    decided(world, resumed, step, step.commands().size());
    return world;
  }
}

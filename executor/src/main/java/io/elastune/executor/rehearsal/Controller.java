package io.elastune.executor.rehearsal;

import io.elastune.executor.core.Alarm;
import io.elastune.executor.core.Answer;
import io.elastune.executor.core.AttemptState;
import io.elastune.executor.core.Command;
import io.elastune.executor.core.RunEvent;
import io.elastune.executor.core.RunState;
import io.elastune.executor.core.Step;
import io.elastune.executor.core.TrialState;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.replan.PlannedAnew;
import io.elastune.executor.replan.Replans;
import io.elastune.executor.shell.Doors;
import io.elastune.executor.world.Chance;
import io.elastune.executor.world.Faults;
import io.elastune.executor.world.Mishap;
import io.elastune.executor.world.SimulatedWorld;
import io.elastune.executor.world.Timeline;
import io.elastune.executor.world.TrainingBook;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Carries one run out in a simulated world, as the shell does in the real one: a step's state is
 * journalled before its commands are carried out. It may be killed at any point of that, and is
 * started again from its journal. Ticks at which nothing can be decided are left out.
 */
final class Controller {
  private static final int SURVIVES = Integer.MAX_VALUE;
  private static final int BEFORE_THE_JOURNAL = -1;

  /** Seconds within which the planner answers. */
  private static final double ANSWERS_IN_S = 0.05;

  private final RehearsedJob job;
  private final SimulatedWorld world;
  private final Decider decider;
  private final Timeline time;
  private final Chance kills;
  private final Optional<Replans> replans;
  private Hands hands;
  private RunState state;
  private boolean alive = true;
  private long offset;
  private long furthestOff;
  private long tickAt = Long.MAX_VALUE;
  private long events;
  private double completedS = Double.NaN;

  Controller(RehearsedJob job, SimulatedWorld world, Decider decider) {
    this.job = job;
    this.world = world;
    this.decider = decider;
    this.time = world.time();
    this.kills = world.chance("kills");
    this.replans = job.definition().planning().map(with -> new PlannedAnew(job.definition()));
    this.state = RunState.confirmed(job.definition(), time.instant());
    this.hands = hands();
  }

  private Hands hands() {
    return new Hands(
        job,
        world.cloud(event -> told(new RunEvent.FromCloud(event))),
        world.engine(event -> told(new RunEvent.FromEngine(event))),
        new Counsel());
  }

  private final class Counsel implements Doors.Counsel {
    @Override
    public void replan(Command.Replan command) {
      Answer answer = replans.orElseThrow().answer(command.question());
      answer(() -> new RunEvent.Replanned(command.number(), answer, now()));
    }

    @Override
    public void askBudget(Command.AskBudget command) {
      answer(() -> new RunEvent.BudgetAnswered(command.number(), false, "nobody is there", now()));
    }
  }

  /** Told to whoever asked, if it is still there by then. */
  private void answer(Supplier<RunEvent> event) {
    Hands asking = hands;
    time.after(
        ANSWERS_IN_S,
        () -> {
          if (alive && asking == hands) {
            told(event.get());
          }
        });
  }

  void begin() {
    take(new RunEvent.Began(now()));
  }

  RunState state() {
    return state;
  }

  boolean finished() {
    return alive && state.phase() == RunState.Phase.FINISHED;
  }

  /** Events that were decided. */
  long events() {
    return events;
  }

  /** Seconds of the world's time at which the last group had ended; NaN before. */
  double completedS() {
    return completedS;
  }

  /** Seconds by which our own clock was off at most. */
  double furthestOffS() {
    return furthestOff / 1e9;
  }

  /** Our own clock; it never runs behind what has been told already. */
  private Instant now() {
    Instant now = time.instant().plusNanos(offset);
    if (now.isBefore(state.now())) {
      offset += Duration.between(now, state.now()).toNanos();
      now = state.now();
    }
    furthestOff = Math.max(furthestOff, Math.abs(offset));
    return now;
  }

  private void told(RunEvent event) {
    if (event.at().isBefore(now())) {
      take(new RunEvent.Ticked(now())); // what comes late finds us at our own time
    }
    take(event);
  }

  private void take(RunEvent event) {
    if (!alive || finished()) {
      return;
    }
    events++;
    Step step = decider.step(state, event);
    int dies = dies(step.commands().size());
    if (dies == BEFORE_THE_JOURNAL) {
      die(0);
      return;
    }
    note(event);
    double pace = state.steering().pace().factor();
    state = step.state();
    if (Double.isNaN(completedS) && allGroupsEnded()) {
      completedS = time.seconds();
    }
    boolean mereReport = isMereReport(event, step);
    if (!mereReport) {
      hands.limitLives(state);
    }
    carryOut(step.commands(), dies);
    if ((!mereReport || pace != state.steering().pace().factor()) && alive) {
      setAlarm();
    }
  }

  private void carryOut(List<Command> commands, int dies) {
    for (int i = 0; i < commands.size(); i++) {
      if (i == dies) {
        die(commands.size() - i);
        return;
      }
      hands.carryOut(commands.get(i));
    }
    if (dies == commands.size()) {
      die(commands.size()); // all carried out, but nobody has written that down
    }
  }

  /** Before which of so many commands the controller is killed, if it is. */
  private int dies(int commands) {
    double mean = job.faults().killMeanSteps();
    if (mean == 0 || !kills.happens(1 / mean)) {
      return SURVIVES;
    }
    return kills.below(commands + 2) + BEFORE_THE_JOURNAL;
  }

  private void die(int unconfirmed) {
    if (state.phase() == RunState.Phase.FINISHED) {
      return; // nothing is left to be done
    }
    Faults faults = job.faults();
    Instant journalled = now().truncatedTo(ChronoUnit.SECONDS); // the shell notes every second
    if (journalled.isAfter(state.now())) {
      state = state.at(journalled);
    }
    world.book().mishaps().count(Mishap.CONTROLLER_KILLED);
    alive = false;
    tickAt = Long.MAX_VALUE;
    hands.die(world, kills.happens(0.5));
    world.book().down();
    double off = kills.between(-faults.clockJumpS(), faults.clockJumpS());
    time.after(kills.waiting(faults.downMeanS()), () -> restart(unconfirmed, off));
  }

  private void restart(int unconfirmed, double off) {
    world.book().up();
    setClock(off);
    hands = hands();
    alive = true;
    take(new RunEvent.Resumed(unconfirmed, now()));
  }

  private void setClock(double off) {
    offset = Timeline.nanos(off);
    if (offset != 0) {
      world.book().mishaps().count(Mishap.CLOCK_JUMPED);
    }
  }

  /** Puts down what the controller has been told, and will know from its journal ever after. */
  private void note(RunEvent event) {
    if (!(event instanceof RunEvent.FromEngine engine)) {
      return;
    }
    TrainingBook training = world.book().training();
    String attempt = engine.event().attempt();
    boolean known = state.attempts().containsKey(attempt);
    if (known && engine.event() instanceof EngineEvent.Reported reported) {
      training.heard(attempt, reported.unit());
    }
    if (engine.event() instanceof EngineEvent.Ended ended) {
      int number = AttemptState.trialOf(attempt);
      TrialState trial = state.trials().get(number);
      if (known || (trial != null && trial.isLastEnded(attempt))) {
        training.committed(number, ended.checkpoint().orElse(0));
      }
    }
  }

  private boolean allGroupsEnded() {
    for (int chain = 0; chain < state.chains().size(); chain++) {
      int groups = job.definition().workload().chains().get(chain).groups().size();
      if (state.chains().get(chain).group() < groups) {
        return false;
      }
    }
    return true;
  }

  /** A report only puts off what was to come: the alarm that is set is early enough. */
  private static boolean isMereReport(RunEvent event, Step step) {
    return step.commands().isEmpty()
        && event instanceof RunEvent.FromEngine engine
        && engine.event() instanceof EngineEvent.Reported;
  }

  /** The shell ticks every second: the first tick that may matter is kept. */
  private void setAlarm() {
    Alarm.next(job.definition(), state)
        .map(this::nextWholeSecond)
        .ifPresent(
            wanted -> {
              long at = Math.max(wanted, Timeline.nanos(Math.floor(time.seconds()) + 1));
              if (at < tickAt) {
                tickAt = at;
                time.at(at, () -> tick(at));
              }
            });
  }

  private long nextWholeSecond(Instant moment) {
    long nanos = time.nanos(moment) - offset;
    return Timeline.nanos(Math.ceil(nanos / 1e9));
  }

  private void tick(long at) {
    if (at == tickAt) {
      tickAt = Long.MAX_VALUE;
      take(new RunEvent.Ticked(now()));
    }
  }
}

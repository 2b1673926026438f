package io.elastune.executor.rehearsal;

import io.elastune.executor.core.Alarm;
import io.elastune.executor.core.AttemptState;
import io.elastune.executor.core.Command;
import io.elastune.executor.core.RunEvent;
import io.elastune.executor.core.RunState;
import io.elastune.executor.core.Step;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.world.SimulatedWorld;
import io.elastune.executor.world.Timeline;
import java.time.Duration;
import java.time.Instant;

/**
 * Carries one run out in a simulated world, as the shell does in the real one. Ticks at which
 * nothing can be decided are left out.
 */
final class Controller {
  private final RehearsedJob job;
  private final SimulatedWorld world;
  private final Decider decider;
  private final Timeline time;
  private final Hands hands;
  private RunState state;
  private long tickAt = Long.MAX_VALUE;
  private long events;
  private double completedS = Double.NaN;

  Controller(RehearsedJob job, SimulatedWorld world, Decider decider) {
    this.job = job;
    this.world = world;
    this.decider = decider;
    this.time = world.time();
    this.state = RunState.initial(job.definition());
    this.hands =
        new Hands(
            job,
            world.cloud(event -> told(new RunEvent.FromCloud(event))),
            world.engine(event -> told(new RunEvent.FromEngine(event))));
  }

  void begin() {
    take(new RunEvent.Began(time.instant()));
  }

  RunState state() {
    return state;
  }

  boolean finished() {
    return state.phase() == RunState.Phase.FINISHED;
  }

  /** Events that were decided. */
  long events() {
    return events;
  }

  /** Seconds of the world's time at which the last group had ended; NaN before. */
  double completedS() {
    return completedS;
  }

  private void told(RunEvent event) {
    if (event.at().isBefore(time.instant())) {
      take(new RunEvent.Ticked(time.instant())); // what comes late finds us at our own time
    }
    take(event);
  }

  private void take(RunEvent event) {
    if (finished()) {
      return;
    }
    events++;
    note(event);
    Step step = decider.step(state, event);
    state = step.state();
    for (Command command : step.commands()) {
      command.match(hands);
    }
    if (Double.isNaN(completedS) && allGroupsEnded()) {
      completedS = time.seconds();
    }
    setAlarm();
  }

  private void note(RunEvent event) {
    if (event instanceof RunEvent.FromEngine engine
        && engine.event() instanceof EngineEvent.Ended ended) {
      AttemptState attempt = state.attempts().get(ended.attempt());
      if (attempt != null) {
        world.book().committed(attempt.trial(), ended.checkpoint().orElse(0));
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

  /** The shell ticks every second: the first tick that may matter is kept. */
  private void setAlarm() {
    Alarm.next(job.definition(), state)
        .map(Controller::nextWholeSecond)
        .ifPresent(
            wanted -> {
              long at = Math.max(wanted, Timeline.nanos(Math.floor(time.seconds()) + 1));
              if (at < tickAt) {
                tickAt = at;
                time.at(at, () -> tick(at));
              }
            });
  }

  private static long nextWholeSecond(Instant moment) {
    return Timeline.nanos(Math.ceil(Duration.between(Timeline.START, moment).toNanos() / 1e9));
  }

  private void tick(long at) {
    if (at == tickAt) {
      tickAt = Long.MAX_VALUE;
      take(new RunEvent.Ticked(time.instant()));
    }
  }
}

package io.elastune.executor.shell;

import io.elastune.executor.core.Command;
import io.elastune.executor.core.RunCore;
import io.elastune.executor.core.RunEvent;
import io.elastune.executor.core.RunState;
import io.elastune.executor.core.Step;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.journal.ControllerLock;
import io.elastune.executor.journal.Journal;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries one run out. Events are taken one by one: the core decides, the step is journalled, its
 * commands are carried out, and confirmed. One thread decides; the doors' own threads only post.
 */
public final class RunShell {
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofMillis(200);

  private final RunSpec spec;
  private final Function<Consumer<CloudEvent>, Cloud> clouds;
  private final Function<Consumer<EngineEvent>, Engine> engines;
  private final InstantSource time;
  private final RunListener listener;
  private final BlockingQueue<RunEvent> queue = new LinkedBlockingQueue<>();

  /**
   * Wires a run.
   *
   * @param clouds opens the cloud's door
   * @param engines opens the engine's door
   */
  public RunShell(
      RunSpec spec,
      Function<Consumer<CloudEvent>, Cloud> clouds,
      Function<Consumer<EngineEvent>, Engine> engines,
      InstantSource time,
      RunListener listener) {
    this.spec = spec;
    this.clouds = clouds;
    this.engines = engines;
    this.time = time;
    this.listener = listener;
  }

  /**
   * Asks the run to stop; may be called from any thread.
   *
   * @param exitCode with which it then ends
   * @param now whether to do without checkpoints
   * @param by who asks
   */
  public void stop(int exitCode, boolean now, String by) {
    queue.add(new RunEvent.StopAsked(exitCode, now, by, time.instant()));
  }

  /**
   * Carries the run out, from the confirmed plan to the confirmed clean-up. When this fails, the
   * doors are closed, upon which local instances end at once and others by their dead-man timer.
   *
   * @throws IllegalStateException if another controller has the run
   */
  public RunState run() {
    spec.folder().create();
    ControllerLock lock = lock();
    try (lock;
        Journal journal =
            Journal.create(
                spec.folder(), spec.definition(), spec.meta(), spec.configurations()::of);
        Cloud cloud = clouds.apply(event -> queue.add(new RunEvent.FromCloud(event)));
        Engine engine = engines.apply(event -> queue.add(new RunEvent.FromEngine(event)))) {
      queue.add(new RunEvent.Began(time.instant()));
      return new Loop(journal, new Effects(spec, cloud, engine, time)).run();
    }
  }

  private ControllerLock lock() {
    return ControllerLock.take(spec.folder())
        .orElseThrow(
            () ->
                new IllegalStateException("another controller has run " + spec.definition().run()));
  }

  /** The loop of one run. */
  private final class Loop {
    private final Journal journal;
    private final Effects effects;
    private final RunCore core = new RunCore(spec.definition());
    private RunState state = RunState.initial(spec.definition());
    private Instant lastTick = Instant.EPOCH;

    Loop(Journal journal, Effects effects) {
      this.journal = journal;
      this.effects = effects;
    }

    RunState run() {
      while (state.phase() != RunState.Phase.FINISHED) {
        next();
      }
      return state;
    }

    private void next() {
      RunEvent event = poll();
      if (event != null) {
        take(event);
      }
      Instant now = time.instant();
      if (Duration.between(lastTick, now).compareTo(TICK) >= 0) {
        lastTick = now;
        lookForStopRequest();
        take(new RunEvent.Ticked(now));
      }
    }

    private @Nullable RunEvent poll() {
      try {
        return queue.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return new RunEvent.StopAsked(143, true, "an interrupt of its thread", time.instant());
      }
    }

    private void take(RunEvent event) {
      if (event instanceof RunEvent.FromCloud cloud
          && cloud.event() instanceof CloudEvent.Ready ready) {
        effects.ready(ready.lease(), ready.node());
      }
      RunState before = state;
      Step step = core.step(before, event);
      state = step.state();
      if (isIdleTick(event, before, step)) {
        journal.progress(state);
      } else {
        List<Long> ids = journal.append(event, before, step);
        step.commands().forEach(this::carryOut);
        journal.confirm(ids, time.instant());
      }
      listener.stepped(event, before, step);
    }

    private void carryOut(Command command) {
      command.match(effects);
    }

    /** A tick that changes nothing but the time need not be decided again: it is not written. */
    private static boolean isIdleTick(RunEvent event, RunState before, Step step) {
      return event instanceof RunEvent.Ticked
          && step.commands().isEmpty()
          && step.notes().isEmpty()
          && before.at(step.state().now()).equals(step.state());
    }

    private void lookForStopRequest() {
      if (state.phase() == RunState.Phase.RUNNING && Files.exists(spec.folder().stopRequest())) {
        queue.add(new RunEvent.StopAsked(130, false, "elastune stop", time.instant()));
      }
    }
  }
}

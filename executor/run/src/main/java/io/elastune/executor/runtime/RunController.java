package io.elastune.executor.runtime;

import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.journal.Journal;
import io.elastune.executor.journal.ReplayedRun;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Executes one run. Events are processed one at a time: the core decides, the step is journaled,
 * its commands are executed and then confirmed in the journal. One thread decides; the threads of
 * the cloud and the engine only post events.
 */
public final class RunController {
  private final RunSpec spec;
  private final Function<Consumer<CloudEvent>, Cloud> clouds;
  private final Function<Consumer<EngineEvent>, Engine> engines;
  private final InstantSource time;
  private final RunListener listener;
  private final Function<EventQueue, EventSource> eventSource;
  private final Advisors advisors;
  private final EventQueue queue = new EventQueue();

  /**
   * Creates a controller that runs in real time.
   *
   * @param clouds opens the cloud, given the consumer of its events
   * @param engines opens the engine, given the consumer of its events
   * @param advisors re-plans the run and approves a higher budget
   */
  public RunController(
      RunSpec spec,
      Function<Consumer<CloudEvent>, Cloud> clouds,
      Function<Consumer<EngineEvent>, Engine> engines,
      InstantSource time,
      RunListener listener,
      Advisors advisors) {
    this(
        spec,
        clouds,
        engines,
        time,
        queue -> new WallClockEvents(queue, time, new DiskMonitor(spec.folder().path())),
        listener,
        advisors);
  }

  /**
   * Creates a controller with its own clock.
   *
   * @param clouds opens the cloud, given the consumer of its events
   * @param engines opens the engine, given the consumer of its events
   * @param time the clock of the run
   * @param eventSource creates the source of the run's events and clock ticks
   * @param advisors re-plans the run and approves a higher budget
   */
  public RunController(
      RunSpec spec,
      Function<Consumer<CloudEvent>, Cloud> clouds,
      Function<Consumer<EngineEvent>, Engine> engines,
      InstantSource time,
      Function<EventQueue, EventSource> eventSource,
      RunListener listener,
      Advisors advisors) {
    this.spec = spec;
    this.clouds = clouds;
    this.engines = engines;
    this.time = time;
    this.eventSource = eventSource;
    this.listener = listener;
    this.advisors = advisors;
  }

  /**
   * Requests a stop of the run. May be called from any thread.
   *
   * @param outcome the outcome of the run if the stop succeeds
   * @param now whether to stop without writing checkpoints
   * @param by what requested the stop, for messages
   */
  public void stop(RunOutcome outcome, boolean now, String by) {
    queue.add(new RunEvent.StopAsked(outcome, now, by, time.instant()));
  }

  /**
   * Executes the run, from the approved plan to the confirmed cleanup. On an exception the cloud
   * and the engine are closed: local instances then shut down immediately, others by their dead-man
   * timer.
   *
   * @throws IllegalStateException if another controller executes the run
   */
  public RunResult run() {
    spec.folder().create();
    ControllerLock lock = lock();
    Instant now = time.instant();
    try (lock;
        Journal journal =
            Journal.create(
                spec.folder(),
                spec.definition(),
                now,
                spec.meta().rows(),
                spec.configurations()::of)) {
      queue.add(new RunEvent.Began(time.instant()));
      return runLoop(journal, RunState.confirmed(spec.definition(), now));
    }
  }

  /**
   * Resumes a stopped or crashed run, and executes it up to the confirmed cleanup. Stop requests
   * from before the resume are discarded.
   *
   * @param past the state replayed from the journal. The caller must have acquired the run's lock
   *     before reading it, and still hold it
   * @param retryFailed whether failed trials are retried
   */
  public RunResult resume(ReplayedRun past, boolean retryFailed) {
    return runFrom(past, new RunEvent.Resumed(past.unconfirmed(), retryFailed, time.instant()));
  }

  /**
   * Executes a run that another process has written with {@link RunHandover}: begins it, or resumes
   * it as {@link #resume} does.
   */
  public RunResult takeOver(ReplayedRun past, boolean retryFailed) {
    return past.state().began().isPresent()
        ? resume(past, retryFailed)
        : runFrom(past, new RunEvent.Began(time.instant()));
  }

  private RunResult runFrom(ReplayedRun past, RunEvent first) {
    spec.folder().create();
    discardStopRequest();
    try (Journal journal =
        Journal.reopen(
            spec.folder(), spec.definition(), spec.meta().rows(), spec.configurations()::of)) {
      queue.add(first);
      return runLoop(journal, past.state());
    }
  }

  private RunResult runLoop(Journal journal, RunState state) {
    RequestFactory requestFactory = new RequestFactory(spec, time, state);
    try (Cloud cloud = clouds.apply(event -> queue.add(new RunEvent.FromCloud(event)));
        Engine engine = engines.apply(event -> queue.add(new RunEvent.FromEngine(event)));
        AsyncAdvisors asyncAdvisors =
            new AsyncAdvisors(advisors, time, queue::add, requestFactory)) {
      CommandExecutor commandExecutor =
          new CommandExecutor(
              spec.definition().run(),
              cloud,
              engine,
              spec.job().deadMan(),
              requestFactory::lease,
              requestFactory::attempt,
              asyncAdvisors);
      return new RunLoop(
              spec,
              time,
              listener,
              queue,
              eventSource.apply(queue),
              journal,
              requestFactory,
              commandExecutor,
              state)
          .run();
    }
  }

  private void discardStopRequest() {
    try {
      Files.deleteIfExists(spec.folder().stopRequest());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ControllerLock lock() {
    return ControllerLock.tryAcquire(spec.folder())
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "Run "
                        + spec.definition().run()
                        + " is already executed by another controller"));
  }
}

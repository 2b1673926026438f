package io.elastune.executor.shell;

import io.elastune.executor.core.RunEvent;
import io.elastune.executor.core.RunState;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.journal.ControllerLock;
import io.elastune.executor.journal.Journal;
import io.elastune.executor.journal.PastRun;
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
 * Carries one run out. Events are taken one by one: the core decides, the step is journalled, its
 * commands are carried out, and confirmed. One thread decides; the doors' own threads only post.
 */
public final class RunShell {
  private final RunSpec spec;
  private final Function<Consumer<CloudEvent>, Cloud> clouds;
  private final Function<Consumer<EngineEvent>, Engine> engines;
  private final InstantSource time;
  private final RunListener listener;
  private final Function<Told, Happenings> happenings;
  private final Advisers advisers;
  private final Told told = new Told();

  /**
   * Wires a run in real time.
   *
   * @param clouds opens the cloud's door
   * @param engines opens the engine's door
   * @param advisers who is asked while it lasts
   */
  public RunShell(
      RunSpec spec,
      Function<Consumer<CloudEvent>, Cloud> clouds,
      Function<Consumer<EngineEvent>, Engine> engines,
      InstantSource time,
      RunListener listener,
      Advisers advisers) {
    this(spec, clouds, engines, time, told -> new RealTime(told, time), listener, advisers);
  }

  /**
   * Wires a run whose time need not be everybody's.
   *
   * @param clouds opens the cloud's door
   * @param engines opens the engine's door
   * @param time what time it is for the run
   * @param happenings brings what the run is told, and lets that time pass
   * @param advisers who is asked while it lasts
   */
  public RunShell(
      RunSpec spec,
      Function<Consumer<CloudEvent>, Cloud> clouds,
      Function<Consumer<EngineEvent>, Engine> engines,
      InstantSource time,
      Function<Told, Happenings> happenings,
      RunListener listener,
      Advisers advisers) {
    this.spec = spec;
    this.clouds = clouds;
    this.engines = engines;
    this.time = time;
    this.happenings = happenings;
    this.listener = listener;
    this.advisers = advisers;
  }

  /**
   * Asks the run to stop; may be called from any thread.
   *
   * @param exitCode with which it then ends
   * @param now whether to do without checkpoints
   * @param by who asks
   */
  public void stop(int exitCode, boolean now, String by) {
    told.add(new RunEvent.StopAsked(exitCode, now, by, time.instant()));
  }

  /**
   * Carries the run out, from the confirmed plan to the confirmed clean-up. When this fails, the
   * doors are closed, upon which local instances end at once and others by their dead-man timer.
   *
   * @throws IllegalStateException if another controller has the run
   */
  public RunEnd run() {
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
      told.add(new RunEvent.Began(time.instant()));
      return carry(journal, RunState.confirmed(spec.definition(), now));
    }
  }

  /**
   * Goes on with a run, be it stopped or crashed, to its confirmed clean-up. A stop that was asked
   * for before is not meant any more.
   *
   * @param past how far it had come; its caller has held the run's lock since before it was read
   */
  public RunEnd resume(PastRun past) {
    withdrawStopRequest();
    try (Journal journal =
        Journal.reopen(
            spec.folder(), spec.definition(), spec.meta().rows(), spec.configurations()::of)) {
      told.add(new RunEvent.Resumed(past.unconfirmed(), time.instant()));
      return carry(journal, past.state());
    }
  }

  private RunEnd carry(Journal journal, RunState state) {
    try (Cloud cloud = clouds.apply(event -> told.add(new RunEvent.FromCloud(event)));
        Engine engine = engines.apply(event -> told.add(new RunEvent.FromEngine(event)));
        Asking asking = new Asking(advisers, time, told::add)) {
      Requests requests = new Requests(spec, time, state);
      Doors doors =
          new Doors(
              spec.definition().run(),
              cloud,
              engine,
              spec.job().deadMan(),
              requests::lease,
              requests::attempt,
              asking);
      return new RunLoop(
              spec, time, listener, told, happenings.apply(told), journal, requests, doors, state)
          .run();
    }
  }

  private void withdrawStopRequest() {
    try {
      Files.deleteIfExists(spec.folder().stopRequest());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ControllerLock lock() {
    return ControllerLock.take(spec.folder())
        .orElseThrow(
            () ->
                new IllegalStateException("another controller has run " + spec.definition().run()));
  }
}

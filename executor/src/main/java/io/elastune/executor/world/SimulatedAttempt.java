package io.elastune.executor.world;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Simulates the workers of one attempt, independent of any controller's view. */
final class SimulatedAttempt {
  private static final int KILLED = 137;
  private static final int RETRY = 75;
  private static final int TERMINATED = 143;

  /** The parts of the simulated environment that an attempt uses. */
  record Surroundings(
      Timeline time, Training training, CheckpointShelf shelf, Provider provider, Book book) {}

  private final AttemptSpec spec;
  private final Course course;
  private final Surroundings world;
  private final long startedAt;
  private final List<EngineEvent.Reported> reports = new ArrayList<>();
  private final Runnable whenEnded;
  private final List<Instance> instances;
  private Consumer<EngineEvent> watcher;
  private Optional<EngineEvent.Ended> end = Optional.empty();
  private int unit;
  private int lastReported;
  private boolean stopping;
  private boolean hanging;
  private boolean silent;

  SimulatedAttempt(
      AttemptSpec spec,
      Course course,
      Surroundings world,
      Consumer<EngineEvent> watcher,
      Runnable whenEnded) {
    this.spec = spec;
    this.course = course;
    this.world = world;
    this.watcher = watcher;
    this.whenEnded = whenEnded;
    this.startedAt = world.time().nanos();
    this.unit = spec.from();
    this.lastReported = spec.from();
    this.instances =
        spec.workers().stream()
            .map(AttemptSpec.Worker::lease)
            .distinct()
            .flatMap(lease -> world.provider().find(lease).stream())
            .toList();
  }

  boolean ended() {
    return end.isPresent();
  }

  boolean uses(String lease) {
    return spec.workers().stream().anyMatch(worker -> worker.lease().equals(lease));
  }

  /** Starts training if the instances and the checkpoint are available. */
  void begin() {
    world.book().began(instances);
    world.book().training().began(spec);
    if (!instances.stream().allMatch(Instance::takesWorkers)) {
      end(KILLED, TrainingBook.End.CUT_OFF, "an instance of the attempt is unreachable");
      return;
    }
    world.shelf().wanted(spec.trial(), spec.from());
    if (!world.shelf().has(spec.trial(), spec.from())) {
      end(1, TrainingBook.End.IN_VAIN, "cannot read the checkpoint of unit " + spec.from());
      return;
    }
    continueTraining();
  }

  private void continueTraining() {
    int done = unit - spec.from();
    Conduct conduct = course.conduct();
    if (conduct.turns(done)) {
      if (conduct.kind() == Conduct.Kind.HANGS) {
        hanging = true;
        count(Mishap.TRIAL_HUNG);
        return;
      }
      if (conduct.kind() == Conduct.Kind.DIES) {
        world.time().at(timeOf(done + 0.5), () -> crash(conduct.exitCode()));
        return;
      }
      fallSilent();
    }
    world.time().at(timeOf(done + 1), this::unitEnds);
  }

  private void fallSilent() {
    if (!silent && course.conduct().kind() == Conduct.Kind.FALLS_SILENT) {
      silent = true;
      count(Mishap.TRIAL_SILENT);
    }
  }

  private void count(Mishap mishap) {
    world.book().mishaps().count(mishap);
  }

  private long timeOf(double units) {
    return startedAt + Timeline.nanos(course.startupS() + units * course.unitS());
  }

  private void crash(int exitCode) {
    if (!ended() && !stopping) {
      count(Mishap.TRIAL_DIED);
      end(exitCode, TrainingBook.End.FAILED, "exit " + exitCode);
    }
  }

  private void unitEnds() {
    if (ended() || stopping) {
      return;
    }
    unit++;
    world.book().training().trained(spec, unit);
    int done = unit - spec.from();
    boolean last = unit == spec.to();
    boolean due = course.savesEvery() > 0 && done % course.savesEvery() == 0;
    if ((last || due) && unit <= spec.to() && !save()) {
      return;
    }
    if (!silent) {
      report(done);
    }
    boolean runsOn = last && course.conduct().kind() == Conduct.Kind.OVERRUNS;
    if (runsOn) {
      count(Mishap.TRIAL_OVERRAN);
    }
    if (last && !runsOn) {
      boolean whole = !world.shelf().torn(spec.trial(), spec.to());
      end(0, whole ? TrainingBook.End.WELL : TrainingBook.End.TORN, "exit 0");
    } else {
      continueTraining();
    }
  }

  private boolean save() {
    if (instances.stream().anyMatch(instance -> instance.diskFull)) {
      end(1, TrainingBook.End.FAILED, "exit 1: no space left on device");
      return false;
    }
    world.shelf().save(spec.trial(), unit, spec.keep(), spec.from());
    return true;
  }

  private void report(int done) {
    if (course.conduct().kind() == Conduct.Kind.REPORTS_RUBBISH
        && course.conduct().turns(done - 1)
        && !course.conduct().turns(done - 2)) {
      count(Mishap.TRIAL_RUBBISH);
      post(new EngineEvent.Faulted(spec.attempt(), "not a report", world.time().instant()));
      post(reported(Math.max(1, unit - 1)));
      postAndRecord(reported(unit));
    }
    postAndRecord(reported(unit));
  }

  private EngineEvent.Reported reported(int of) {
    return new EngineEvent.Reported(
        spec.attempt(), of, world.training().metrics(spec.trial(), of), world.time().instant());
  }

  private void postAndRecord(EngineEvent.Reported report) {
    lastReported = Math.max(lastReported, report.unit());
    reports.add(report);
    post(report);
  }

  /** Requests a checkpoint and the exit of the workers; kills them after {@code graceS} seconds. */
  void stop(double graceS) {
    if (ended() || stopping) {
      return;
    }
    world.time().after(graceS, this::kill);
    if (!hanging) {
      stopping = true;
      world.time().after(course.stopS(), this::stopped);
    }
  }

  private void stopped() {
    if (ended()) {
      return;
    }
    boolean trained = unit > spec.from();
    if (!trained) {
      end(TERMINATED, TrainingBook.End.ASKED, "exit " + TERMINATED);
    } else if (unit > spec.to() || save()) {
      end(RETRY, TrainingBook.End.ASKED, "exit " + RETRY);
    }
  }

  /** Kills the workers immediately, unless their instance is unreachable. */
  void kill() {
    kill(TrainingBook.End.ASKED);
  }

  /** Ends the attempt together with its controller. */
  void dieWithController() {
    kill(TrainingBook.End.IN_VAIN);
  }

  private void kill(TrainingBook.End why) {
    if (!ended() && reachable()) {
      end(KILLED, why, "exit " + KILLED);
    }
  }

  private boolean reachable() {
    return instances.stream().noneMatch(instance -> instance.alive() && !instance.reachable);
  }

  /** Ends the attempt because one of its instances has ended. */
  void cutOff() {
    if (!ended()) {
      end(KILLED, TrainingBook.End.CUT_OFF, "an instance of the attempt has ended");
    }
  }

  private void end(int exitCode, TrainingBook.End how, String message) {
    int limit = lastReported >= spec.to() ? spec.to() : spec.to() - 1;
    world.book().left(instances);
    world.book().training().ended(spec, how);
    EngineEvent.Ended event =
        new EngineEvent.Ended(
            spec.attempt(),
            exitCode,
            world.shelf().newest(spec.trial(), limit),
            world.shelf().torn(spec.trial(), limit),
            message,
            world.time().instant(),
            how == TrainingBook.End.CUT_OFF);
    end = Optional.of(event);
    whenEnded.run();
    post(event);
  }

  private void post(EngineEvent event) {
    watcher.accept(event);
  }

  /**
   * Sends all further events to another consumer, and first those that it missed: reports after
   * {@code reported}, and the end.
   */
  void watchedBy(Consumer<EngineEvent> other, int reported) {
    watcher = other;
    reports.stream().filter(report -> report.unit() > reported).forEach(other);
    end.ifPresent(other);
  }

  /** Discards all further events. */
  void unwatched() {
    watcher = event -> {};
  }
}

package io.elastune.executor.world;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The workers of one attempt, as they really are, whoever watches them. */
final class SimulatedAttempt {
  private static final int KILLED = 137;
  private static final int PLEASE_RETRY = 75;
  private static final int TERMINATED = 143;

  /** What there is around it. */
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

  /** Begins to train, if it finds its instances and its checkpoint. */
  void begin() {
    world.book().began(instances);
    world.book().training().began(spec);
    if (!instances.stream().allMatch(Instance::takesWorkers)) {
      end(KILLED, TrainingBook.End.CUT_OFF, "an instance of it cannot be reached");
      return;
    }
    world.shelf().wanted(spec.trial(), spec.from());
    if (!world.shelf().has(spec.trial(), spec.from())) {
      end(1, TrainingBook.End.IN_VAIN, "cannot read the checkpoint of unit " + spec.from());
      return;
    }
    goOn();
  }

  private void goOn() {
    int done = unit - spec.from();
    Conduct conduct = course.conduct();
    if (conduct.turns(done)) {
      if (conduct.kind() == Conduct.Kind.HANGS) {
        hanging = true;
        count(Mishap.TRIAL_HUNG);
        return;
      }
      if (conduct.kind() == Conduct.Kind.DIES) {
        world.time().at(momentOf(done + 0.5), () -> dies(conduct.exitCode()));
        return;
      }
      fallSilent();
    }
    world.time().at(momentOf(done + 1), this::unitEnds);
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

  private long momentOf(double units) {
    return startedAt + Timeline.nanos(course.startupS() + units * course.unitS());
  }

  private void dies(int exitCode) {
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
      goOn();
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
      tell(new EngineEvent.Faulted(spec.attempt(), "not a report", world.time().instant()));
      tell(reported(Math.max(1, unit - 1)));
      remember(reported(unit));
    }
    remember(reported(unit));
  }

  private EngineEvent.Reported reported(int of) {
    return new EngineEvent.Reported(
        spec.attempt(), of, world.training().metrics(spec.trial(), of), world.time().instant());
  }

  private void remember(EngineEvent.Reported report) {
    lastReported = Math.max(lastReported, report.unit());
    reports.add(report);
    tell(report);
  }

  /** Asks for a last checkpoint and the end; after {@code graceS} it is ended anyway. */
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
      end(PLEASE_RETRY, TrainingBook.End.ASKED, "exit " + PLEASE_RETRY);
    }
  }

  /** Ends it at once, unless nobody can reach it. */
  void kill() {
    kill(TrainingBook.End.ASKED);
  }

  /** Its controller takes it along when it goes. */
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

  /** An instance under it is gone. */
  void cutOff() {
    if (!ended()) {
      end(KILLED, TrainingBook.End.CUT_OFF, "an instance of it is gone");
    }
  }

  private void end(int exitCode, TrainingBook.End how, String message) {
    int limit = lastReported >= spec.to() ? spec.to() : spec.to() - 1;
    world.book().left(instances);
    world.book().training().ended(spec, how);
    EngineEvent.Ended told =
        new EngineEvent.Ended(
            spec.attempt(),
            exitCode,
            world.shelf().newest(spec.trial(), limit),
            world.shelf().torn(spec.trial(), limit),
            message,
            world.time().instant(),
            how == TrainingBook.End.CUT_OFF);
    end = Optional.of(told);
    whenEnded.run();
    tell(told);
  }

  private void tell(EngineEvent event) {
    watcher.accept(event);
  }

  /** Has another one watch from now on, and tells it what it missed after {@code reported}. */
  void watchedBy(Consumer<EngineEvent> other, int reported) {
    watcher = other;
    reports.stream().filter(report -> report.unit() > reported).forEach(other);
    end.ifPresent(other);
  }

  /** Nobody watches any more. */
  void unwatched() {
    watcher = event -> {};
  }
}

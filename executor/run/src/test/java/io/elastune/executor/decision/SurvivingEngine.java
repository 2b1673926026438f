package io.elastune.executor.decision;

import io.elastune.executor.decision.SurvivingEnvironment.Nature;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The workers of an {@link SurvivingEnvironment}: they train, write checkpoints and report. */
final class SurvivingEngine implements Engine {
  private static final int KILLED = 137;

  private static final class Attempt {
    final AttemptSpec spec;
    int unit;
    boolean alive = true;

    Attempt(AttemptSpec spec) {
      this.spec = spec;
      unit = spec.from();
    }
  }

  private final Nature nature;
  private final VirtualClock clock;
  private final Consumer<EngineEvent> events;
  private final Map<String, Attempt> attempts = new TreeMap<>();
  private final Map<Integer, TreeSet<Integer>> checkpoints = new TreeMap<>();
  private final Map<String, Integer> trained = new TreeMap<>();
  private int lost;

  SurvivingEngine(Nature nature, VirtualClock clock, Consumer<EngineEvent> events) {
    this.nature = nature;
    this.clock = clock;
    this.events = events;
  }

  @Override
  public void start(AttemptSpec spec) {
    Attempt attempt = new Attempt(spec);
    attempts.put(spec.attempt(), attempt);
    int from = spec.from();
    if (from > 0 && !checkpointsOf(attempt).contains(from)) {
      throw new AssertionError("started from checkpoint " + from + ", which is not there");
    }
    clock.later(WorkedExampleRun.PROFILE.startupS().mean(), () -> train(attempt));
  }

  private NavigableSet<Integer> checkpointsOf(Attempt attempt) {
    return checkpoints.computeIfAbsent(attempt.spec.trial(), t -> new TreeSet<>());
  }

  private void train(Attempt attempt) {
    double unit =
        WorkedExampleRun.PROFILE.secondsPerUnit(attempt.spec.workers().size()).orElseThrow();
    clock.later(
        unit,
        () -> {
          if (attempt.alive) {
            trainedOne(attempt);
          }
        });
  }

  private void trainedOne(Attempt attempt) {
    attempt.unit++;
    trained.merge(attempt.spec.trial() + "/" + attempt.unit, 1, Integer::sum);
    boolean last = attempt.unit == attempt.spec.to();
    if (last || attempt.unit % nature.checkpointEvery() == 0) {
      checkpointsOf(attempt).add(attempt.unit);
    }
    report(attempt, attempt.unit);
    if (last) {
      attempt.alive = false;
      events.accept(ended(attempt, 0, attempt.unit));
    } else {
      train(attempt);
    }
  }

  private void report(Attempt attempt, int unit) {
    double metric = (attempt.spec.trial() * 37 % 101) / 100.0 + unit;
    events.accept(
        new EngineEvent.Reported(attempt.spec.attempt(), unit, Map.of("acc", metric), clock.now()));
  }

  private EngineEvent ended(Attempt attempt, int code, int limit) {
    int newest = newest(attempt, limit);
    OptionalInt checkpoint = newest == 0 ? OptionalInt.empty() : OptionalInt.of(newest);
    return new EngineEvent.Ended(
        attempt.spec.attempt(), code, checkpoint, false, "ended", clock.now());
  }

  private int newest(Attempt attempt, int limit) {
    Integer newest = checkpointsOf(attempt).floor(limit);
    return newest == null ? 0 : newest;
  }

  @Override
  public void adopt(AttemptSpec spec, int reported) {
    Attempt attempt =
        attempts.computeIfAbsent(
            spec.attempt(),
            id -> {
              Attempt never = new Attempt(spec);
              never.alive = false;
              return never;
            });
    boolean goesOn = attempt.alive;
    clock.later(1, () -> tellWhatHasBecomeOf(attempt, reported, goesOn));
  }

  private void tellWhatHasBecomeOf(Attempt attempt, int reported, boolean goesOn) {
    boolean told = nature.livesOn() && nature.reportsKept();
    for (int unit = reported + 1; told && unit <= attempt.unit; unit++) {
      report(attempt, unit);
    }
    if (!goesOn) { // otherwise its end is reported later
      int to = attempt.spec.to();
      int last = told ? attempt.unit : reported;
      int limit = last >= to ? to : to - 1;
      lost += newest(attempt, to) - newest(attempt, limit);
      checkpointsOf(attempt).tailSet(limit, false).clear();
      events.accept(ended(attempt, KILLED, limit));
    }
  }

  /** Whether the attempt writes no checkpoint when it is stopped. */
  @Override
  public void stop(String id) {
    kill(id);
  }

  @Override
  public void stop(String id, Duration grace) {
    kill(id);
  }

  @Override
  public void kill(String id) {
    Attempt attempt = attempts.get(id);
    if (attempt != null && attempt.alive) {
      end(attempt);
      clock.later(1, () -> events.accept(ended(attempt, KILLED, attempt.spec.to() - 1)));
    }
  }

  @Override
  public void check(String id) {
    Attempt attempt = attempts.get(id);
    if (attempt != null && attempt.alive) {
      events.accept(new EngineEvent.Active(id, 0, clock.now()));
    }
  }

  /** Ends the attempts on an instance that is gone. */
  void endOn(String lease) {
    attempts.values().stream()
        .filter(a -> a.spec.workers().stream().anyMatch(worker -> worker.lease().equals(lease)))
        .forEach(this::end);
  }

  @Override
  public void close() {
    endAll();
  }

  void endAll() {
    attempts.values().forEach(this::end);
  }

  private void end(Attempt attempt) {
    if (attempt.alive) {
      attempt.alive = false;
      lost += attempt.unit - newest(attempt, attempt.spec.to());
    }
  }

  /** Units that were trained after the last committed checkpoint before a kill. */
  int lost() {
    return lost;
  }

  /** Units trained more than once. */
  int trainedAgain() {
    return trained.values().stream().mapToInt(times -> times - 1).sum();
  }
}

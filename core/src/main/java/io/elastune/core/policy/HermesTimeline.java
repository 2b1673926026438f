package io.elastune.core.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Plays trial groups on a fixed cluster under Hermes, event by event, for samples of thousands of
 * runs. It follows the same rules as {@link HermesPolicy} on a {@link PolicyTimeline}, to the
 * digit, but an event takes logarithmic time: only the trials of one GPU are compared, and nothing
 * is copied. Not thread-safe.
 */
public final class HermesTimeline implements GroupTimeline {
  private static final int NONE = -1;
  private static final Width ONE = Width.of(1);

  private final HermesRule rule;
  private final int gpusPerInstance;
  private final double[] readyS;
  private final double[] usedS;
  private final double[] busyS;
  private final int[] tasksOn;
  private final double[] changedS;
  private final boolean[] isReady;
  private final List<PolicyAttempt> attempts = new ArrayList<>();
  private int started;
  private int preemptions;
  private boolean reachedTarget;

  // By GPU, counted over all instances: its trials, the trial that runs, and its attempt.
  private final int[][] trialsOn;
  private final int[] placedOn;
  private final Attempt[] running;
  private final AttemptHeap events = new AttemptHeap();

  // The group in progress.
  private String group = "";
  private PolicyTimeline.@Nullable Model model;
  private Trial[] trials = {};
  private int placed;
  private int nextUnplaced;
  private int unfinished;
  private int shared;
  private int withTarget;
  private double nowS;
  private long nowNs;

  /** A trial of the group. */
  private static final class Trial {
    final int units;
    int unit;
    double trainedS;
    boolean isFresh = true;
    boolean isWaiting = true;
    int slices;
    double firstLoss;
    double firstS;
    double lastLoss;
    double lastS;

    /** How fast it converges; see {@link Convergence}. */
    double rate = Double.POSITIVE_INFINITY;

    Trial(int units) {
      this.units = units;
    }
  }

  /** The attempt of a trial that runs on a GPU. */
  private static final class Attempt {
    int trial = NONE;
    int order;
    int from;
    double startS;
    double trainsS;
    double unitS;

    /** The unit at whose end is its next event; {@link #NONE} if it writes a checkpoint. */
    int unit;

    /** The unit whose report ends the search; 0 if none does. */
    int target;

    boolean isEnding() {
      return unit == NONE;
    }

    /** Seconds at which it completes a unit of its trial, counted from 1. */
    double atS(int number) {
      return trainsS + (number - from) * unitS;
    }

    /** When it began this unit; the first one begins with the attempt. */
    double sinceS(int number) {
      return number - from <= 1 ? startS : atS(number - 1);
    }
  }

  /**
   * Creates the timeline of a cluster.
   *
   * @param readyS by instance: when it is ready
   */
  public HermesTimeline(HermesRule rule, int gpusPerInstance, double[] readyS) {
    this.rule = rule;
    this.gpusPerInstance = gpusPerInstance;
    this.readyS = readyS.clone();
    int gpus = readyS.length * gpusPerInstance;
    usedS = new double[readyS.length];
    busyS = new double[readyS.length];
    tasksOn = new int[readyS.length];
    changedS = new double[readyS.length];
    isReady = new boolean[readyS.length];
    trialsOn = new int[gpus][rule.jobsPerGpu()];
    placedOn = new int[gpus];
    running = new Attempt[gpus];
    Arrays.setAll(running, gpu -> new Attempt());
  }

  @Override
  public double usedS(int instance) {
    return usedS[instance];
  }

  @Override
  public double busyS(int instance) {
    return busyS[instance];
  }

  @Override
  public boolean reachedTarget() {
    return reachedTarget;
  }

  @Override
  public int resizes() {
    return 0;
  }

  @Override
  public int preemptions() {
    return preemptions;
  }

  @Override
  public List<PolicyAttempt> attempts() {
    return List.copyOf(attempts);
  }

  @Override
  public double run(
      String name, List<Integer> units, double startS, PolicyTimeline.Model durations) {
    begin(name, units, startS, durations);
    while (unfinished > 0) {
      if (events.isEmpty()) {
        throw new IllegalStateException("tasks wait, but no instance can start them");
      }
      if (endsAtTarget()) {
        return nowS;
      }
      nowNs = events.firstNs();
      nowS = TimelineMoment.seconds(nowNs);
      int gpu = events.poll();
      if (gpu < 0) {
        ready(-1 - gpu);
      } else {
        handle(gpu, running[gpu]);
      }
    }
    return nowS;
  }

  private void begin(
      String name, List<Integer> units, double startS, PolicyTimeline.Model durations) {
    group = name;
    model = durations;
    nowNs = TimelineMoment.ns(startS);
    nowS = TimelineMoment.seconds(nowNs);
    trials = new Trial[units.size()];
    Arrays.setAll(trials, index -> new Trial(units.get(index)));
    unfinished = trials.length;
    placed = 0;
    nextUnplaced = 0;
    shared = 0;
    withTarget = 0;
    events.clear();
    Arrays.fill(placedOn, 0);
    Arrays.fill(usedS, 0);
    Arrays.fill(busyS, 0);
    Arrays.fill(changedS, startS);
    Arrays.fill(isReady, false);
    while (nextUnplaced < trials.length && placed < running.length * rule.jobsPerGpu()) {
      place();
    }
    for (int instance = 0; instance < readyS.length; instance++) {
      long ns = TimelineMoment.ns(readyS[instance]);
      if (ns <= nowNs) {
        ready(instance);
      } else if (ns < Long.MAX_VALUE) {
        events.add(ns, Long.MIN_VALUE, instance, -1 - instance);
      }
    }
  }

  private PolicyTimeline.Model model() {
    return Objects.requireNonNull(model);
  }

  /** Places the next trial on the first of the GPUs that have the fewest; returns that GPU. */
  private int place() {
    int least = 0;
    for (int gpu = 1; gpu < placedOn.length; gpu++) {
      least = placedOn[gpu] < placedOn[least] ? gpu : least;
    }
    trialsOn[least][placedOn[least]++] = nextUnplaced++;
    shared += placedOn[least] == 2 ? 1 : 0;
    placed++;
    return least;
  }

  private void remove(int gpu, int trial) {
    int[] on = trialsOn[gpu];
    int index = 0;
    while (on[index] != trial) {
      index++;
    }
    on[index] = on[--placedOn[gpu]];
    shared -= placedOn[gpu] == 1 ? 1 : 0;
    placed--;
  }

  private void ready(int instance) {
    isReady[instance] = true;
    for (int gpu = 0; gpu < gpusPerInstance; gpu++) {
      start(instance * gpusPerInstance + gpu);
    }
  }

  /** Handles the end of a slice, of a checkpoint or of a task. */
  private void handle(int gpu, Attempt attempt) {
    Trial trial = trials[attempt.trial];
    if (attempt.isEnding()) {
      free(gpu, attempt);
      trial.isWaiting = true;
      start(gpu);
    } else if (attempt.unit == trial.units) {
      end(gpu, attempt);
    } else {
      compare(gpu, attempt);
    }
  }

  private void end(int gpu, Attempt attempt) {
    int ended = attempt.trial;
    trials[ended].unit = attempt.unit;
    free(gpu, attempt);
    remove(gpu, ended);
    unfinished--;
    int filled = nextUnplaced < trials.length ? place() : gpu;
    start(Math.min(gpu, filled));
    start(Math.max(gpu, filled));
  }

  /** Ends a running trial at the end of a slice if another one on its GPU comes first. */
  private void compare(int gpu, Attempt attempt) {
    Trial trial = trials[attempt.trial];
    completeSlice(attempt, trial);
    int other = first(gpu);
    if (other == NONE || !(trials[other].rate > trial.rate)) {
      expect(gpu, attempt);
      return;
    }
    preemptions++;
    setTarget(attempt, 0);
    trial.unit = attempt.unit;
    trial.trainedS += (attempt.unit - attempt.from) * attempt.unitS;
    attempt.unit = NONE;
    double endS = nowS + model().checkpointS(attempt.trial + 1);
    events.add(TimelineMoment.ns(endS), nowNs, attempt.order, gpu);
  }

  private void completeSlice(Attempt attempt, Trial trial) {
    int number = attempt.trial + 1;
    if (trial.slices == 0) {
      trial.firstLoss = model().loss(number, 1);
      trial.firstS = trainedS(attempt, trial, 1);
      trial.lastLoss = trial.firstLoss;
      trial.lastS = trial.firstS;
    }
    trial.slices++;
    double loss = model().loss(number, attempt.unit);
    double atS = trainedS(attempt, trial, attempt.unit);
    trial.rate = Convergence.rate(rule, trial.firstLoss, trial.lastLoss - loss, atS - trial.lastS);
    trial.lastLoss = loss;
    trial.lastS = atS;
  }

  private static double trainedS(Attempt attempt, Trial trial, int unit) {
    return trial.trainedS + (unit - attempt.from) * attempt.unitS;
  }

  /** Returns the waiting trial of a GPU that comes first. */
  private int first(int gpu) {
    int first = NONE;
    for (int i = 0; i < placedOn[gpu]; i++) {
      int trial = trialsOn[gpu][i];
      if (trials[trial].isWaiting && (first == NONE || comesFirst(trial, first))) {
        first = trial;
      }
    }
    return first;
  }

  private boolean comesFirst(int trial, int other) {
    int order = Double.compare(trials[trial].rate, trials[other].rate);
    return order > 0 || (order == 0 && trial < other);
  }

  private void start(int gpu) {
    int instance = gpu / gpusPerInstance;
    int first = isReady[instance] && running[gpu].trial == NONE ? first(gpu) : NONE;
    if (first == NONE) {
      return;
    }
    Trial trial = trials[first];
    Attempt attempt = running[gpu];
    account(instance);
    tasksOn[instance]++;
    trial.isWaiting = false;
    attempt.trial = first;
    attempt.order = started++;
    attempt.from = trial.unit;
    attempt.unit = trial.unit;
    attempt.unitS = model().unitS(first + 1, ONE, instance);
    double startupS = model().startupS(first + 1, trial.isFresh);
    trial.isFresh = false;
    attempt.startS = nowS - model().begunS(first + 1);
    attempt.trainsS = attempt.startS + startupS;
    OptionalInt target = model().targetUnit(first + 1);
    int unit = target.orElse(0);
    setTarget(attempt, unit > trial.unit && unit <= trial.units ? unit : 0);
    expect(gpu, attempt);
  }

  /** Adds the next event of an attempt: the end of its slice, or of its task. */
  private void expect(int gpu, Attempt attempt) {
    int slice = rule.sliceUnits();
    int units = trials[attempt.trial].units;
    attempt.unit = shared > 0 ? Math.min(units, (attempt.unit / slice + 1) * slice) : units;
    long ns = TimelineMoment.ns(attempt.atS(attempt.unit));
    events.add(ns, TimelineMoment.ns(attempt.sinceS(attempt.unit)), attempt.order, gpu);
  }

  private void setTarget(Attempt attempt, int unit) {
    withTarget += (unit > 0 ? 1 : 0) - (attempt.target > 0 ? 1 : 0);
    attempt.target = unit;
  }

  /** Whether a trial reports the metric that ends the search before the next event. */
  private boolean endsAtTarget() {
    if (withTarget == 0) {
      return false;
    }
    TimelineMoment target = TimelineMoment.NEVER;
    for (Attempt attempt : running) {
      if (attempt.target > 0) {
        double sinceS = attempt.sinceS(attempt.target);
        TimelineMoment reaches =
            TimelineMoment.of(attempt.atS(attempt.target), sinceS, attempt.order);
        target = target.isAfter(reaches) ? reaches : target;
      }
    }
    if (events.isFirstBefore(target.ns(), target.sinceNs(), target.order())) {
      return false;
    }
    reachedTarget = true;
    nowNs = target.ns();
    nowS = target.seconds();
    IntStream.range(0, running.length)
        .filter(gpu -> running[gpu].trial != NONE)
        .boxed()
        .sorted(Comparator.comparingInt(gpu -> running[gpu].order))
        .forEach(gpu -> discard(gpu, running[gpu]));
    return true;
  }

  private void discard(int gpu, Attempt attempt) {
    Trial trial = trials[attempt.trial];
    while (!attempt.isEnding()
        && trial.unit < trial.units
        && TimelineMoment.ns(attempt.atS(trial.unit + 1)) < nowNs) {
      trial.unit++;
    }
    free(gpu, attempt);
  }

  private void free(int gpu, Attempt attempt) {
    int instance = gpu / gpusPerInstance;
    account(instance);
    tasksOn[instance]--;
    busyS[instance] += (nowS - attempt.startS) * ONE.value() / gpusPerInstance;
    setTarget(attempt, 0);
    int trial = attempt.trial + 1;
    PolicyDecision.Start start =
        new PolicyDecision.Start(trial, ONE, instance, List.of(gpu % gpusPerInstance));
    attempts.add(
        new PolicyAttempt(
            group, attempt.from, trials[attempt.trial].unit, start, attempt.startS, nowS));
    attempt.trial = NONE;
  }

  /** Adds the time since the last change on an instance to its use. */
  private void account(int instance) {
    if (tasksOn[instance] > 0) {
      usedS[instance] += nowS - changedS[instance];
    }
    changedS[instance] = nowS;
  }
}

package io.elastune.core.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Plays trial groups, or the tasks of a search without barriers, on a fixed cluster under a
 * scheduling policy, event by event, in seconds (docs/searches.md, "Policies"). Events are handled
 * one at a time, in the order of {@link TimelineMoment}. The policy decides after each. Not
 * thread-safe.
 */
public final class PolicyTimeline<P extends PolicyState> implements GroupTimeline {
  /** By instance: seconds in which a task ran on it, since the group began. */
  private final double[] usedS;

  /** By instance: the same, weighted by the fraction of its GPUs in use. */
  private final double[] busyS;

  private final SchedulingPolicy<P> policy;
  private final int gpusPerInstance;
  private final double[] readyS;
  private final Optional<Width> measuredWidth;
  private final int[] tasksOn;
  private final double[] changedS;
  private P state;
  private MeasuredTimes measured;
  private TimelineMoment now = TimelineMoment.afterInstances(0);
  private int started;
  private int resizes;
  private int preemptions;
  private boolean reachedTarget;

  // The group in progress.
  private @Nullable Model model;
  private @Nullable TaskSource source;
  private String group = "";
  private final TreeMap<Integer, TimelineTask> waiting = new TreeMap<>();
  private final List<TimelineAttempt> running = new ArrayList<>();
  // What the policy sees of waiting tasks, by trial; and of running ones, by the order of attempts.
  private final TreeMap<Integer, PolicyView.Task> viewed = new TreeMap<>();
  // The values of viewed; null after a change.
  private @Nullable List<PolicyView.Task> queue;
  private final Map<Integer, Reached> reached = new HashMap<>();
  private final Map<Integer, Double> endS = new TreeMap<>();
  // By the order of attempts: the units of their tasks before them.
  private final Map<Integer, Integer> fromUnits = new HashMap<>();
  private final List<PolicyAttempt> attempts = new ArrayList<>();

  /**
   * Creates the timeline of a cluster.
   *
   * @param readyS by instance: when it is ready
   */
  public PolicyTimeline(SchedulingPolicy<P> policy, int gpusPerInstance, double[] readyS) {
    this(policy, policy.initial(), MeasuredTimes.NONE, gpusPerInstance, readyS);
  }

  /**
   * Creates the timeline of a cluster on which trials have been trained before.
   *
   * @param before the state of the policy
   * @param measured what their reports have shown
   * @param readyS by instance: when it is ready
   */
  public PolicyTimeline(
      SchedulingPolicy<P> policy,
      P before,
      MeasuredTimes measured,
      int gpusPerInstance,
      double[] readyS) {
    this.policy = policy;
    this.measured = measured;
    measuredWidth = policy.measuredWidth();
    this.gpusPerInstance = gpusPerInstance;
    this.readyS = readyS.clone();
    state = before;
    tasksOn = new int[readyS.length];
    changedS = new double[readyS.length];
    usedS = new double[readyS.length];
    busyS = new double[readyS.length];
  }

  @Override
  public double run(String name, List<Integer> units, double startS, Model durations) {
    return run(name, TaskList.ofGroup(name, units), startS, durations);
  }

  /**
   * Plays a search that issues its tasks one by one, and returns when it ends.
   *
   * @param name the name that the policy sees as the group of all tasks
   * @param startS when it begins
   */
  public double run(String name, TaskSource tasks, double startS, Model durations) {
    model = durations;
    source = tasks;
    group = name;
    now = TimelineMoment.afterInstances(startS);
    Arrays.fill(usedS, 0);
    Arrays.fill(busyS, 0);
    Arrays.fill(changedS, startS);
    endS.clear();
    viewed.clear();
    queue = null;
    reached.clear();
    issue();
    decide();
    while ((!waiting.isEmpty() || !running.isEmpty()) && advance()) {
      issue();
      decide();
    }
    return now.seconds();
  }

  private void issue() {
    if (source().hasEnded()) {
      discard(now.seconds());
    }
    for (TaskSource.Task task : source().issue(now.seconds(), waiting.size() + running.size())) {
      await(TimelineTask.issued(task));
    }
  }

  private void await(TimelineTask task) {
    waiting.put(task.trial(), task);
    viewed.put(task.trial(), viewed(task));
    queue = null;
  }

  private TaskSource source() {
    return Objects.requireNonNull(source);
  }

  private Model model() {
    return Objects.requireNonNull(model);
  }

  /** Returns the present state of the policy. */
  public P state() {
    return state;
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
  public List<PolicyAttempt> attempts() {
    return List.copyOf(attempts);
  }

  @Override
  public int resizes() {
    return resizes;
  }

  @Override
  public boolean reachedTarget() {
    return reachedTarget;
  }

  @Override
  public int preemptions() {
    return preemptions;
  }

  /** Returns when each trial of the group ended, by number. */
  public Map<Integer, Double> endS() {
    return Map.copyOf(endS);
  }

  private TimelineMoment ready(int instance) {
    return TimelineMoment.ofInstance(readyS[instance], instance);
  }

  /**
   * Handles the next event: an instance is ready, an attempt ends, or a unit ends.
   *
   * @return false if the group has ended at the target metric or at the deadline
   */
  private boolean advance() {
    TimelineMoment next = TimelineMoment.NEVER;
    for (int i = 0; i < readyS.length; i++) {
      TimelineMoment ready = ready(i);
      next = ready.isAfter(now) && next.isAfter(ready) ? ready : next;
    }
    TimelineMoment target = TimelineMoment.NEVER;
    Optional<TimelineAttempt> ends = Optional.empty();
    boolean usesUnitEnds = policy.usesUnitEnds(state);
    for (TimelineAttempt attempt : running) {
      if (next.isAfter(attempt.end())) {
        next = attempt.end();
        ends = Optional.of(attempt);
      }
      int trial = attempt.task().trial();
      Optional<TimelineMoment> unit =
          usesUnitEnds
              ? attempt.nextUnit(now, from -> policy.nextUnit(state, trial, from))
              : Optional.empty();
      if (unit.isPresent() && next.isAfter(unit.get())) {
        next = unit.get();
        ends = Optional.empty();
      }
      TimelineMoment reaches = attempt.targetMoment(model().targetUnit(trial));
      target = target.isAfter(reaches) ? reaches : target;
    }
    double deadlineS = now.seconds() + model().timing(now.seconds()).leftS();
    if (target.ns() < Long.MAX_VALUE && !target.isAfter(next) && target.seconds() <= deadlineS) {
      reachedTarget = true;
      discard(target.seconds());
      return false;
    }
    if (deadlineS < next.seconds()) {
      discard(deadlineS);
      return false;
    }
    if (next.ns() == Long.MAX_VALUE) {
      throw new IllegalStateException("tasks wait, but no instance can start them");
    }
    now = next;
    if (policy.usesReports() && ends.filter(ended -> !ended.isEnding()).isPresent()) {
      decide(); // it reports its last unit before it ends
    }
    ends.ifPresent(this::end);
    return true;
  }

  private void discard(double deadlineS) {
    now = TimelineMoment.afterInstances(deadlineS);
    List.copyOf(running).forEach(this::free);
    waiting.clear();
    viewed.clear();
    queue = null;
  }

  private void end(TimelineAttempt ended) {
    free(ended);
    int trial = ended.task().trial();
    if (ended.isEnding()) {
      await(ended.task());
    } else {
      endS.put(trial, now.seconds());
      state = policy.ended(state, trial);
      source().ended(trial);
    }
  }

  private void free(TimelineAttempt ended) {
    int instance = ended.start().instance();
    account(instance);
    tasksOn[instance]--;
    double seconds = now.seconds() - ended.startS();
    busyS[instance] += seconds * ended.start().width().value() / gpusPerInstance;
    running.remove(ended);
    reached.remove(ended.order());
    note(ended);
  }

  private void note(TimelineAttempt ended) {
    int from = Objects.requireNonNull(fromUnits.remove(ended.order()));
    int to = ended.task().unit() + ended.completed(now);
    attempts.add(
        new PolicyAttempt(
            ended.task().group(), from, to, ended.start(), ended.startS(), now.seconds()));
  }

  private void decide() {
    running.forEach(this::reached);
    PolicyStep<P> step = policy.assign(state, view());
    state = step.state();
    for (PolicyDecision decision : step.decisions()) {
      if (decision instanceof PolicyDecision.Start start) {
        start(start);
      } else if (decision instanceof PolicyDecision.Resize resize) {
        resizes += stop(resize.trial());
      } else if (decision instanceof PolicyDecision.Preempt preempt) {
        preemptions += stop(preempt.trial());
      } else if (decision instanceof PolicyDecision.Stop stopped) {
        leaveQueue(stopped.trial());
      }
    }
  }

  private PolicyView view() {
    return new PolicyView(
        group,
        IntStream.range(0, readyS.length)
            .mapToObj(i -> new PolicyView.Instance(i, gpusPerInstance, !ready(i).isAfter(now)))
            .toList(),
        queue(),
        running.stream().map(this::viewed).toList(),
        measured.replacing(model().timing(now.seconds())));
  }

  private List<PolicyView.Task> queue() {
    List<PolicyView.Task> known = queue;
    if (known == null) {
      known = List.copyOf(viewed.values());
      queue = known;
    }
    return known;
  }

  private PolicyView.Task viewed(TimelineTask task) {
    return new PolicyView.Task(
        task.trial(),
        task.unitsLeft(),
        model().pace(task.trial(), task.hasReported()),
        task.reports());
  }

  private PolicyView.Running viewed(TimelineAttempt attempt) {
    return new PolicyView.Running(
        reached(attempt).view(),
        attempt.start().width(),
        attempt.start().instance(),
        attempt.start().gpus(),
        attempt.isAtUnitEnd(now),
        attempt.isEnding());
  }

  /** A running task as it is left after some units of its attempt. */
  private record Reached(int completed, TimelineTask task, PolicyView.Task view) {}

  /** Most attempts complete no unit between two decisions. */
  private Reached reached(TimelineAttempt attempt) {
    int completed = attempt.completed(now);
    Reached known = reached.get(attempt.order());
    if (known != null && known.completed() == completed) {
      return known;
    }
    if (measuredWidth.isPresent()) {
      measure(attempt, known == null ? 0 : known.completed(), completed);
    }
    int trial = attempt.task().trial();
    TimelineTask task =
        policy.usesReports()
            ? attempt.reached(now, unit -> model().loss(trial, unit))
            : attempt.reached(now);
    Reached next = new Reached(completed, task, viewed(task));
    reached.put(attempt.order(), next);
    return next;
  }

  /** Adds what the reports of an attempt have shown since the last decision. */
  private void measure(TimelineAttempt attempt, int before, int completed) {
    boolean isStartupShown = before < 2 && completed >= 2;
    double startupS = attempt.trainsS() - attempt.startS();
    if (isStartupShown && startupS > 0) { // otherwise it was training before
      measured = measured.withStartup(startupS);
    }
    if (attempt.start().width().equals(measuredWidth.orElseThrow())) {
      for (int unit = Math.max(before, 1); unit < completed; unit++) {
        measured = measured.withUnit(attempt.unitS());
      }
    }
  }

  private @Nullable TimelineTask leaveQueue(int trial) {
    viewed.remove(trial);
    queue = null;
    return waiting.remove(trial);
  }

  private void start(PolicyDecision.Start start) {
    TimelineTask task = leaveQueue(start.trial());
    if (task == null) {
      throw new IllegalStateException("trial " + start.trial() + " does not wait");
    }
    account(start.instance());
    tasksOn[start.instance()]++;
    double startupS = model().startupS(start.trial(), task.isFresh());
    double unitS = model().unitS(start.trial(), start.width(), start.instance());
    fromUnits.put(started, task.unit());
    double startS = now.seconds() - model().begunS(start.trial());
    running.add(TimelineAttempt.of(started++, task, start, startS, startupS, unitS));
  }

  /** Ends the attempt of a trial after a checkpoint, and returns how many it has ended. */
  private int stop(int trial) {
    for (int i = 0; i < running.size(); i++) {
      TimelineAttempt attempt = running.get(i);
      if (attempt.task().trial() == trial) {
        double endS = now.seconds() + model().checkpointS(trial);
        running.set(i, attempt.ending(reached(attempt).task(), now.seconds(), endS));
        reached.remove(attempt.order());
        return 1;
      }
    }
    return 0;
  }

  /** Adds the time since the last change on an instance to its use. */
  private void account(int instance) {
    if (tasksOn[instance] > 0) {
      usedS[instance] += now.seconds() - changedS[instance];
    }
    changedS[instance] = now.seconds();
  }
}

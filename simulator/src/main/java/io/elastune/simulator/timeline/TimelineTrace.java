package io.elastune.simulator.timeline;

import io.elastune.core.search.TraceEvent;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.TimelineRecipient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What happens in one sample on a timeline, in order, and why each attempt starts when it does: a
 * task starts when an instance is ready, or when another attempt ends. Not thread-safe.
 */
public final class TimelineTrace implements TimelineRecipient {
  private final TimelineSampler sampler;
  private final TaskDescription description;
  private final List<Moment> moments = new ArrayList<>();

  /** By task: its present or last attempt. */
  private final Map<Task, Attempt> attempts = new HashMap<>();

  /** By queue and trial: its last attempt. */
  private final Map<Trial, Attempt> lastOf = new HashMap<>();

  private @Nullable Attempt lastEnded;
  private int lastReady;
  private double endS;

  /** The requests for instances, by their numbers. */
  private final List<Request> requests = new ArrayList<>();

  private record Trial(int queue, int number) {}

  /**
   * A request for an instance.
   *
   * @param requester the index of the group or phase that requests it
   * @param moment the number of moments before it
   * @param after the attempt after whose end it is requested; null at the start
   */
  public record Request(int requester, double atS, int moment, @Nullable Attempt after) {}

  /**
   * Something that happens.
   *
   * @param instance the number of the instance that it concerns; -1 for none
   * @param attempt the attempt that starts or ends; for all others the last one that ended, if that
   *     was after an instance was ready
   * @param ready the instance that was ready last; -1 for none
   */
  record Moment(
      TraceEvent.Kind kind, double atS, int instance, @Nullable Attempt attempt, int ready) {}

  /** An attempt of a task, or the part of it up to the end of a group. */
  public static final class Attempt {
    final int queue;

    /** The index of its group or phase among those of the workload. */
    public final int group;

    final int instance;

    /** The numbers of all instances on which it runs. */
    final List<Integer> instances;

    public final double startS;
    public final double startupS;

    /** The seconds per unit of a trial of average speed with its GPUs. */
    public final double unitS;

    /** The attempt after whose end it starts; null if it starts when an instance is ready. */
    public final @Nullable Attempt cause;

    /** That instance; -1 if an attempt is the cause. */
    public final int arrival;

    /** The attempt of its trial before. */
    final @Nullable Attempt before;

    private final int from;

    /** What the whole task trains. */
    private final TraceEvent.Task whole;

    /** What it has trained. */
    private TraceEvent.Task trained;

    private int units;
    private double endS;
    private boolean isComplete;

    private Attempt(
        Task task,
        int group,
        double unitS,
        TraceEvent.Task whole,
        double nowS,
        @Nullable Attempt cause,
        int arrival,
        @Nullable Attempt before) {
      queue = task.queue();
      this.group = group;
      instance = task.instance();
      instances = task.instances();
      startS = nowS;
      startupS = task.startupS();
      this.unitS = unitS;
      from = task.done();
      this.whole = whole;
      this.cause = cause;
      this.arrival = arrival;
      this.before = before;
      trained = whole;
      endS = nowS;
    }

    /** Returns when it ended. */
    public double endS() {
      return endS;
    }

    /** Returns the units that it trained and kept. */
    public int units() {
      return units;
    }

    /** Returns what it has trained. */
    TraceEvent.Task trained() {
      return trained;
    }

    /** Whether its task has trained all its units. */
    boolean isComplete() {
      return isComplete;
    }
  }

  TimelineTrace(TimelineSampler sampler, TaskDescription description) {
    this.sampler = sampler;
    this.description = description;
    sampler.sampled().timeline.tracedTo(this);
  }

  /** Plays a sample, and returns when the search ended in it. */
  public double play(int sample) {
    moments.clear();
    attempts.clear();
    lastOf.clear();
    requests.clear();
    lastEnded = null;
    lastReady = -1;
    return sampler.play(sample);
  }

  /**
   * Plays a sample of all chains, and returns when the search ended in it: with the last one, or
   * when a trial of one reached the target.
   */
  public static double play(List<TimelineTrace> chains, int sample) {
    double endS = 0;
    double targetS = Double.POSITIVE_INFINITY;
    for (TimelineTrace chain : chains) {
      chain.sampler.endsAt(Double.POSITIVE_INFINITY);
      double chainEndS = chain.play(sample);
      endS = Math.max(endS, chainEndS);
      targetS = chain.sampler.wasEnded() ? Math.min(targetS, chainEndS) : targetS;
    }
    if (chains.size() == 1 || targetS == Double.POSITIVE_INFINITY) {
      return endS;
    }
    for (TimelineTrace chain : chains) {
      chain.sampler.endsAt(targetS);
      var unused = chain.play(sample);
    }
    return targetS;
  }

  /** Returns the mean time at which the search of some chains ends, in seconds. */
  public static double meanS(List<TimelineTrace> chains, int samples) {
    double sumS = 0;
    for (int sample = 0; sample < samples; sample++) {
      sumS += play(chains, sample);
    }
    return sumS / samples;
  }

  /** Returns the request for an instance. */
  public Request request(int instance) {
    return requests.get(instance);
  }

  /** Returns the first of the attempts that ended last. */
  public Attempt lastAttempt() {
    Attempt last = null;
    for (Moment moment : moments) {
      Attempt attempt = moment.attempt();
      if (moment.kind() == TraceEvent.Kind.END
          && attempt != null
          && (last == null || attempt.endS > last.endS)) {
        last = attempt;
      }
    }
    return Objects.requireNonNull(last);
  }

  /** Returns what happens in the sample, in order. */
  List<Moment> moments() {
    return moments;
  }

  /** Returns when the search ended. */
  public double endS() {
    return endS;
  }

  /** Returns when an instance runs, or would run, from the start of the plan. */
  public double runningS(int instance) {
    return sampler.sampled().instances.runningS(instance);
  }

  /** Returns when an instance is ready, or would be. */
  double readyS(int instance) {
    return sampler.sampled().instances.readyS(instance);
  }

  /** Returns the number of instances. */
  int instances() {
    return sampler.sampled().timeline.requested();
  }

  private void add(TraceEvent.Kind kind, double atS, int instance, @Nullable Attempt attempt) {
    moments.add(new Moment(kind, atS, instance, attempt, lastReady));
  }

  private void add(TraceEvent.Kind kind, double atS, int instance) {
    add(kind, atS, instance, lastEnded);
  }

  @Override
  public void requested(Instance instance, double nowS) {
    requests.add(new Request(instance.requester(), nowS, moments.size(), lastEnded));
  }

  @Override
  public void ready(Instance instance, double nowS) {
    lastEnded = null;
    lastReady = instance.number();
    add(TraceEvent.Kind.READY, nowS, instance.number());
  }

  @Override
  public void started(Task task, double nowS) {
    Trial trial = new Trial(task.queue(), task.trial());
    Attempt attempt =
        new Attempt(
            task,
            sampler.group(task),
            sampler.unitS(task),
            description.of(task, 0, task.units()),
            nowS,
            lastEnded,
            lastEnded == null ? lastReady : -1,
            lastOf.get(trial));
    attempts.put(task, attempt);
    lastOf.put(trial, attempt);
    add(TraceEvent.Kind.START, nowS, attempt.instance, attempt);
  }

  @Override
  public void ended(Task task, double nowS) {
    Attempt attempt = attempts.get(task);
    if (attempt != null) {
      attempt.isComplete = true;
      end(attempt, task, task.units(), nowS);
    }
  }

  @Override
  public void left(Task task, double nowS) {
    Attempt attempt = attempts.get(task);
    if (attempt != null && !attempt.isComplete) {
      end(attempt, task, task.done(), nowS);
    }
  }

  private void end(Attempt attempt, Task task, int done, double nowS) {
    attempt.endS = nowS;
    attempt.units = Math.max(0, done - attempt.from);
    attempt.trained = description.of(task, attempt.from, done);
    lastEnded = attempt;
    add(TraceEvent.Kind.END, nowS, attempt.instance, attempt);
  }

  @Override
  public void phaseEnded(double nowS) {
    add(TraceEvent.Kind.CLOSING, nowS, -1);
  }

  @Override
  public void released(Instance instance, double nowS) {
    add(TraceEvent.Kind.RELEASE, nowS, instance.number());
  }

  @Override
  public void finished(double nowS) {
    endS = nowS;
    add(TraceEvent.Kind.FINISHED, nowS, -1);
  }

  /**
   * Returns the events of attempts in whole or in parts.
   *
   * @param inParts whether an attempt is described by what it has trained, not by its whole task
   * @param hasPhases whether the end of a phase is shown
   */
  List<TraceEvent> events(boolean inParts, boolean hasPhases) {
    List<TraceEvent> events = new ArrayList<>();
    for (Moment moment : moments) {
      Attempt attempt = moment.attempt();
      switch (moment.kind()) {
        case START -> events.add(event(moment, inParts));
        case END -> {
          if (inParts || (attempt != null && attempt.isComplete && moment.atS() == attempt.endS)) {
            events.add(event(moment, inParts));
          }
        }
        case CLOSING -> {
          if (hasPhases) {
            events.add(TraceEvent.of(moment.atS(), moment.kind()));
          }
        }
        case FINISHED -> events.add(TraceEvent.of(moment.atS(), moment.kind()));
        default -> events.add(TraceEvent.of(moment.atS(), moment.kind(), moment.instance()));
      }
    }
    return events;
  }

  private static TraceEvent event(Moment moment, boolean inParts) {
    Attempt attempt = Objects.requireNonNull(moment.attempt());
    TraceEvent.Task task = inParts ? attempt.trained : attempt.whole;
    return TraceEvent.of(moment.atS(), moment.kind(), attempt.instance, task);
  }
}

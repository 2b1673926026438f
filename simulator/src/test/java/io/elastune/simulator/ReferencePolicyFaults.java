package io.elastune.simulator;

import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.MeasuredTimes;
import io.elastune.core.policy.PolicyDecision;
import io.elastune.core.policy.PolicyState;
import io.elastune.core.policy.PolicyStep;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.SchedulingPolicy;
import io.elastune.core.policy.WidthSeconds;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.ReferenceTasks.Job;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.draw.FastSimulatorDraws;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.instance.LeasePlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Plays one sample of a cluster that a policy divides, with faults, without a target, as
 * docs/model.md ("Faults") and docs/searches.md ("Scheduling policies of fixed clusters") state it.
 * It looks at all tasks and instances at every event, and at the hazard that is left of each. The
 * policy is the pure function, also where predictions use a faster form.
 */
final class ReferencePolicyFaults<P extends PolicyState> extends ReferencePoolInstances {
  /** The place of an event among all events: instances first. */
  private record Moment(long ns, long sinceNs, int order) {
    static final Comparator<Moment> ORDER =
        Comparator.comparingLong(Moment::ns)
            .thenComparingLong(Moment::sinceNs)
            .thenComparingInt(Moment::order);

    static Moment ofInstance(double seconds, int number) {
      return new Moment(nanos(seconds), Long.MIN_VALUE, number);
    }

    boolean isBefore(Moment other) {
      return ORDER.compare(this, other) < 0;
    }
  }

  /** A part of a task on some GPUs. */
  private static final class Attempt {
    final Job job;
    final PolicyDecision.Start start;
    final ReferenceLease lease;
    final int order;
    final double fromS;
    final double unitS;
    Moment end;
    int seen;
    boolean hangs;
    boolean isEnding;

    /** The units that it has completed when it began to hang, or was asked to end. */
    int completed;

    Attempt(
        Job job,
        PolicyDecision.Start start,
        ReferenceLease lease,
        int order,
        double fromS,
        double unitS) {
      this.job = job;
      this.start = start;
      this.lease = lease;
      this.order = order;
      this.fromS = fromS;
      this.unitS = unitS;
      end = endOf(job.left());
    }

    double endS(int unit) {
      return fromS + job.startupS + unit * unitS;
    }

    Moment endOf(int unit) {
      return new Moment(nanos(endS(unit)), nanos(unit <= 1 ? fromS : endS(unit - 1)), order);
    }

    int completed(Moment now) {
      if (hangs || isEnding) {
        return completed;
      }
      int units = 0;
      while (units < job.left() && !now.isBefore(endOf(units + 1))) {
        units++;
      }
      return units;
    }

    void endsAt(double seconds, long sinceNs) {
      end = new Moment(nanos(seconds), sinceNs, order);
    }
  }

  /** What the reports of trials are worth: less is better. */
  interface Losses {
    double loss(int trial, int unit);
  }

  private final int instances;
  private final SchedulingPolicy<P> policy;
  private final ReferenceTasks tasks;
  private final WidthSeconds seconds;
  private final double slowestUnitS;
  private final Losses losses;
  private final PolicyView.Timing timing;
  private final double stopS;
  private final int sample;
  private final TreeMap<Integer, Job> waiting = new TreeMap<>();
  private final List<Attempt> running = new ArrayList<>();
  private P state;
  private MeasuredTimes measured = MeasuredTimes.NONE;
  private Moment moment = new Moment(0, Long.MIN_VALUE, Integer.MAX_VALUE);
  private int started;
  private boolean hasChanged;

  /**
   * @param timing what the profile says of start-ups and units
   * @param slowestUnitS seconds per unit by which trials are taken to hang
   * @param stopS when the search ends in any case; infinite if it has no such time
   */
  ReferencePolicyFaults(
      Problem problem,
      Offer offer,
      Draws draws,
      int sample,
      SchedulingPolicy<P> policy,
      ReferenceTasks tasks,
      WidthSeconds seconds,
      double slowestUnitS,
      Losses losses,
      PolicyView.Timing timing,
      double stopS) {
    super(
        problem,
        offer,
        new Chain(LeasePlan.POOL, List.of(new TrialGroup("pool", 1, 0, 1))),
        FastSimulatorDraws.of(draws, sample));
    this.sample = sample;
    instances = problem.cluster().orElseThrow().instances();
    this.policy = policy;
    this.tasks = tasks;
    this.seconds = seconds;
    this.slowestUnitS = slowestUnitS;
    this.losses = losses;
    this.timing = timing;
    this.stopS = stopS;
    state = policy.initial();
  }

  /** Plays the search and returns its completion time. */
  double run() {
    request(instances);
    replaceFailedBoots();
    held.stream()
        .filter(lease -> !lease.failsAtReady() && nanos(lease.readyS) <= 0)
        .forEach(ready::add);
    decide();
    while (!hasEnded() && step()) {
      replaceFailedBoots();
      if (hasChanged && !hasEnded()) {
        decide();
      }
    }
    List.copyOf(running).forEach(this::leave);
    List.copyOf(held).forEach(this::end);
    return now;
  }

  P state() {
    return state;
  }

  /** Whether no task waits or runs. */
  boolean isIdle() {
    return waiting.isEmpty() && running.isEmpty();
  }

  private boolean hasEnded() {
    return tasks.hasEnded();
  }

  @Override
  int replaced() {
    return instances;
  }

  /** Handles the next event; returns whether the search continues. */
  private boolean step() {
    Optional<Moment> first = Optional.empty();
    Runnable handler = () -> {};
    for (ReferenceLease lease : held) {
      if (!ready.contains(lease)) {
        Moment at = Moment.ofInstance(lease.readyS, lease.number);
        if (isFirst(at, first)) {
          first = Optional.of(at);
          handler = () -> arrive(lease);
        }
      }
      double lostS = strikesAtS(lease);
      if (lostS < NEVER && isFirst(Moment.ofInstance(lostS, lease.number), first)) {
        first = Optional.of(Moment.ofInstance(lostS, lease.number));
        handler = () -> loseInstances(lease);
      }
    }
    boolean usesUnitEnds = policy.usesUnitEnds(state);
    for (Attempt attempt : running) {
      if (isFirst(attempt.end, first)) {
        first = Optional.of(attempt.end);
        handler = () -> end(attempt);
      }
      if (attempt.hangs) {
        continue;
      }
      double faultS = trialPerS() > 0 ? now + hazard(attempt.job) / trialPerS() : NEVER;
      Moment fault = new Moment(nanos(faultS), attempt.end.sinceNs(), attempt.order);
      if (faultS < NEVER && isFirst(fault, first)) {
        first = Optional.of(fault);
        handler = () -> strike(attempt);
      }
      if (usesUnitEnds && !attempt.isEnding) {
        int unit = attempt.job.done + attempt.completed(moment) + 1;
        int next = policy.nextUnit(state, attempt.job.trial, unit) - attempt.job.done;
        if (next < attempt.job.left() && isFirst(attempt.endOf(next), first)) {
          first = Optional.of(attempt.endOf(next));
          handler = () -> hasChanged = true;
        }
      }
    }
    Moment next = first.orElse(new Moment(Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE));
    if (stopS < NEVER && next.ns() > nanos(stopS)) {
      advance(new Moment(nanos(stopS), Long.MIN_VALUE, Integer.MAX_VALUE));
      return false;
    }
    advance(next);
    handler.run();
    return true;
  }

  private static boolean isFirst(Moment at, Optional<Moment> first) {
    return first.isEmpty() || at.isBefore(first.get());
  }

  private void advance(Moment next) {
    double nextS = next.ns() / 1e9;
    runClocks(nextS);
    for (Attempt attempt : running) {
      if (!attempt.hangs) {
        attempt.job.hazard = hazard(attempt.job) - (nextS - now) * trialPerS();
      }
    }
    now = nextS;
    moment = next;
  }

  private double hazard(Job job) {
    if (Double.isNaN(job.hazard)) {
      job.hazard = ReferenceFaults.hazard(drawn(job.numbers.faults(), job));
    }
    return job.hazard;
  }

  private double drawn(DrawTable table, Job job) {
    DrawReader reader = new DrawReader(table);
    int first = reader.offset(sample);
    return reader.values()[first + job.numbers.column()];
  }

  private void arrive(ReferenceLease lease) {
    if (!lease.failsAtReady()) {
      ready.add(lease);
      hasChanged = true;
    }
  }

  @Override
  void interruptOn(ReferenceLease lost, boolean preempted) {
    hasChanged = true;
    for (Attempt attempt : List.copyOf(running)) {
      if (attempt.lease == lost) {
        interrupt(attempt);
      }
    }
  }

  private void strike(Attempt struck) {
    Job job = struck.job;
    if (!count.next()) {
      job.hazard = NEVER;
      return;
    }
    RandomGenerator random =
        job.numbers.faultStreams().at(sample).at(job.trial).at(job.faults++).open();
    TrialFaultRates rates = profile.faults();
    boolean isCrash = uniform(random) * 3600 * trialPerS() < rates.crashes().value();
    job.hazard = ReferenceFaults.hazard(uniform(random));
    if (isCrash || struck.isEnding) {
      interrupt(struck);
      return;
    }
    int done = struck.completed(moment);
    struck.completed = done;
    struck.hangs = true;
    double lastS = done > 0 ? struck.endS(done) : struck.fromS;
    double needsS = (job.left() - done) * slowestUnitS + (done > 0 ? 0 : job.startupS);
    double stopsS = Math.max(now, lastS + silenceS(needsS)) + profile.checkpointS().mean();
    struck.endsAt(stopsS, struck.end.sinceNs());
  }

  private static double uniform(RandomGenerator random) {
    return (random.nextLong() >>> 11) / (double) (1L << 53);
  }

  private void end(Attempt attempt) {
    if (attempt.hangs) {
      interrupt(attempt);
    } else if (attempt.isEnding) {
      pause(attempt);
    } else {
      finish(attempt);
    }
  }

  private void leave(Attempt attempt) {
    running.remove(attempt);
    train(attempt.lease, attempt.fromS, attempt.start.width().value());
  }

  private void interrupt(Attempt attempt) {
    int completed = attempt.completed(moment);
    leave(attempt);
    keep(attempt, attempt.job.numbers.isResumed() ? completed : -1);
  }

  private void pause(Attempt attempt) {
    leave(attempt);
    int completed = attempt.completed;
    boolean isTorn = completed > 0 && attempt.job.numbers.isResumed() && isNextTorn(attempt.job);
    keep(attempt, isTorn ? completed - 1 : completed);
  }

  /** Whether the checkpoint with which the trial is ended now is torn. */
  private boolean isNextTorn(Job job) {
    double probability = profile.faults().tornCheckpoint().value();
    if (probability == 0) {
      return false;
    }
    if (Double.isNaN(job.tornHazard)) {
      job.tornHazard = ReferenceFaults.hazard(drawn(job.numbers.tornStops(), job));
    }
    job.tornHazard += Math.log(1 - probability);
    if (job.tornHazard >= 0) {
      return false;
    }
    RandomStreams streams = job.numbers.tornStreams().at(sample).at(job.trial);
    RandomGenerator random = streams.at(job.tornStops++).open();
    var unused = uniform(random);
    job.tornHazard = ReferenceFaults.hazard(uniform(random));
    return true;
  }

  private void finish(Attempt attempt) {
    Job job = attempt.job;
    if (policy.usesReports()) {
      assign();
    }
    leave(attempt);
    if (job.repeats < drawn(job.numbers.tornCounts(), job)) {
      job.repeats++;
      keep(attempt, job.numbers.isResumed() ? job.left() - 1 : -1);
      return;
    }
    hasChanged = true;
    state = policy.ended(state, job.trial);
    tasks.ended(job);
  }

  /**
   * Lets a trial wait.
   *
   * @param units units of its attempt that it keeps; negative if it loses all of its task
   */
  private void keep(Attempt attempt, int units) {
    hasChanged = true;
    Job job = attempt.job;
    report(attempt, Math.max(0, units));
    job.trainedS = units < 0 ? 0 : job.trainedS + units * attempt.unitS;
    job.done = units < 0 ? 0 : job.done + units;
    waiting.put(job.trial, job);
  }

  /** Adds the reports of the first units of an attempt that the trial has not reported before. */
  private void report(Attempt attempt, int completed) {
    Job job = attempt.job;
    if (!policy.usesReports()) {
      return;
    }
    for (int unit = 1; unit <= completed; unit++) {
      int of = job.done + unit;
      if (job.reports.stream().noneMatch(report -> report.unit() == of)) {
        double trainedS = job.trainedS + unit * attempt.unitS;
        job.reports.add(new PolicyView.Report(of, losses.loss(job.trial, of), trainedS));
      }
    }
  }

  private void decide() {
    hasChanged = false;
    for (Job job : tasks.issue(now, waiting.size() + running.size())) {
      waiting.put(job.trial, job);
    }
    assign();
  }

  private void assign() {
    PolicyStep<P> step = policy.assign(state, view());
    state = step.state();
    for (PolicyDecision decision : step.decisions()) {
      if (decision instanceof PolicyDecision.Start start) {
        start(start);
      } else if (decision instanceof PolicyDecision.Resize resize) {
        stop(resize.trial());
      } else if (decision instanceof PolicyDecision.Preempt preempt) {
        stop(preempt.trial());
      } else if (decision instanceof PolicyDecision.Stop stopped) {
        waiting.remove(stopped.trial());
      }
    }
  }

  private PolicyView view() {
    List<PolicyView.Running> viewed = new ArrayList<>();
    for (Attempt attempt : running) {
      int completed = attempt.completed(moment);
      if (!attempt.isEnding) {
        measure(attempt, completed);
        report(attempt, completed);
      }
      viewed.add(
          new PolicyView.Running(
              attempt.job.viewed(completed, attempt.job.reports),
              attempt.start.width(),
              attempt.lease.number,
              attempt.start.gpus(),
              isUnitEnd(attempt, completed),
              attempt.isEnding));
    }
    return new PolicyView(
        tasks.group(),
        held.stream()
            .sorted(Comparator.comparingInt(lease -> lease.number))
            .map(
                lease -> new PolicyView.Instance(lease.number, offer.gpus(), ready.contains(lease)))
            .toList(),
        waiting.values().stream().map(job -> job.viewed(0, job.reports)).toList(),
        viewed,
        measured.replacing(new PolicyView.Timing(stopS - now, timing.startupS(), timing.unitS())));
  }

  private boolean isUnitEnd(Attempt attempt, int completed) {
    return !attempt.isEnding
        && completed > 0
        && completed < attempt.job.left()
        && attempt.endOf(completed).ns() == moment.ns();
  }

  private void measure(Attempt attempt, int completed) {
    if (policy.measuredWidth().isEmpty()) {
      return;
    }
    if (attempt.seen < 2 && completed >= 2 && attempt.job.startupS > 0) {
      measured = measured.withStartup(attempt.job.startupS);
    }
    if (attempt.start.width().equals(policy.measuredWidth().get())) {
      for (int unit = Math.max(1, attempt.seen); unit < completed; unit++) {
        measured = measured.withUnit(attempt.unitS);
      }
    }
    attempt.seen = completed;
  }

  private void start(PolicyDecision.Start start) {
    Job job = waiting.remove(start.trial());
    ReferenceLease lease =
        held.stream().filter(one -> one.number == start.instance()).findFirst().orElseThrow();
    double unitS = seconds.perUnit(start.width()) * job.factor * lease.y;
    running.add(new Attempt(job, start, lease, started++, now, unitS));
  }

  private void stop(int trial) {
    for (Attempt attempt : running) {
      if (attempt.job.trial == trial) {
        attempt.completed = attempt.completed(moment);
        attempt.isEnding = true;
        attempt.endsAt(now + profile.checkpointS().mean(), nanos(now));
        return;
      }
    }
  }
}

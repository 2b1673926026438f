package io.elastune.simulator;

import io.elastune.core.allocation.IllegalPlanException;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.simulator.group.CriticalPathWalker;
import io.elastune.simulator.group.GroupTrace;
import io.elastune.simulator.group.TracedRun;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.timeline.TimelinePlan;
import io.elastune.simulator.timeline.TimelineTrace;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Analyzes how a plan spends its time and which change would help most. The critical path
 * attributes every second of the completion time. Simulating the plan again without one cause, with
 * otherwise equal draws, shows how much earlier the plan would complete. The two results differ
 * because another path may become critical.
 *
 * @param samples number of samples of both analyses
 * @param byGroup mean seconds on the critical path by group, in the order of the workload; they add
 *     up to {@code completionS}
 * @param completionS mean completion of these samples, in seconds
 * @param wouldHelp one entry per cause, the largest saving first
 */
public record Contributions(
    int samples, List<GroupTime> byGroup, double completionS, List<Saving> wouldHelp) {
  /** Maximum number of samples; sufficient for means. */
  private static final int MOST_SAMPLES = 1000;

  /** Maximum number of trials over all samples, which reduces the samples of huge jobs. */
  private static final long MOST_TRIALS = 4_000_000;

  /** Minimum number of samples. Sums over many trials vary less. */
  private static final int LEAST_SAMPLES = 16;

  // The same for plans that are played on a timeline, where a trial takes longer.
  private static final int MOST_PLAYED = 128;
  private static final int LEAST_PLAYED = 4;
  private static final long MOST_PLAYED_TRIALS = 40_000;

  /**
   * Mean seconds of the critical path in one group.
   *
   * @param group the group's name
   * @param queueS waiting until instances that the group requested are running
   * @param bootS waiting until these instances are ready
   * @param startupS start-up of its trials
   * @param trainingS training at mean speed
   * @param stragglingS additional training time due to variation; negative if the critical trials
   *     were faster than the mean
   */
  public record GroupTime(
      String group,
      double queueS,
      double bootS,
      double startupS,
      double trainingS,
      double stragglingS) {}

  /**
   * The saving from removing one cause.
   *
   * @param soonerS seconds by which the mean completion would be earlier without the cause; it can
   *     be negative because of scheduling anomalies
   */
  public record Saving(DelayCause cause, double soonerS) {}

  public Contributions {
    byGroup = List.copyOf(byGroup);
    wouldHelp = List.copyOf(wouldHelp);
  }

  /**
   * Returns the contributions of {@code plan} from up to a thousand samples, with the same random
   * streams as {@link Simulator}. Plans that are played on a timeline have fewer samples. The
   * contributions are empty if the search ends at a time, because then nothing makes it faster.
   *
   * @throws IllegalPlanException if the problem does not allow the plan; contains all faults
   */
  public static Contributions of(Problem problem, Plan plan) {
    PlanRules.check(problem, plan);
    if (problem.endsAtS().isPresent() || problem.hyperSched().isPresent()) {
      return new Contributions(0, List.of(), 0, List.of());
    }
    long trials =
        problem
            .workload()
            .rungs()
            .map(rule -> (long) rule.trials())
            .orElseGet(
                () -> problem.workload().groups().stream().mapToLong(TrialGroup::trials).sum());
    Problem without = problem.withoutFaults();
    int played = (int) Math.min(MOST_PLAYED, Math.max(LEAST_PLAYED, MOST_PLAYED_TRIALS / trials));
    return timeline(without, plan, played)
        .map(own -> played(without, plan, played, own))
        .orElseGet(
            () ->
                of(
                    problem,
                    plan,
                    (int) Math.min(MOST_SAMPLES, Math.max(LEAST_SAMPLES, MOST_TRIALS / trials))));
  }

  private static Optional<TimelinePlan> timeline(Problem problem, Plan plan, int samples) {
    RankModel ranks = RankModel.of(problem);
    return TimelinePlan.of(problem, plan, new Draws(problem, samples), ranks);
  }

  /** Returns the contributions of a plan that is played on a timeline. */
  private static Contributions played(
      Problem problem, Plan plan, int samples, TimelinePlan compiled) {
    Sums sums = new Sums(problem.workload().groups());
    List<TimelineTrace> chains = compiled.traces();
    double completionS = 0;
    for (int sample = 0; sample < compiled.samples; sample++) {
      completionS += TimelineTrace.play(chains, sample);
      sums.add(chains.stream().max(Comparator.comparingDouble(TimelineTrace::endS)).orElseThrow());
    }
    double meanS = completionS / compiled.samples;
    return new Contributions(
        compiled.samples,
        sums.means(compiled.samples),
        meanS,
        savings(
            cause -> {
              TimelinePlan other = timeline(cause.without(problem), plan, samples).orElseThrow();
              return meanS - TimelineTrace.meanS(other.traces(), other.samples);
            }));
  }

  /** Returns the contributions of {@code plan} without faults, from {@code samples} samples. */
  static Contributions of(Problem withFaults, Plan plan, int samples) {
    PlanRules.check(withFaults, plan);
    Problem problem = withFaults.withoutFaults();
    TracedRun run = new TracedRun(problem, plan, samples);
    CriticalPathWalker path = new CriticalPathWalker(run);
    Sums sums = new Sums(problem.workload().groups());
    double completionS = 0;
    for (int sample = 0; sample < run.samples(); sample++) {
      run.simulate(sample);
      path.walk(sums);
      completionS += path.completionS();
    }
    double meanS = completionS / run.samples();
    return new Contributions(
        run.samples(),
        sums.means(run.samples()),
        meanS,
        savings(cause -> meanS - meanS(cause.without(problem), plan, samples)));
  }

  private static List<Saving> savings(ToDoubleFunction<DelayCause> soonerS) {
    return Stream.of(DelayCause.values())
        .map(delayCause -> new Saving(delayCause, soonerS.applyAsDouble(delayCause)))
        .sorted(Comparator.comparingDouble(Saving::soonerS).reversed())
        .toList();
  }

  private static double meanS(Problem problem, Plan plan, int samples) {
    double[] completionS = new Simulator(problem, samples).sample(plan).completionS();
    return Arrays.stream(completionS).average().orElseThrow();
  }

  /** Sums the segments of critical paths. */
  private static final class Sums implements CriticalPathWalker.SegmentVisitor {
    private final List<TrialGroup> groups;
    private final double[] queueS;
    private final double[] bootS;
    private final double[] startupS;
    private final double[] trainingS;
    private final double[] stragglingS;

    Sums(List<TrialGroup> groups) {
      this.groups = groups;
      queueS = new double[groups.size()];
      bootS = new double[groups.size()];
      startupS = new double[groups.size()];
      trainingS = new double[groups.size()];
      stragglingS = new double[groups.size()];
    }

    @Override
    public void trained(GroupTrace group, int trial) {
      int index = group.step.group();
      startupS[index] += group.startupS[trial];
      trainingS[index] += group.step.workS();
      stragglingS[index] += group.stragglingS(trial);
    }

    @Override
    public void provisioned(int requester, double queuedS, double bootedS) {
      queueS[requester] += queuedS;
      bootS[requester] += bootedS;
    }

    /** Walks back from the attempt that ended last, over the causes of starts. */
    void add(TimelineTrace trace) {
      TimelineTrace.Attempt attempt = trace.lastAttempt();
      while (true) {
        double lastsS = attempt.endS() - attempt.startS;
        double startingS = Math.min(attempt.startupS, lastsS);
        double meanS = attempt.units() * attempt.unitS;
        startupS[attempt.group] += startingS;
        trainingS[attempt.group] += meanS;
        stragglingS[attempt.group] += lastsS - startingS - meanS;
        TimelineTrace.Attempt before = attempt.cause;
        if (before == null) {
          TimelineTrace.Request request = trace.request(attempt.arrival);
          double runningS = trace.runningS(attempt.arrival);
          provisioned(request.requester(), runningS - request.atS(), attempt.startS - runningS);
          before = request.after();
        }
        if (before == null) {
          return;
        }
        attempt = before;
      }
    }

    List<GroupTime> means(int samples) {
      GroupTime[] means = new GroupTime[groups.size()];
      Arrays.setAll(
          means,
          i ->
              new GroupTime(
                  groups.get(i).name(),
                  queueS[i] / samples,
                  bootS[i] / samples,
                  startupS[i] / samples,
                  trainingS[i] / samples,
                  stragglingS[i] / samples));
      return List.of(means);
    }
  }
}

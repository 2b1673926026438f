package io.elastune.simulator;

import io.elastune.core.allocation.IllegalPlanException;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.ListOptions;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
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
   * streams as {@link Simulator}. They are empty for a search made of rungs, where chains share
   * instances, and where a policy divides a fixed cluster: these have no critical path of groups.
   *
   * @throws IllegalPlanException if the problem does not allow the plan; contains all faults
   */
  public static Contributions of(Problem problem, Plan plan) {
    if (problem.workload().rungs().isPresent()
        || plan.shared()
        || !(problem.policy() instanceof ListOptions)) {
      return new Contributions(0, List.of(), 0, List.of());
    }
    long trials = problem.workload().groups().stream().mapToLong(TrialGroup::trials).sum();
    long samples = Math.min(MOST_SAMPLES, Math.max(LEAST_SAMPLES, MOST_TRIALS / trials));
    return of(problem, plan, (int) samples);
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
        run.samples(), sums.means(run.samples()), meanS, savings(problem, plan, samples, meanS));
  }

  private static List<Saving> savings(Problem problem, Plan plan, int samples, double withS) {
    return Stream.of(DelayCause.values())
        .map(
            delayCause ->
                new Saving(delayCause, withS - meanS(delayCause.without(problem), plan, samples)))
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

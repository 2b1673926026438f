package io.elastune.simulator;

import io.elastune.core.allocation.IllegalPlanException;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where a plan's time goes, and what would help most. Two answers that differ: the critical path
 * says on what the seconds of the completion were spent; playing the plan again without a cause,
 * with the same luck in all else, says how much sooner it would end, for another path may then
 * decide.
 *
 * @param samples how many samples both rest on
 * @param byGroup what lies on the critical path, by group in the workload's order, on average over
 *     the samples; all together add up to {@code completionS}
 * @param completionS mean completion of these samples, in seconds
 * @param wouldHelp one entry per cause, the greatest first
 */
public record Contributions(
    int samples, List<GroupTime> byGroup, double completionS, List<Saving> wouldHelp) {
  /** Samples are plenty for means; a plan's first estimate has more. */
  private static final int MOST_SAMPLES = 1000;

  /** Huge jobs are played less often: at most so many trials all together, but */
  private static final long MOST_TRIALS = 4_000_000;

  /** at least so many samples. Their sums run over many trials, and vary less. */
  private static final int LEAST_SAMPLES = 16;

  /**
   * Mean seconds of the critical path that lie in one group.
   *
   * @param group the group's name
   * @param queueS waiting for instances that it requested to be running
   * @param bootS waiting for these to be ready
   * @param startupS start-up of its trials
   * @param trainingS their work at its mean speed
   * @param stragglingS what their work took beyond that; negative if the trials that decided were
   *     rather quick ones
   */
  public record GroupTime(
      String group,
      double queueS,
      double bootS,
      double startupS,
      double trainingS,
      double stragglingS) {}

  /**
   * What one cause is answerable for.
   *
   * @param soonerS seconds by which the mean completion would be sooner without it; negative if it
   *     would be later, for list scheduling knows such cases
   */
  public record Saving(Cause cause, double soonerS) {}

  public Contributions {
    byGroup = List.copyOf(byGroup);
    wouldHelp = List.copyOf(wouldHelp);
  }

  /**
   * The contributions of {@code plan}, from up to a thousand samples of the same streams as {@link
   * Simulator}'s.
   *
   * @throws IllegalPlanException if the problem does not allow it, with everything that is wrong
   */
  public static Contributions of(Problem problem, Plan plan) {
    long trials = problem.workload().groups().stream().mapToLong(TrialGroup::trials).sum();
    long samples = Math.min(MOST_SAMPLES, Math.max(LEAST_SAMPLES, MOST_TRIALS / trials));
    return of(problem, plan, (int) samples);
  }

  /** The contributions of {@code plan} from {@code samples} samples. */
  static Contributions of(Problem problem, Plan plan, int samples) {
    PlanRules.check(problem, plan);
    TracedRun run = new TracedRun(problem, plan, samples);
    CriticalPath path = new CriticalPath(run);
    Sums sums = new Sums(problem.workload().groups());
    double completionS = 0;
    for (int sample = 0; sample < run.samples(); sample++) {
      run.play(sample);
      path.walk(sums);
      completionS += path.completionS();
    }
    double meanS = completionS / run.samples();
    return new Contributions(
        run.samples(), sums.means(run.samples()), meanS, savings(problem, plan, samples, meanS));
  }

  private static List<Saving> savings(Problem problem, Plan plan, int samples, double withS) {
    return Stream.of(Cause.values())
        .map(cause -> new Saving(cause, withS - meanS(cause.without(problem), plan, samples)))
        .sorted(Comparator.comparingDouble(Saving::soonerS).reversed())
        .toList();
  }

  private static double meanS(Problem problem, Plan plan, int samples) {
    double[] completionS = new Simulator(problem, samples).sample(plan).completionS();
    return Arrays.stream(completionS).average().orElseThrow();
  }

  /** Adds up the pieces of critical paths. */
  private static final class Sums implements CriticalPath.Visitor {
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

package io.elastune.plan.estimate;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Job;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.LimitsBuilder;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.ListOptions;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.SpaceSize;
import io.elastune.inputs.InputsLoader;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.model.SearchParameters;
import io.elastune.simulator.Simulator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/** Finds how many trials of a search fit the budget and the deadline of a case. */
public final class AffordableTrials {
  /** The searches whose cost grows with {@code search.trials}. */
  private static final Set<Algorithm> COUNTED =
      Set.of(Algorithm.SHA, Algorithm.RANDOM, Algorithm.ASHA);

  /**
   * Cheap plans without a bound, a frontier and compared plans: only whether one is found counts.
   */
  private static final PlannerOptions QUICK = new PlannerOptions(PlannerOptions.Kind.GREEDY, 32, 0);

  /** The result is at most this share below the largest number. */
  private static final int PRECISION = 50;

  /** More trials than so many times those of the job are not counted. */
  private static final int MOST_TIMES = 20;

  /**
   * The most plans for a count, and the trials of all of them, about: their number depends on the
   * job, and not on the speed of the machine.
   */
  private static final int MOST_PLANS = 10;

  private static final int MOST_PLANNED = 1_024;
  private static final int FEWEST_PLANS = 3;

  private static final double UNKNOWN_SHARE = 0.5;

  /** Samples of trials for a lower bound: a fraction of those of the plan itself. */
  private static final int BOUND_SAMPLED_TRIALS = 200_000;

  private static final int MOST_BOUND_SAMPLES = 1_000;
  private static final int FEWEST_BOUND_SAMPLES = 200;

  /** Numbers of trials that are tried for a lower bound. */
  private static final int BOUNDS = 3;

  /** What is left of the additional trials of a bound that does not hold. */
  private static final double NEXT_BOUND = 0.8;

  private AffordableTrials() {}

  /** Returns whether the number of trials decides what a search costs. */
  public static boolean matters(Job job) {
    return COUNTED.contains(job.search().algorithm())
        && job.search().limitsTrials()
        && job.policy() instanceof ListOptions;
  }

  /**
   * Returns the number, about; empty if it does not matter, if no trial fits, or if far more fit
   * than the job has. It is the same on every machine.
   *
   * @param budgetUsd the budget that counts instead of that of the problem
   * @param found a plan for the trials of the job, if there is one
   */
  public static OptionalInt find(
      Job job, Problem problem, double budgetUsd, Optional<PlanResult.Found> found) {
    if (!matters(job)) {
      return OptionalInt.empty();
    }
    Limits limits =
        LimitsBuilder.builder(problem.limits()).budgetUsd(OptionalDouble.of(budgetUsd)).build();
    double share =
        found.map(plan -> budgetUsd / plan.estimate().costUsd().p95()).orElse(UNKNOWN_SHARE);
    IntPredicate fits =
        trials -> {
          Problem other =
              problem
                  .withLimits(limits)
                  .withWorkload(InputsLoader.workload(job, job.search().withTrials(trials)));
          return new Planner(other, QUICK, SearchParameters.PLAN_ALONE, () -> false).plan()
              instanceof PlanResult.Found;
        };
    return find(job.search().trials(), found.isPresent(), share, fits);
  }

  /**
   * Returns a number of trials above that of the job that meet the limits with the allocations of a
   * plan: at least so many fit, with other plans perhaps more. Empty if no more are found, or if
   * finding out takes noticeable time.
   */
  public static OptionalInt atLeast(Job job, Problem problem, PlanResult.Found found) {
    int all = problem.workload().trials();
    double share =
        Math.min(
            problem.limits().budgetOrInfinityUsd() / found.estimate().costUsd().p95(),
            problem.limits().deadlineOrInfinityS() / found.estimate().completionS().p95());
    if (!matters(job) || problem.workload().rungs().isPresent() || !Double.isFinite(share)) {
      return OptionalInt.empty();
    }
    int most = (int) (all * Math.min(share, MOST_TIMES));
    int repeat = Math.max(1, job.search().repeat());
    most = Math.min(most, repeat * SpaceSize.distinct(job.search(), most));
    for (int i = 0; i < BOUNDS && most > all; i++) {
      if (fits(job, problem, found, most)) {
        return OptionalInt.of(most);
      }
      most = (int) (all + NEXT_BOUND * (most - all));
    }
    return OptionalInt.empty();
  }

  private static boolean fits(Job job, Problem problem, PlanResult.Found found, int trials) {
    Workload more = InputsLoader.workload(job, job.search().withTrials(trials));
    int samples = Math.min(MOST_BOUND_SAMPLES, BOUND_SAMPLED_TRIALS / Math.max(1, trials));
    if (samples < FEWEST_BOUND_SAMPLES || !names(more).equals(names(problem.workload()))) {
      return false;
    }
    Limits limits = problem.limits();
    Problem larger = problem.withWorkload(more).with(problem.offers(), anyTrials(problem));
    Estimate estimate = new Simulator(larger, samples).simulate(found.plan());
    return estimate.onTime() >= limits.confidence()
        && estimate.inBudget().orElse(1) >= limits.confidence();
  }

  /** What hyperparameters explain is known for the trials of the job only. */
  private static Map<String, Profile> anyTrials(Problem problem) {
    Map<String, Profile> profiles = new TreeMap<>();
    problem
        .profiles()
        .forEach((gpu, one) -> profiles.put(gpu, one.withConfigurations(ConfigurationEffect.NONE)));
    return profiles;
  }

  private static List<String> names(Workload workload) {
    return workload.groups().stream().map(TrialGroup::name).toList();
  }

  /**
   * The same for a search of {@code all} trials.
   *
   * @param fit whether all of them fit
   * @param share by which factor their number may change if cost is in proportion to it
   */
  static OptionalInt find(int all, boolean fit, double share, IntPredicate fits) {
    int most = MOST_TIMES * all;
    int plans = Math.max(FEWEST_PLANS, Math.min(MOST_PLANS, MOST_PLANNED / all));
    int met = fit ? all : 0;
    int missed = fit ? most : all;
    double next = all * Math.max(fit ? 1.01 : 0, Math.min(share, MOST_TIMES));
    for (int i = 0; i < plans && missed - met > Math.max(1, met / PRECISION); i++) {
      int trials = (int) Math.max(met + 1, Math.min(missed - 1, Math.ceil(next)));
      if (fits.test(trials)) {
        met = trials;
        next = missed == most ? 1.3 * trials : met + (missed - met) / 2.0;
      } else {
        missed = trials;
        next = met == 0 ? trials / 1.5 : met + (missed - met) / 2.0;
      }
    }
    return met == 0 || met >= most - 1 ? OptionalInt.empty() : OptionalInt.of(met);
  }
}

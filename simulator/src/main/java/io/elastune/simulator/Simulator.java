package io.elastune.simulator;

import io.elastune.core.Check;
import io.elastune.core.allocation.IllegalPlanException;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import java.util.Arrays;
import java.util.List;

/**
 * Predicts completion time (seconds) and cost (USD) of given plans for one problem, as model.md
 * specifies. Common random numbers: every plan sees the same draws for each trial of each group and
 * for each instance of each chain, in order of request, so that plans differ by what they decide
 * and not by luck. The same problem, plan and number of samples give the same result, bit by bit.
 *
 * <p>Draws are kept for the next plan while they fit into some 64 MiB. Not for several threads at
 * once.
 */
public final class Simulator {
  private final Problem problem;
  private final ExecutionDag dag;
  private final Draws draws;

  /**
   * A simulator of {@code problem}.
   *
   * @param samples how often each plan is played, at least 1; once is enough, and done once, when
   *     nothing in the problem varies
   */
  public Simulator(Problem problem, int samples) {
    this.problem = problem;
    this.dag = new ExecutionDag(problem.workload());
    this.draws = new Draws(problem, Check.atLeast("samples", 1, samples));
  }

  /**
   * The estimate of {@code plan}.
   *
   * @throws IllegalPlanException if the problem does not allow it, with everything that is wrong
   */
  public Estimate simulate(Plan plan) {
    List<TrialGroup> groups = problem.workload().groups();
    Ledger ledger = new Ledger(groups.size());
    Outcome outcome = play(plan, ledger);
    int[] startsAfter = new int[groups.size()];
    Arrays.setAll(
        startsAfter, group -> Arrays.stream(dag.predecessors(group)).findFirst().orElse(-1));
    return outcome.estimate(problem.limits(), groups, startsAfter, ledger);
  }

  /**
   * The joint draws of {@code plan}, from the same streams as {@link #simulate}.
   *
   * @throws IllegalPlanException if the problem does not allow it, with everything that is wrong
   */
  public Samples sample(Plan plan) {
    return play(plan, new Ledger(problem.workload().groups().size())).samples();
  }

  private Outcome play(Plan plan, Ledger ledger) {
    PlanRules.check(problem, plan);
    Sampler sampler = new Sampler(new Program(problem, plan, dag, draws), ledger);
    Outcome outcome =
        new Outcome(draws.samples(), problem.workload().groups().size(), problem.running());
    for (int sample = 0; sample < draws.samples(); sample++) {
      sampler.play(sample, outcome);
    }
    return outcome;
  }
}

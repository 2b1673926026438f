package io.elastune.executor.runtime;

import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.MeasurementChoice;
import io.elastune.executor.replan.ReplanService;
import io.elastune.executor.sampler.ConfigurationSampler;
import java.util.Optional;

/**
 * Supplies the decisions that a running controller cannot make alone: new plans, approval of a
 * higher budget, configurations, and the next measurement of a profiling run. Each is called on its
 * own thread.
 *
 * @param replans re-plans the rest of the run; empty for a run that never re-plans
 * @param budgetApprover approves spending above the budget; empty if there is no terminal
 * @param sampler proposes the configurations of new trials; empty if they are random
 * @param measurements chooses what a profiling run measures; empty for any other run
 * @param waits whether the run waits for new plans, because its time is virtual
 */
public record Advisors(
    Optional<ReplanService> replans,
    Optional<BudgetApprover> budgetApprover,
    Optional<ConfigurationSampler> sampler,
    Optional<MeasurementAdvisor> measurements,
    boolean waits) {
  /** No re-planning, no approval of a higher budget, no sampler and no choice of measurements. */
  public static final Advisors NONE =
      new Advisors(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);

  /** Returns the advisor of a run in virtual time, which stops while a plan is computed. */
  public static Advisors waiting(ReplanService replans) {
    return new Advisors(
        Optional.of(replans), Optional.empty(), Optional.empty(), Optional.empty(), true);
  }

  /** Chooses what a profiling run measures next. */
  public interface MeasurementAdvisor {
    /** Returns the choice for the next group, from what the run's journal contains by now. */
    MeasurementChoice choose(Command.ChooseMeasurement question);
  }

  /** Decides whether a run may exceed its budget. */
  public interface BudgetApprover {
    /**
     * Returns whether the run may cost the requested amount. Blocks until the user answers;
     * interrupted if the run ends first.
     *
     * @throws InterruptedException if the run ended before the user answered
     */
    boolean approves(Command.AskBudget question) throws InterruptedException;
  }
}

package io.elastune.executor.runtime;

import io.elastune.executor.decision.model.Command;
import io.elastune.executor.replan.ReplanService;
import java.util.Optional;

/**
 * Supplies the decisions that a running controller cannot make alone: new plans, and approval of a
 * higher budget. Each is called on its own thread.
 *
 * @param replans re-plans the rest of the run; empty for a run that never re-plans
 * @param budgetApprover approves spending above the budget; empty if there is no terminal
 */
public record Advisors(Optional<ReplanService> replans, Optional<BudgetApprover> budgetApprover) {
  /** No re-planning, and no approval of a higher budget. */
  public static final Advisors NONE = new Advisors(Optional.empty(), Optional.empty());

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

package io.elastune.inputs;

import io.elastune.core.job.Job;
import io.elastune.core.job.Preference;
import io.elastune.core.plan.Problem;
import io.elastune.executor.decision.model.RunDefinitionFactory;
import io.elastune.planner.api.PlanResult;
import java.util.Optional;

/**
 * How a plan was selected from the frontier.
 *
 * @param preference what is preferred
 * @param isDefault whether the job states no preference
 * @param isTied whether the plan costs as much as a slower one, as far as samples can show
 * @param instead the preferred plan, if the user chose another one
 */
public record PlanSelection(
    Preference preference, boolean isDefault, boolean isTied, Optional<PlanResult.Found> instead) {
  /** Returns the selection by the preference of a job. */
  public static PlanSelection of(Job job, Problem problem) {
    return new PlanSelection(
        RunDefinitionFactory.preference(job, problem),
        job.prefer().isEmpty(),
        false,
        Optional.empty());
  }

  PlanSelection tied() {
    return new PlanSelection(preference, isDefault, true, instead);
  }

  /** Returns the selection of another plan by the user. */
  public PlanSelection insteadOf(PlanResult.Found preferred) {
    return new PlanSelection(preference, isDefault, isTied, Optional.of(preferred));
  }
}

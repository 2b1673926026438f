package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Brackets;
import io.elastune.core.job.Deadline;
import io.elastune.core.job.Job;
import io.elastune.core.job.Resources;
import io.elastune.core.job.Search;
import io.elastune.core.job.TrialSpec;
import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.FluidOptions;
import io.elastune.core.policy.HermesOptions;
import io.elastune.core.policy.HyperSchedOptions;
import io.elastune.core.policy.ListOptions;
import io.elastune.core.policy.PolicyOptions;
import java.util.Collection;
import java.util.Optional;

/**
 * Checks that the policy of a job fits its search, its trials and its resources.
 *
 * @param fieldValues the fields of the job file
 */
record PolicyCheck(
    FieldValues fieldValues,
    Field<Job, PolicyOptions> policyField,
    Field<Job, Search> searchField,
    Field<Job, TrialSpec> trialField,
    Field<Job, Resources> resourcesField,
    Field<Job, Deadline> deadlineField) {

  /** Reports each combination that no run can execute. */
  void check() {
    PolicyOptions policy = fieldValues.find(policyField).orElse(ListOptions.DEFAULT);
    boolean hasInstances =
        fieldValues.find(resourcesField).flatMap(Resources::instances).isPresent();
    if (hasInstances || policy.choosesSizes()) {
      checkBrackets(policy);
    }
    if (!policy.choosesSizes()) {
      return;
    }
    boolean isResourcesValid =
        !fieldValues.isGiven(resourcesField) || fieldValues.find(resourcesField).isPresent();
    if (isResourcesValid && !hasInstances && !ownsInstances()) {
      problem(
          policy.word() + " needs a fixed cluster; set resources.instances and one instance type",
          "");
    }
    if (policy.preempts()
        && fieldValues.find(trialField).filter(trial -> !trial.resumable()).isPresent()) {
      boolean isFluid = policy instanceof FluidOptions;
      problem(
          policy.word() + " preempts trials and needs checkpoints",
          "save checkpoints, or use policy: "
              + (isFluid ? "{type: fluid, dynamic: false}" : "list"));
    }
    checkAlgorithm(policy);
  }

  private void checkAlgorithm(PolicyOptions policy) {
    Optional<Algorithm> algorithm = fieldValues.find(searchField).map(Search::algorithm);
    if (policy instanceof HyperSchedOptions) {
      new HyperSchedCheck(fieldValues, policyField, searchField, deadlineField).check();
    } else if (policy instanceof HermesOptions) {
      if (algorithm.filter(it -> it != Algorithm.RANDOM && it != Algorithm.GRID).isPresent()) {
        problem(
            "hermes works with random and grid: rungs and barriers already stop trials",
            "use one of them, or another policy");
      }
    } else if (isStopping()) {
      problem(
          policy.word() + " works with search.asha.variant: promotion only",
          "leave variant out, or use policy: list");
    }
  }

  private boolean isStopping() {
    return fieldValues
        .find(searchField)
        .flatMap(Search::asha)
        .filter(asha -> asha.variant() == RungRule.Variant.STOPPING)
        .isPresent();
  }

  private void checkBrackets(PolicyOptions policy) {
    Optional<Brackets> brackets = fieldValues.find(searchField).flatMap(Search::brackets);
    if (brackets.filter(Brackets.SEPARATE::equals).isPresent()) {
      fieldValues.problem(
          searchField,
          "brackets: separate is not possible on a fixed cluster, which has no instances of its own"
              + " for each bracket",
          "leave brackets out");
    }
    if (policy.choosesSizes() && brackets.filter(Brackets.SHARED::equals).isPresent()) {
      fieldValues.problem(
          searchField,
          "brackets: shared is not possible with policy "
              + policy.word()
              + ", which divides the instances among the trials of one bracket",
          "leave brackets out, or use policy: list");
    }
  }

  /** Whether all locations have a number of instances that is known without the job file. */
  private boolean ownsInstances() {
    return fieldValues.find(resourcesField).map(Resources::infra).stream()
        .flatMap(Collection::stream)
        .allMatch(place -> place.equals(InfraCodec.LOCAL) || place.startsWith("ray/"));
  }

  private void problem(String message, String remedy) {
    fieldValues.problem(policyField, message, remedy);
  }
}

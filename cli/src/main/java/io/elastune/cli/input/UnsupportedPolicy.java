package io.elastune.cli.input;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.core.job.Job;
import io.elastune.core.policy.HermesOptions;
import io.elastune.core.policy.PolicyOptions;

/** Refuses to execute jobs whose policy can only be predicted. */
public final class UnsupportedPolicy {
  private UnsupportedPolicy() {}

  /**
   * Checks that runs and rehearsals can execute the policy of a job.
   *
   * @throws CommandFailure with exit code 2 if they cannot
   */
  public static void refuse(LoadedFile<Job> job) {
    PolicyOptions policy = job.value().policy();
    if (policy instanceof HermesOptions) {
      throw JobProblems.usage(
          job,
          "policy",
          policy.word()
              + " cannot be executed yet; 'elastune plan' and 'elastune simulate' predict it, and"
              + " policy: list, fluid and hypersched are executed");
    }
  }
}

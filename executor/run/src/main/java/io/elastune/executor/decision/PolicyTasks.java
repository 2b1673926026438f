package io.elastune.executor.decision;

import io.elastune.core.policy.PolicyDecision;
import io.elastune.core.policy.PolicyView;

/** The tasks of a search that a policy divides a fixed cluster among. */
interface PolicyTasks {
  /** A task as the policy sees it. */
  interface Tasks {
    /** Returns the task of a trial. */
    PolicyView.Task of(int trial, int unitsLeft);
  }

  /** Returns the instances and what runs on them. */
  PolicyCluster cluster();

  /** Returns what the policy sees. */
  PolicyView view(Tasks tasks);

  /** Starts a waiting task. */
  void start(PolicyDecision.Start start);
}

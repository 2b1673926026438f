package io.elastune.executor.decision.model;

/** The kinds of decisions of a run. */
public enum DecisionKind {
  /** The plan was approved; precedes every other decision. */
  PLAN("plan"),
  START_GROUP("start group"),
  /** A trial reported that it needs no more training. */
  EARLY_END("early end"),
  /** The best trials of a group continue in the next. */
  PROMOTE("promote"),
  /** Copies of the best trials take the places of the worst ones. */
  EXPLOIT("exploit"),
  /** The sampler proposed no configuration. */
  SAMPLER("sampler"),
  /** An asynchronous search starts no new trial any more. */
  CLOSE("close"),
  /** The search needs a trial no longer. */
  STOP_TRIAL("stop-trial"),
  /** A trial continues with another number of GPUs. */
  RESIZE("resize"),
  /** A trial writes a checkpoint and waits, so that another one can use its GPUs. */
  PREEMPT("preempt"),
  /** The forecast misses the deadline. */
  AT_RISK("at_risk"),
  /** The forecast meets the deadline again. */
  ON_TIME("on_time"),
  /** Trials are faster or slower than profiled. */
  PACE("pace"),
  /** The rest of the run gets a new plan. */
  REPLAN("re-plan"),
  /** The planner was called, and the present plan is kept. */
  STAY("stay"),
  /** A group in progress has left the instances of the old plan. */
  MOVE("move"),
  /** Spent and committed cost have reached the warning level. */
  WARNED("warned"),
  /** The run increased its spending guard, because it can still meet its deadline. */
  GUARD("guard"),
  /** The user is asked for a higher budget. */
  OVER_BUDGET("over_budget"),
  /** The budget limits the run, or was increased. */
  BUDGET("budget"),
  /** The user did not increase the budget. */
  BUDGET_NOT_INCREASED("budget"),
  DEADLINE("deadline"),
  /** What a profiling run measures next. */
  MEASURE("measure"),
  /** Several trials have failed for the same cause. */
  FAILURES("failures"),
  /** A trial has not reported for too long. */
  WATCHDOG("watchdog"),
  RELEASE("release"),
  /** The cloud has refused an instance. */
  REFUSED("refused"),
  /** A launch failed for an unknown reason, and the provider tries another zone. */
  FAILOVER("failover"),
  /** No instance is available; the requests are repeated later. */
  WAITING("waiting"),
  /** The wait for capacity has ended with an instance. */
  AVAILABLE("available"),
  /** The cloud charges another price than planned. */
  PRICE("price"),
  /** The cloud announced that it will take an instance back. */
  NOTICE("notice"),
  /** The engine has no contact to nodes, whose trials continue. */
  UNREACHABLE("unreachable"),
  /** The engine has contact to the nodes of all trials again. */
  REACHABLE("reachable"),
  /** Calls to the cloud are impaired, or no longer. */
  CLOUD_HEALTH("cloud_health"),
  /** An instance does not answer, failed, or was preempted. */
  LOST("lost"),
  /** A node could not become ready: its setup, its check or its way into the cluster failed. */
  NODE_FAILED("node_failed"),
  /** An instance is terminated although the controller has not released it. */
  GONE("gone"),
  /** The controller did not run for a while; this time is not training time. */
  SUSPENDED("suspended"),
  /** Another controller continues the run. */
  RESUME("resume"),
  /** Trials that failed before a resume are trained again, or stay failed. */
  RETRY("retry"),
  STOP("stop");

  private final String label;

  DecisionKind(String label) {
    this.label = label;
  }

  /** The name of the decision on screens and in JSON output; a contract. */
  public String label() {
    return label;
  }

  /** The name with the subject of the decision, e.g. {@code start group 2}; it may be empty. */
  public String label(String subject) {
    return subject.isEmpty() ? label : label + " " + subject;
  }
}

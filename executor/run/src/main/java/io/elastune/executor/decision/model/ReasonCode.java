package io.elastune.executor.decision.model;

import java.util.List;

/**
 * The reasons for the decisions and the outcome of a run. Each has a name in the journal, which
 * does not depend on the name in the code. The command line composes the text.
 */
public enum ReasonCode implements Reason {
  /** The plan was approved; its text is stored with the plan. */
  PLAN_APPROVED("plan_approved", "text"),
  GROUP_STARTED("group_started", "to_unit", "offer"),
  /** A profiling run trains until the times are known, at most to the unit. */
  GROUP_MEASURED("group_measured", "to_unit", "offer"),
  /** The next measurement is expected to reduce the cost of the plan by more than its own. */
  MEASUREMENT_CHOSEN("measurement_chosen", "gpus_per_trial"),
  /** The same, of trials that share a GPU. */
  SHARING_CHOSEN("sharing_chosen", "trials_per_gpu"),
  /** Measuring costs nothing, and few trials leave the predicted time open. */
  FURTHER_CONFIGURATIONS("further_configurations"),
  /** No further measurement is worth its cost. */
  PLAN_DECIDED("plan_decided"),
  /** The limits of the profiling run allow no further measurement. */
  MEASUREMENT_LIMIT_REACHED("measurement_limit_reached"),
  /** A trial reported that it needs no more training. */
  TRIAL_ENDED_EARLY("trial_ended_early", "trial", "unit"),
  TRIALS_PROMOTED("trials_promoted", List.of("group"), List.of("trial")),

  /** New trials, each with its parent and the trial whose place it takes. */
  TRIALS_REPLACED("trials_replaced", List.of("group"), List.of("trial", "parent", "replaced")),
  /** The sampler proposed no usable configuration, and trials have random ones. */
  SAMPLER_FAILED("sampler_failed", List.of("error"), List.of("trial")),
  /** It failed so often that it is not asked any more. */
  SAMPLER_ABANDONED("sampler_abandoned", List.of("error"), List.of("trial")),
  /** A trial is among the best of a rung so far. */
  TRIAL_PROMOTED("trial_promoted", "trial", "unit", "to_unit"),
  /** All trials of an asynchronous search have started. */
  ALL_TRIALS_STARTED("all_trials_started", "offer"),
  /** The budget does not allow another trial; no new one starts. */
  BUDGET_TOO_LOW_FOR_TRIAL("budget_too_low_for_trial", "offer"),
  /** The deadline has passed; no new trial of an asynchronous search starts. */
  DEADLINE_PASSED_FOR_TRIAL("deadline_passed_for_trial", "offer"),
  /** A trial has reached the metric at which the search ends. */
  TARGET_REACHED("target_reached", "trial", "unit"),
  /** The best metric of the search has not improved for a number of trials or for a time. */
  PLATEAU_REACHED("plateau_reached"),
  /** Too many trials of a rung are better. */
  TRIAL_NOT_PROMOTED("trial_not_promoted", "trial", "unit"),
  /** Other GPUs are free, or other trials need them: a number of GPUs, or a part of one. */
  TRIAL_RESIZED("trial_resized", "trial", "from_gpus", "to_gpus"),
  /** Hermes: another trial of the same GPU comes first. */
  TRIAL_PREEMPTED("trial_preempted", "trial", "unit"),
  /** HyperSched: a trial is behind others at a unit that it has passed. */
  TRIAL_PAUSED("trial_paused", "trial", "unit"),
  /** HyperSched: too little time is left to continue a paused trial. */
  TRIAL_NOT_RESUMED("trial_not_resumed", "trial", "unit"),
  /** HyperSched: too little time is left to compare another trial; none starts any more. */
  NO_TIME_FOR_TRIAL("no_time_for_trial", "offer"),
  /** HyperSched: the search has ended at its deadline. */
  SEARCH_ENDED_AT_DEADLINE("search_ended_at_deadline"),
  /** Numbers: running. */
  SEARCH_ENDED_AT_TIME("search_ended_at_time"),

  FORECAST_LATE("forecast_late"),
  FORECAST_ON_TIME_AGAIN("forecast_on_time_again"),
  /** After a resume: the deadline has passed. */
  DEADLINE_PASSED_BEFORE_RESUME("deadline_passed_before_resume"),
  /** After a resume: the remaining work takes longer than the deadline allows. */
  DEADLINE_TOO_SOON_AFTER_RESUME("deadline_too_soon_after_resume"),
  TRIAL_SPEED_CHANGED("trial_speed_changed"),

  /** A better plan, with the allocations of each group that it changes. */
  BETTER_PLAN("better_plan", Details.OUTLOOK, Details.CHANGE),
  /** The same with a change from spot to on-demand capacity. */
  SPOT_LEFT("spot_left", Details.OUTLOOK, Details.CHANGE),
  /** The same with a change from on-demand to spot capacity. */
  SPOT_USED("spot_used", Details.OUTLOOK, Details.CHANGE),
  /** The same with a change to another place, after losses in the present one. */
  PLACE_CHANGED("place_changed", Details.OUTLOOK, Details.CHANGE),
  /** The offer is unavailable; with the allocations of each group that the new plan changes. */
  OFFER_REPLACED("offer_replaced", Details.OUTLOOK, Details.CHANGE),
  PLAN_STILL_BEST("plan_still_best", Details.OUTLOOK, List.of()),
  ALTERNATIVES_NOT_BETTER_ENOUGH("alternatives_not_better_enough", Details.OUTLOOK, List.of()),
  /** The run has left spot capacity, and nothing that it has observed since speaks for a return. */
  SPOT_RETURN_WITHOUT_EVIDENCE("spot_return_without_evidence", Details.OUTLOOK, List.of()),
  GROUP_MOVED("group_moved", "group"),

  WARNING_LEVEL_REACHED("warning_level_reached"),
  /** The run needs more than its spending guard, and can still meet its deadline. */
  GUARD_INCREASED("guard_increased"),
  /** The run needs more than its spending guard, and has no deadline that it can meet. */
  GUARD_TOO_LOW("guard_too_low"),
  GUARD_WOULD_BE_REACHED("guard_would_be_reached"),
  BUDGET_TOO_LOW("budget_too_low"),
  BUDGET_INCREASED("budget_increased", "who"),
  /** The budget was not increased, and the run stops when it is reached. */
  BUDGET_KEPT_RUN_STOPS("budget_kept_run_stops", "who"),
  /** The budget was not increased, and the run starts no group that exceeds it. */
  BUDGET_KEPT_GROUPS_LIMITED("budget_kept_groups_limited", "who"),
  BUDGET_WOULD_BE_REACHED("budget_would_be_reached"),
  BUDGET_TOO_LOW_FOR_REQUEST("budget_too_low_for_request", "count", "offer"),
  BUDGET_TOO_LOW_FOR_CHECKPOINTS("budget_too_low_for_checkpoints"),
  BUDGET_TOO_LOW_FOR_GROUP("budget_too_low_for_group", "group"),
  DEADLINE_PASSED("deadline_passed"),
  TRIAL_SILENT("trial_silent", "trial"),
  /** It shows signs of life, but has not reported for too long. */
  TRIAL_WITHOUT_REPORT("trial_without_report", "trial"),
  /** The engine has no contact to its nodes, so nothing is known about its signs of life. */
  TRIAL_UNREACHABLE("trial_unreachable", "trial"),
  ALL_TRIALS_REACHABLE("all_trials_reachable"),
  /** Trials have failed for the same cause, and the search continues with others. */
  FAILURES_EQUAL("failures_equal", "trials", "cause", "text"),

  RELEASED_IDLE("released_idle", "lease"),
  RELEASED_AFTER_MOVE("released_after_move", "lease"),
  RELEASED_LOST("released_lost", "lease"),
  /** Its node could not become ready. */
  RELEASED_UNUSABLE("released_unusable", "lease"),
  /** Nodes have failed and none is ready, so that more nodes may fail alike. */
  RELEASED_UNTRIED("released_untried", "lease"),
  RELEASED_BEFORE_PREEMPTION("released_before_preemption", "lease"),
  RELEASED_AT_END("released_at_end", "lease"),
  RELEASED_UNKNOWN("released_unknown", "lease"),
  /** The chain waits for capacity, and this instance alone cannot train a trial. */
  RELEASED_WHILE_WAITING("released_while_waiting", "lease"),

  INSTANCE_REFUSED("instance_refused", "lease", "message"),
  /** A launch failed with a code or an outcome that is not known; the zone may be empty. */
  LAUNCH_FAILED("launch_failed", "lease", "offer", "zone", "message"),
  /** No offer is available, and the group requests its instances again later. */
  WAITING_FOR_CAPACITY("waiting_for_capacity", List.of("group"), List.of("offer", "message")),
  CAPACITY_AVAILABLE("capacity_available", "group"),
  PRICE_DIFFERS("price_differs", "lease"),
  /** Calls to the cloud are impaired; since: when it began, or when a login expires. */
  CLOUD_IMPAIRED("cloud_impaired", "infra", "impairment", "message", "since"),
  CLOUD_RECOVERED("cloud_recovered", "infra", "impairment"),
  /** The cloud will preempt an instance while the run is ending. */
  PREEMPTION_AT_END("preemption_at_end", "lease", "message"),
  /** The cloud will preempt an instance, and its trials move to another one. */
  PREEMPTION("preemption", "lease", "message"),
  INSTANCE_LOST("instance_lost", "lease", "loss", "message"),
  /** A node could not become ready, and others have. */
  NODE_FAILED("node_failed", Details.NODE),
  /** A node could not become ready, and no other has: requests are limited to one at a time. */
  NODE_FAILED_AND_NONE_READY("node_failed_and_none_ready", Details.NODE),
  ATTEMPT_DOES_NOT_END("attempt_does_not_end", "lease", "attempt"),
  TERMINATED_UNRELEASED("terminated_unreleased", "lease"),
  NEVER_LAUNCHED("never_launched", "lease"),
  CONTROLLER_SUSPENDED("controller_suspended"),
  CONTROLLER_RESUMED("controller_resumed"),
  FAILED_TRIALS_RETRIED("failed_trials_retried", List.of(), List.of("trial")),
  /** They failed in an earlier group than the one that continues. */
  FAILED_TRIALS_KEPT("failed_trials_kept", List.of(), List.of("trial")),

  STOPPED_BY("stopped_by", "who"),
  STOPPED_AT_BUDGET("stopped_at_budget"),
  STOPPED_AT_GUARD("stopped_at_guard"),
  STOPPED_AT_BUDGET_BEFORE_GROUP("stopped_at_budget_before_group", "group"),
  STOPPED_AT_DEADLINE("stopped_at_deadline"),
  NO_OFFER_IN_BUDGET("no_offer_in_budget"),
  NO_OFFER_LEFT("no_offer_left"),
  OFFERS_UNAVAILABLE("offers_unavailable", List.of(), List.of("offer", "message")),
  /** An earlier version ended runs after the first failed setup. */
  SETUP_FAILED("setup_failed", "lease", "message"),
  /** The first failed node, and the one with the most frequent failure if that is another one. */
  NO_NODE_READY("no_node_ready", List.of(), Details.NODE),
  TOO_MANY_INSTANCES_LOST("too_many_instances_lost", "count", "group"),
  NO_TRIAL_LEFT("no_trial_left", "group"),
  NO_RESULT_IN_TIME("no_result_in_time"),
  NO_TRIAL_SUCCEEDED("no_trial_succeeded", "group"),
  METRIC_UNUSABLE(
      "metric_unusable",
      List.of("group", "metric", "trials_without", "trials_invalid"),
      List.of("reported_instead")),
  /** The sampler proposed no usable configuration, and the run stops. */
  STOPPED_WITHOUT_PROPOSAL("stopped_without_proposal", "error"),
  /** Trials have failed for the same cause, and none has succeeded. */
  STOPPED_AFTER_EQUAL_FAILURES("stopped_after_equal_failures", "trials", "cause", "text"),
  TOO_MANY_TRIALS_FAILED("too_many_trials_failed", "failed", "limit");

  /** Details that several reasons share. */
  private static final class Details {
    /** A failed node, the step that failed, and the cause with the end of the step's output. */
    private static final List<String> NODE = List.of("lease", "step", "message");

    /** A {@link ReplanResponse.DeadlineOutlook}, and whether the budget is sufficient. */
    private static final List<String> OUTLOOK = List.of("deadline_outlook", "in_budget");

    /** A group with its new and its earlier allocation. */
    private static final List<String> CHANGE =
        List.of(
            "group",
            "instances",
            "offer",
            "gpus_per_trial",
            "trials_per_gpu",
            "before_instances",
            "before_offer",
            "before_gpus_per_trial",
            "before_trials_per_gpu");
  }

  private final String wireName;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> details;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> repeated;

  ReasonCode(String wireName, String... details) {
    this(wireName, List.of(details), List.of());
  }

  ReasonCode(String wireName, List<String> details) {
    this(wireName, details, List.of());
  }

  ReasonCode(String wireName, List<String> details, List<String> repeated) {
    this.wireName = wireName;
    this.details = details;
    this.repeated = repeated;
  }

  @Override
  public String wireName() {
    return wireName;
  }

  @Override
  public List<String> details() {
    return details;
  }

  @Override
  public List<String> repeated() {
    return repeated;
  }
}

package io.elastune.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.provisioner.CloudImpairment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class DecisionTextTest {
  private static final String RESUME =
      "; with a higher budget it continues: elastune resume test-1 --budget USD";
  private static final Map<String, Double> PLANS =
      Map.of("stay_s", 60.0, "stay_usd", 5.0, "move_s", 30.0, "move_usd", 4.126);
  private static final Map<String, Double> CLOSING =
      Map.of("trials", 16.0, "running", 1.0, "instances", 2.0, "gpus_per_trial", 4.0);

  private static Map<String, Double> spot(double deadlineS) {
    Map<String, Double> numbers = new TreeMap<>(PLANS);
    numbers.put("deadline_s", deadlineS);
    numbers.put("lost_instances", 3.0);
    numbers.put("instance_hours", 2.5);
    return numbers;
  }

  private static Arguments text(String text, Reason code, String... details) {
    return text(text, Map.of(), code, details);
  }

  private static Arguments text(
      String text, Map<String, Double> numbers, Reason code, String... details) {
    return arguments(DecisionReason.of(code, details), numbers, text);
  }

  static Stream<Arguments> texts() {
    return Stream.of(plans(), limits(), instances(), outcomes()).flatMap(List::stream);
  }

  private static List<Arguments> plans() {
    return List.of(
        text("approved: finish 1 h", ReasonCode.PLAN_APPROVED, "approved: finish 1 h"),
        text(
            "16 trials to unit 2 on 3 x aws/x",
            Map.of("trials", 16.0, "instances", 3.0),
            ReasonCode.GROUP_STARTED,
            "2",
            "aws/x"),
        text(
            "measuring 1 trial on 1 x aws/x: unit 1, then more units until the times are known, at"
                + " most to unit 2",
            Map.of("trials", 1.0, "instances", 1.0),
            ReasonCode.GROUP_MEASURED,
            "2",
            "aws/x"),
        text(
            "1 trial to unit 2 on 1 x aws/x",
            Map.of("trials", 1.0, "instances", 1.0),
            ReasonCode.GROUP_STARTED,
            "2",
            "aws/x"),
        text(
            "measuring 4 GPUs per trial: would change the predicted cost by at most 10% and cost"
                + " $0.50",
            Map.of("gain_usd", 1.5, "gain_share", 0.1, "cost_usd", 0.5),
            ReasonCode.MEASUREMENT_CHOSEN,
            "4"),
        text(
            "measuring 2 trials per GPU: would change the predicted cost by at most 10% and cost"
                + " $0.50",
            Map.of("gain_usd", 1.5, "gain_share", 0.1, "cost_usd", 0.5),
            ReasonCode.SHARING_CHOSEN,
            "2"),
        text(
            "measuring other configurations, which costs nothing: so far, the time of the search is"
                + " known to ±32.9%",
            Map.of("error", 0.2), // of an earlier version
            ReasonCode.FURTHER_CONFIGURATIONS),
        text(
            "measuring other configurations, which costs nothing and takes at most 1m58s: so far,"
                + " the time of the search is known to ±32.9%",
            Map.of("error", 0.2, "left_s", 118.0), ReasonCode.FURTHER_CONFIGURATIONS),
        text(
            "the plan is decided: another measurement would change the predicted completion time"
                + " by at most 1% and take 30s",
            Map.of("gain_s", 2.0, "gain_share", 0.01, "cost_s", 30.0), ReasonCode.PLAN_DECIDED),
        text(
            "profile.max_usd and profile.max_time allow no further measurement",
            Map.of(),
            ReasonCode.MEASUREMENT_LIMIT_REACHED),
        text(
            "trial 3 needs no more training after unit 5",
            Map.of("unit", 5.0),
            ReasonCode.TRIAL_ENDED_EARLY,
            "3",
            "5"),
        text(
            "2 of 4 trials of group 1 continue: 3 with 0.91, 7 with 0.88; next best 0.5",
            Map.of(
                "kept",
                2.0,
                "alive",
                4.0,
                "metric_3",
                0.91,
                "metric_7",
                0.88,
                "metric_best_other",
                0.5),
            ReasonCode.TRIALS_PROMOTED,
            "1",
            "3",
            "7"),
        text( // of an earlier version
            "2 of 4 trials of group 1 continue: [3, 7]",
            Map.of("kept", 2.0, "alive", 4.0),
            ReasonCode.TRIALS_PROMOTED,
            "1",
            "3",
            "7"),
        text(
            "trial 3 is among the best at unit 5: trained to unit 15",
            ReasonCode.TRIAL_PROMOTED,
            "3",
            "5",
            "15"),
        text(
            "the best metric 0.93 has not improved by more than 0.001 for 20m and 12 fully trained"
                + " trials: the search ends",
            Map.of("metric", 0.93, "trials", 12.0, "seconds", 1200.0, "min_gain", 0.001),
            ReasonCode.PLATEAU_REACHED),
        text("trial 3 is not among the best at unit 5", ReasonCode.TRIAL_NOT_PROMOTED, "3", "5"),
        text(
            "trial 3 changes from 1/2 of a GPU to 4 GPUs",
            ReasonCode.TRIAL_RESIZED,
            "3",
            "1/2",
            "4"),
        text("trial 3 is behind at unit 4: paused", ReasonCode.TRIAL_PAUSED, "3", "4"),
        text(
            "trial 3 ends at unit 4: too little time is left",
            ReasonCode.TRIAL_NOT_RESUMED,
            "3",
            "4"),
        text(
            "too little time is left after 16 trials: 1 trial running",
            CLOSING,
            ReasonCode.NO_TIME_FOR_TRIAL,
            "aws/x"),
        text("the search ends at its deadline", ReasonCode.SEARCH_ENDED_AT_DEADLINE),
        text(
            "the time of search.stop.time has passed: the search ends",
            ReasonCode.SEARCH_ENDED_AT_TIME),
        text(
            "trial 3 waits after unit 4: another one takes its turn",
            ReasonCode.TRIAL_PREEMPTED,
            "3",
            "4"),
        text(
            "all 16 trials have started: 1 trial running; at most 2 instances from now on, with 4"
                + " GPUs per trial",
            CLOSING,
            ReasonCode.ALL_TRIALS_STARTED,
            "aws/x"),
        text(
            "the forecast exceeds the budget after 16 trials: 1 trial running; at most 2 instances"
                + " from now on, with 4 GPUs per trial",
            CLOSING,
            ReasonCode.BUDGET_TOO_LOW_FOR_TRIAL,
            "aws/x"),
        text(
            "the deadline has passed after 16 trials: 1 trial running; at most 2 instances from"
                + " now on, with 4 GPUs per trial",
            CLOSING,
            ReasonCode.DEADLINE_PASSED_FOR_TRIAL,
            "aws/x"),
        text(
            "trial 3 has reached the target at unit 5: the search ends",
            ReasonCode.TARGET_REACHED,
            "3",
            "5"),
        text(
            "the sampler proposed nothing: its process has ended; trials 5 and 6 with random"
                + " configurations",
            Map.of("trials", 2.0),
            ReasonCode.SAMPLER_FAILED,
            "its process has ended",
            "5",
            "6"),
        text(
            "the sampler proposed nothing again: its process has ended; it is not asked any more;"
                + " trial 7 with random configurations",
            Map.of("trials", 1.0),
            ReasonCode.SAMPLER_ABANDONED,
            "its process has ended",
            "7"),
        text(
            "the sampler proposed nothing: no optuna. Correct search.sampler or its Python"
                + " environment, then: elastune resume test-1",
            Map.of(),
            ReasonCode.STOPPED_WITHOUT_PROPOSAL,
            "no optuna"),
        text(
            "after group 1, trial 11 replaces trial 1 and continues trial 4; trial 12 replaces"
                + " trial 3 and continues trial 10",
            Map.of("replaced", 2.0),
            ReasonCode.TRIALS_REPLACED,
            "1",
            "11",
            "4",
            "1",
            "12",
            "10",
            "3"),
        text(
            "trials are 1.26x slower than profiled",
            Map.of("pace", 1.256),
            ReasonCode.TRIAL_SPEED_CHANGED),
        text(
            "group 2 on 3 x aws/x (2 GPU/trial) instead of 1 x aws/y (4 trials/GPU),"
                + " group 3 on 1 x aws/x (1 GPU/trial) instead of 2 x aws/x (1 GPU/trial)"
                + "; completes within 30s, for $4.13",
            PLANS,
            ReasonCode.BETTER_PLAN,
            "ON_TIME,true,2,3,aws/x,2,1,1,aws/y,1,4,3,1,aws/x,1,1,2,aws/x,1,1".split(",")),
        text(
            "on demand instead of spot, which would not meet the deadline with the required"
                + " confidence (3 instances lost in 2.5 instance-hours): group 2 on 3 x aws/x"
                + " (2 GPU/trial) instead of 1 x aws/y (1 GPU/trial); completes within 30s, for"
                + " $4.13",
            spot(50),
            ReasonCode.SPOT_LEFT,
            "ON_TIME,true,2,3,aws/x,2,1,1,aws/y,1,1".split(",")),
        text(
            "on demand instead of spot, which costs more with its preemptions (3 instances lost"
                + " in 2.5 instance-hours): group 2 on 3 x aws/x (2 GPU/trial) instead of"
                + " 1 x aws/y (1 GPU/trial); completes within 30s, for $4.13",
            spot(90),
            ReasonCode.SPOT_LEFT,
            "ON_TIME,true,2,3,aws/x,2,1,1,aws/y,1,1".split(",")),
        text(
            "spot instead of on demand, which the deadline allows: group 2 on 3 x aws/x"
                + " (2 GPU/trial) instead of 1 x aws/y (1 GPU/trial); completes within 30s, for"
                + " $4.13",
            PLANS,
            ReasonCode.SPOT_USED,
            "ON_TIME,true,2,3,aws/x,2,1,1,aws/y,1,1".split(",")),
        text(
            "another place (3 instances lost in 2.5 instance-hours): group 2 on 3 x aws/x"
                + " (2 GPU/trial) instead of 1 x aws/y (1 GPU/trial); completes within 30s, for"
                + " $4.13",
            spot(90),
            ReasonCode.PLACE_CHANGED,
            "ON_TIME,true,2,3,aws/x,2,1,1,aws/y,1,1".split(",")),
        text(
            "the offer is unavailable: group 2 on 3 x aws/x (2 GPU/trial) instead of"
                + " 1 x aws/y (1 GPU/trial); completes within 30s, for $4.13"
                + ": the deadline will probably be met; the budget is not sufficient",
            PLANS,
            ReasonCode.OFFER_REPLACED,
            "LIKELY,false,2,3,aws/x,2,1,1,aws/y,1,1".split(",")),
        text(
            "keeping the plan: it is still the best; completes within 1m, for $5.00"
                + ": the deadline can no longer be met",
            PLANS,
            ReasonCode.PLAN_STILL_BEST,
            "LATE",
            "true"),
        text(
            "keeping the plan: no alternative is worth switching to; completes within 1m, for"
                + " $5.00",
            PLANS,
            ReasonCode.ALTERNATIVES_NOT_BETTER_ENOUGH,
            "ON_TIME",
            "true"),
        text(
            "keeping the plan: a return to spot capacity needs new evidence since it was left;"
                + " completes within 1m, for $5.00",
            PLANS,
            ReasonCode.SPOT_RETURN_WITHOUT_EVIDENCE,
            "ON_TIME",
            "true"),
        text(
            "group 2 continues; 3 instances requested",
            Map.of("requested", 3.0),
            ReasonCode.GROUP_MOVED,
            "2"));
  }

  private static List<Arguments> limits() {
    Map<String, Double> late = Map.of("forecast_s", 130.0, "deadline_s", 100.0);
    Map<String, Double> early = Map.of("forecast_s", 70.0, "deadline_s", 100.0);
    Map<String, Double> budget =
        Map.of("needed_usd", 1234.5, "budget_usd", 1000.0, "asked_usd", 1600.126);
    return List.of(
        text("expected to end 30s after the deadline", late, ReasonCode.FORECAST_LATE),
        text(
            "expected to end 30s before the deadline again",
            early,
            ReasonCode.FORECAST_ON_TIME_AGAIN),
        text(
            "the deadline has passed; time without a controller counts toward it",
            ReasonCode.DEADLINE_PASSED_BEFORE_RESUME),
        text(
            "the remaining work takes longer than the deadline allows",
            ReasonCode.DEADLINE_TOO_SOON_AFTER_RESUME),
        text(
            "82% of the budget is spent or committed",
            Map.of("spent_usd", 30.0, "committed_usd", 11.0, "budget_usd", 50.0),
            ReasonCode.WARNING_LEVEL_REACHED),
        text(
            "the run needs about $1234.50 in total, more than its budget of $1000.00;"
                + " asking the user to allow $1600.13",
            budget,
            ReasonCode.BUDGET_TOO_LOW),
        text(
            "no budget set: the run needs about $11.00 and can still meet its deadline; spending"
                + " guard increased from $10.00 to $13.75",
            Map.of("needed_usd", 11.0, "before_usd", 10.0, "budget_usd", 13.75),
            ReasonCode.GUARD_INCREASED),
        text(
            "the run needs about $1234.50 in total, more than its spending guard of $1000.00;"
                + " asking the user to allow $1600.13",
            budget,
            ReasonCode.GUARD_TOO_LOW),
        text(
            "spent and committed cost would reach the spending guard",
            ReasonCode.GUARD_WOULD_BE_REACHED),
        text("the user increased the budget", ReasonCode.BUDGET_INCREASED, "the user"),
        text(
            "budget not increased (the user): the run stops when its budget is reached" + RESUME,
            ReasonCode.BUDGET_KEPT_RUN_STOPS,
            "the user"),
        text(
            "budget not increased (the user): the run starts no group that exceeds its budget"
                + RESUME,
            ReasonCode.BUDGET_KEPT_GROUPS_LIMITED,
            "the user"),
        text("spent and committed cost would reach the budget", ReasonCode.BUDGET_WOULD_BE_REACHED),
        text(
            "the budget does not cover 2 more x aws/x",
            ReasonCode.BUDGET_TOO_LOW_FOR_REQUEST,
            "2",
            "aws/x"),
        text(
            "the budget does not cover waiting for checkpoints",
            ReasonCode.BUDGET_TOO_LOW_FOR_CHECKPOINTS),
        text(
            "group 2 is not started: the forecast exceeds the budget",
            ReasonCode.BUDGET_TOO_LOW_FOR_GROUP,
            "2"),
        text("the deadline has passed", ReasonCode.DEADLINE_PASSED),
        text(
            "trial 5 has shown no sign of life (report, output or CPU activity) for 21s; the limit"
                + " is 20s; see trial.silence",
            Map.of("silence_s", 21.4, "most_s", 20.0),
            ReasonCode.TRIAL_SILENT,
            "5"),
        text(
            "trial 5 is active, but has not reported for 10m; the limit is 5m",
            Map.of("silence_s", 600.0, "most_s", 300.0),
            ReasonCode.TRIAL_WITHOUT_REPORT,
            "5"),
        text(
            "no contact to the nodes of trial 5; trials continue there, and are not checked for"
                + " hanging",
            ReasonCode.TRIAL_UNREACHABLE,
            "5"),
        text("no trial is without contact any more", ReasonCode.ALL_TRIALS_REACHABLE));
  }

  private static List<Arguments> instances() {
    Map<String, Double> none = Map.of("trials", 0.0);
    return List.of(
        text(
            "aws/us-east-1: the login is not accepted since 2026-11-29 12:04:00Z: ExpiredToken."
                + " Trials on running instances continue; 3 instances are billed $1.50/h meanwhile."
                + " Nothing is launched, renewed or terminated: nodes shut down by themselves after"
                + " their dead-man time. After a new login the run continues",
            Map.of("instances", 3.0, "usd_per_hour", 1.5),
            ReasonCode.CLOUD_IMPAIRED,
            "aws/us-east-1",
            CloudImpairment.LOGIN_EXPIRED.label(),
            "ExpiredToken",
            "2026-11-29T12:04:00Z"),
        text(
            "aws/us-east-1: the login is accepted again, and the run continues",
            ReasonCode.CLOUD_RECOVERED,
            "aws/us-east-1",
            CloudImpairment.LOGIN_EXPIRED.label()),
        text("l-1: idle, and not needed by the next group", ReasonCode.RELEASED_IDLE, "l-1"),
        text("l-1: the group continues with another offer", ReasonCode.RELEASED_AFTER_MOVE, "l-1"),
        text("l-1: lost; terminating it to be safe", ReasonCode.RELEASED_LOST, "l-1"),
        text("l-1: empty, and about to be preempted", ReasonCode.RELEASED_BEFORE_PREEMPTION, "l-1"),
        text("l-1: the run is ending", ReasonCode.RELEASED_AT_END, "l-1"),
        text(
            "l-1: listed by the cloud, but not held by this run",
            ReasonCode.RELEASED_UNKNOWN,
            "l-1"),
        text(
            "l-1: not needed until capacity is available",
            ReasonCode.RELEASED_WHILE_WAITING,
            "l-1"),
        text("l-1: sold out", ReasonCode.INSTANCE_REFUSED, "l-1", "sold out"),
        text(
            "group 2 waits for capacity: next retry in 2m, waited 1m of 30m; a/b is unavailable:"
                + " sold out",
            Map.of("waited_s", 60.0, "wait_s", 1800.0, "retry_in_s", 120.0),
            ReasonCode.WAITING_FOR_CAPACITY,
            "2",
            "a/b",
            "sold out"),
        text(
            "group 2 has instances after waiting 1m",
            Map.of("waited_s", 60.0),
            ReasonCode.CAPACITY_AVAILABLE,
            "2"),
        text("l-1 is charged a different price than planned", ReasonCode.PRICE_DIFFERS, "l-1"),
        text("l-1: soon", ReasonCode.PREEMPTION_AT_END, "l-1", "soon"),
        text("l-1: soon; no trial runs on it", none, ReasonCode.PREEMPTION, "l-1", "soon"),
        text(
            "l-1: soon; 1 trial writes a checkpoint and moves to another instance",
            Map.of("trials", 1.0),
            ReasonCode.PREEMPTION,
            "l-1",
            "soon"),
        text(
            "l-1: soon; 2 trials write checkpoints and move to another instance",
            Map.of("trials", 2.0),
            ReasonCode.PREEMPTION,
            "l-1",
            "soon"),
        text("l-1 PREEMPTED: gone", ReasonCode.INSTANCE_LOST, "l-1", "PREEMPTED", "gone"),
        text(
            "l-1: launching aws/x in a failed: not today [Odd]; trying another zone or offer",
            Map.of("equal_failures", 1.0),
            ReasonCode.LAUNCH_FAILED,
            "l-1",
            "aws/x",
            "a",
            "not today [Odd]"),
        text(
            "l-1: launching aws/x failed again, as 9 times before: not today [Odd]; trying another"
                + " zone or offer",
            Map.of("equal_failures", 10.0),
            ReasonCode.LAUNCH_FAILED,
            "l-1",
            "aws/x",
            "",
            "not today [Odd]"),
        text(
            "l-1 is released, $0.12 lost so far: setup failed: exit 4; last lines:\nno wheel",
            Map.of("lost_usd", 0.12),
            ReasonCode.NODE_FAILED,
            "l-1",
            "SETUP",
            "exit 4; last lines:\nno wheel"),
        text(
            "l-1 is released, $0.12 lost so far; failed node 1 of at most 3 while none is ready:"
                + " node acceptance failed: no GPU",
            Map.of("lost_usd", 0.12, "failed_nodes", 1.0, "failed_nodes_limit", 3.0),
            ReasonCode.NODE_FAILED_AND_NONE_READY,
            "l-1",
            "ACCEPTANCE",
            "no GPU"),
        text("l-1: its node cannot become ready", ReasonCode.RELEASED_UNUSABLE, "l-1"),
        text("l-1: not needed until a node is ready", ReasonCode.RELEASED_UNTRIED, "l-1"),
        text(
            "l-1 LOST_CONTACT: attempt 7-1-1 does not end",
            ReasonCode.ATTEMPT_DOES_NOT_END,
            "l-1",
            "7-1-1"),
        text("l-1 terminated without being released", ReasonCode.TERMINATED_UNRELEASED, "l-1"),
        text("l-1 was never launched", ReasonCode.NEVER_LAUNCHED, "l-1"),
        text(
            "the controller did not run for 1m: trials are not measured by this time, which is"
                + " paid as usual",
            Map.of("seconds", 60.2),
            ReasonCode.CONTROLLER_SUSPENDED),
        text(
            "resumed after 30s without a controller; trials continue from their last checkpoints",
            Map.of("away_s", 30.0, "instances_asked", 0.0),
            ReasonCode.CONTROLLER_RESUMED),
        text(
            "resumed after 30s without a controller; querying the cloud for 1 instance not"
                + " confirmed as terminated; trials continue from their last checkpoints",
            Map.of("away_s", 30.0, "instances_asked", 1.0),
            ReasonCode.CONTROLLER_RESUMED),
        text(
            "resumed after 30s without a controller; querying the cloud for 2 instances not"
                + " confirmed as terminated; trials continue from their last checkpoints",
            Map.of("away_s", 30.0, "instances_asked", 2.0),
            ReasonCode.CONTROLLER_RESUMED),
        text(
            "trial 3 failed before and will be trained again",
            ReasonCode.FAILED_TRIALS_RETRIED,
            "3"),
        text(
            "trials 3, 4 and 7 failed before and will be trained again",
            ReasonCode.FAILED_TRIALS_RETRIED,
            "3",
            "4",
            "7"),
        text(
            "trial 1 stays failed: the trials of the present group were chosen without it",
            ReasonCode.FAILED_TRIALS_KEPT,
            "1"),
        text(
            "trials 1 and 2 stay failed: the trials of the present group were chosen without them",
            ReasonCode.FAILED_TRIALS_KEPT,
            "1",
            "2"));
  }

  private static List<Arguments> outcomes() {
    return List.of(
        text("stopped by Ctrl-C", ReasonCode.STOPPED_BY, "Ctrl-C"),
        text("stopped at the budget", ReasonCode.STOPPED_AT_BUDGET),
        text("stopped at the spending guard", ReasonCode.STOPPED_AT_GUARD),
        text(
            "stopped at the budget before group 2", ReasonCode.STOPPED_AT_BUDGET_BEFORE_GROUP, "2"),
        text("stopped at the deadline", ReasonCode.STOPPED_AT_DEADLINE),
        text("no available offer fits the budget", ReasonCode.NO_OFFER_IN_BUDGET),
        text("no available offer can continue this run", ReasonCode.NO_OFFER_LEFT),
        text(
            "aws/x is unavailable: sold out; aws/y is unavailable: quota",
            ReasonCode.OFFERS_UNAVAILABLE,
            "aws/x",
            "sold out",
            "aws/y",
            "quota"),
        text("setup failed on l-1: bad", ReasonCode.SETUP_FAILED, "l-1", "bad"),
        text(
            "no node can become ready. On l-1, pulling trial.image failed: exit 87",
            ReasonCode.NO_NODE_READY,
            "l-1",
            "IMAGE",
            "exit 87"),
        text(
            "no node can become ready. On l-1, the instance cannot join\n"
                + "Most frequent, such as on l-2: setup failed: exit 4",
            ReasonCode.NO_NODE_READY,
            "l-1",
            "JOIN",
            "the instance cannot join",
            "l-2",
            "SETUP",
            "exit 4"),
        text("5 instances were lost in group 2", ReasonCode.TOO_MANY_INSTANCES_LOST, "5", "2"),
        text("no trial is left for group 2", ReasonCode.NO_TRIAL_LEFT, "2"),
        text(
            "no trial reached its first target before search.stop.time",
            ReasonCode.NO_RESULT_IN_TIME),
        text("no trial of group 2 succeeded", ReasonCode.NO_TRIAL_SUCCEEDED, "2"),
        text(
            "no trial of group 1 reported a value of acc: 2 trials reported loss instead, 1 trial"
                + " reported NaN or infinity; report acc, or correct search.metric.name",
            ReasonCode.METRIC_UNUSABLE,
            "1",
            "acc",
            "2",
            "1",
            "loss"),
        text(
            "no trial of group 1 reported a value of acc: 3 trials reported NaN or infinity; check"
                + " the training for divergence, or narrow search.space",
            ReasonCode.METRIC_UNUSABLE,
            "1",
            "acc",
            "0",
            "3"),
        text(
            "3 trials failed for the same cause: out of memory: needs 3.1 GB of 2.0 GB",
            ReasonCode.FAILURES_EQUAL,
            "3",
            "out of memory",
            "needs 3.1 GB of 2.0 GB"),
        text(
            outOfMemory("used 3.1 GB of 8.0 GB", ": 2 of 3.1 GB fit in 8.0 GB"),
            ReasonCode.STOPPED_AFTER_EQUAL_FAILURES,
            "3",
            "out of memory",
            "used 3.1 GB of 8.0 GB"),
        text(
            outOfMemory("needs 3.1 GB of 2.0 GB", ": 3.1 GB do not fit in 2.0 GB"),
            ReasonCode.STOPPED_AFTER_EQUAL_FAILURES,
            "3",
            "out of memory",
            "needs 3.1 GB of 2.0 GB"),
        text(
            outOfMemory("used 0.1 GB of 24.0 GB", ""),
            ReasonCode.STOPPED_AFTER_EQUAL_FAILURES,
            "3",
            "out of memory",
            "used 0.1 GB of 24.0 GB"),
        text(
            "3 trials failed for the same cause, and none has succeeded: missing module:"
                + " elastune_trial. The package elastune_trial is missing in the Python that"
                + " trial.run starts. Install it there with 'python -m pip install PATH/python',"
                + " where PATH is the folder of Elastune, or copy elastune_trial.py next to the"
                + " script",
            ReasonCode.STOPPED_AFTER_EQUAL_FAILURES,
            "3",
            "missing module",
            "elastune_trial"),
        text(
            "3 trials failed for the same cause, and none has succeeded: missing module: xgboost"
                + " (R). Install the package for the R that trial.run starts, or add it to"
                + " trial.setup",
            ReasonCode.STOPPED_AFTER_EQUAL_FAILURES,
            "3",
            "missing module",
            "xgboost (R)"),
        text(
            "3 trials failed for the same cause, and none has succeeded: missing module: torch.nn."
                + " The package torch is missing in the Python that trial.run starts. Install it"
                + " there, add it to trial.setup, or select another interpreter with trial.python",
            ReasonCode.STOPPED_AFTER_EQUAL_FAILURES,
            "3",
            "missing module",
            "torch.nn"),
        text(
            "3 trials failed for the same cause, and none has succeeded: missing module:"
                + " elastune_trial in /usr/bin/python3. The package elastune_trial is missing in"
                + " this Python: /usr/bin/python3. Install it there with '/usr/bin/python3 -m pip"
                + " install PATH/python', where PATH is the folder of Elastune, or copy"
                + " elastune_trial.py next to the script",
            ReasonCode.STOPPED_AFTER_EQUAL_FAILURES,
            "3",
            "missing module",
            "elastune_trial in /usr/bin/python3"),
        text(
            "3 trials failed for the same cause, and none has succeeded: unreadable report: it is"
                + " longer than the limit of 64 KiB. Report fewer metrics, and write long values"
                + " such as arrays, images or texts to a file of the trial",
            ReasonCode.STOPPED_AFTER_EQUAL_FAILURES,
            "3",
            "unreadable report",
            "it is longer than the limit of 64 KiB"),
        text(
            "3 trials failed for the same cause, and none has succeeded: unreadable report:"
                + " \"unit\" is not an integer. Write each report as one JSON object in one line,"
                + " as docs/trial-protocol.md describes, or use the helper",
            ReasonCode.STOPPED_AFTER_EQUAL_FAILURES,
            "3",
            "unreadable report",
            "\"unit\" is not an integer"),
        text(
            "3 trials failed for the same cause, and none has succeeded: signal 11 (SIGSEGV)",
            ReasonCode.STOPPED_AFTER_EQUAL_FAILURES,
            "3",
            "signal",
            "11"),
        text(
            "2 trials failed, and search.max_failed_trials allows 1",
            ReasonCode.TOO_MANY_TRIALS_FAILED,
            "2",
            "1"),
        text("deadline missed; everything else completed", RunOutcome.DEADLINE_MISSED),
        text("cleanup is not confirmed", RunOutcome.CLEANUP_UNCONFIRMED));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void textOfEveryReason(DecisionReason reason, Map<String, Double> numbers, String text) {
    assertThat(DecisionText.of("test-1", reason, numbers)).isEqualTo(text);
  }

  @Test
  void everyReasonCodeHasATestedText() {
    assertThat(texts().map(arguments -> ((DecisionReason) arguments.get()[0]).code()))
        .contains(ReasonCode.values());
  }

  private static String outOfMemory(String amounts, String room) {
    return "3 trials failed for the same cause, and none has succeeded: out of memory: "
        + amounts
        + ". Narrow the hyperparameters that need memory, such as the batch size, run fewer trials"
        + " at once, or use GPUs or instances with more memory"
        + room;
  }
}

package io.elastune.cli.text;

import io.elastune.core.plan.RungRule;
import io.elastune.core.time.Durations;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.provisioner.PreparationStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The reason of a decision as text, with the command that helps where there is one. */
public final class DecisionText {
  /** Standard errors on either side of a mean that contain 90 % of a normal distribution. */
  private static final double NORMAL_90 = 1.6448536269514722;

  private final String run;
  private final DecisionReason reason;
  private final Map<String, Double> numbers;

  private DecisionText(String run, DecisionReason reason, Map<String, Double> numbers) {
    this.run = run;
    this.reason = reason;
    this.numbers = numbers;
  }

  /** Returns the text for the outcome of {@code run}. */
  public static String of(String run, DecisionReason reason) {
    return of(run, reason, Map.of());
  }

  /**
   * Returns the text for a decision of {@code run}.
   *
   * @param numbers the numbers of the decision
   */
  public static String of(String run, DecisionReason reason, Map<String, Double> numbers) {
    return new DecisionText(run, reason, numbers).text();
  }

  /** What an asynchronous search holds while it starts no new trial. */
  private String remaining() {
    return ": " + Plural.counted(count("running"), "trial") + " running";
  }

  private String closing() {
    return remaining()
        + "; at most "
        + Plural.counted(count("instances"), "instance")
        + " from now on, with "
        + Plural.counted(count("gpus_per_trial"), "GPU")
        + " per trial";
  }

  /** Returns the trial of a decision, with its bracket if the search has several. */
  private String trial() {
    return "trial "
        + detail(0)
        + (numbers.containsKey("bracket") ? " of bracket " + count("bracket") : "");
  }

  /** Returns the metric of the trial of a decision; empty if an earlier version made it. */
  private String metric() {
    double metric = numbers.getOrDefault("metric", Double.NaN);
    return Double.isFinite(metric) ? " with " + SignificantDigits.text(metric) : "";
  }

  /** Returns the trials that continue, with their metrics and the best one of the others. */
  private String promoted() {
    List<String> trials = reason.details().subList(1, reason.details().size());
    if (trials.stream().noneMatch(trial -> numbers.containsKey("metric_" + trial))) {
      return trials.toString();
    }
    double other = numbers.getOrDefault("metric_best_other", Double.NaN);
    return trials.stream()
            .map(
                trial ->
                    trial
                        + Optional.ofNullable(numbers.get("metric_" + trial))
                            .map(metric -> " with " + SignificantDigits.text(metric))
                            .orElse(""))
            .collect(Collectors.joining(", "))
        + (Double.isFinite(other) ? "; next best " + SignificantDigits.text(other) : "");
  }

  private String text() {
    return reason.code() instanceof ReasonCode code ? text(code) : outcome();
  }

  private String outcome() {
    return reason.code() == RunOutcome.CLEANUP_UNCONFIRMED
        ? "cleanup is not confirmed"
        : ((RunOutcome) reason.code()).meaning();
  }

  private String text(ReasonCode code) {
    return switch (code) {
      case PLAN_APPROVED -> detail(0);
      case GROUP_STARTED ->
          (count("trials") < RungRule.UNLIMITED
                  ? Plural.counted(count("trials"), "trial")
                  : "trials")
              + " to unit "
              + detail(0)
              + started();
      case GROUP_MEASURED ->
          "measuring "
              + Plural.counted(count("trials"), "trial")
              + started()
              + (detail(0).equals("1")
                  ? ""
                  : ": unit 1, then more units until the times are known, at most to unit "
                      + detail(0));
      case MEASUREMENT_CHOSEN ->
          "measuring "
              + Plural.counted(Integer.parseInt(detail(0)), "GPU")
              + " per trial: "
              + measurement();
      case SHARING_CHOSEN -> "measuring " + detail(0) + " trials per GPU: " + measurement();
      case FURTHER_CONFIGURATIONS ->
          "measuring other configurations, which costs nothing"
              + (numbers.containsKey("left_s")
                  ? " and takes at most " + Durations.format(number("left_s"))
                  : "")
              + ": so far, the time of the search is known to ±"
              + PercentFormat.gap(NORMAL_90 * number("error"));
      case PLAN_DECIDED -> "the plan is decided: another measurement " + measurement();
      case MEASUREMENT_LIMIT_REACHED ->
          "profile.max_usd and profile.max_time allow no further measurement";
      case TRIAL_ENDED_EARLY ->
          "trial " + detail(0) + " needs no more training after unit " + detail(1);
      case TRIALS_PROMOTED ->
          count("kept")
              + " of "
              + count("alive")
              + " trials of group "
              + detail(0)
              + " continue: "
              + promoted();
      case TRIALS_REPLACED -> "after group " + detail(0) + ", " + replacements();
      case SAMPLER_FAILED -> "the sampler proposed nothing: " + detail(0) + "; " + randomTrials();
      case SAMPLER_ABANDONED ->
          "the sampler proposed nothing again: "
              + detail(0)
              + "; it is not asked any more; "
              + randomTrials();
      case STOPPED_WITHOUT_PROPOSAL ->
          "the sampler proposed nothing: "
              + detail(0)
              + ". Correct search.sampler or its Python environment, then: elastune resume "
              + run;
      case TRIAL_PROMOTED ->
          trial()
              + metric()
              + " is among the best at unit "
              + detail(1)
              + ": trained to unit "
              + detail(2);
      case ALL_TRIALS_STARTED -> "all " + count("trials") + " trials have started" + closing();
      case BUDGET_TOO_LOW_FOR_TRIAL ->
          "the forecast exceeds the budget after " + count("trials") + " trials" + closing();
      case DEADLINE_PASSED_FOR_TRIAL ->
          "the deadline has passed after " + count("trials") + " trials" + closing();
      case TARGET_REACHED ->
          "trial "
              + detail(0)
              + " has reached the target at unit "
              + detail(1)
              + ": the search ends";
      case PLATEAU_REACHED ->
          "the best metric "
              + SignificantDigits.text(number("metric"))
              + " has not improved"
              + (number("min_gain") > 0
                  ? " by more than " + SignificantDigits.text(number("min_gain"))
                  : "")
              + " for "
              + Durations.format(number("seconds"))
              + " and "
              + Plural.counted(count("trials"), "fully trained trial")
              + ": the search ends";
      case TRIAL_NOT_PROMOTED -> trial() + metric() + " is not among the best at unit " + detail(1);
      case TRIAL_RESIZED ->
          "trial " + detail(0) + " changes from " + gpus(detail(1)) + " to " + gpus(detail(2));
      case TRIAL_PREEMPTED ->
          "trial " + detail(0) + " waits after unit " + detail(1) + ": another one takes its turn";
      case TRIAL_PAUSED -> "trial " + detail(0) + " is behind at unit " + detail(1) + ": paused";
      case TRIAL_NOT_RESUMED ->
          "trial " + detail(0) + " ends at unit " + detail(1) + ": too little time is left";
      case NO_TIME_FOR_TRIAL ->
          "too little time is left after " + count("trials") + " trials" + remaining();
      case SEARCH_ENDED_AT_DEADLINE -> "the search ends at its deadline";
      case SEARCH_ENDED_AT_TIME -> "the time of search.stop.time has passed: the search ends";
      case FORECAST_LATE ->
          "expected to end "
              + Durations.format(number("forecast_s") - number("deadline_s"))
              + " after the deadline";
      case FORECAST_ON_TIME_AGAIN ->
          "expected to end "
              + Durations.format(number("deadline_s") - number("forecast_s"))
              + " before the deadline again";
      case DEADLINE_PASSED_BEFORE_RESUME ->
          "the deadline has passed; time without a controller counts toward it";
      case DEADLINE_TOO_SOON_AFTER_RESUME ->
          "the remaining work takes longer than the deadline allows";
      case TRIAL_SPEED_CHANGED ->
          speed(number("pace"))
              + (numbers.containsKey("reports") ? ", by " + count("reports") + " reports" : "");
      case BETTER_PLAN -> changes() + outlook("move");
      case SPOT_LEFT ->
          (isStayLate()
                  ? "on demand instead of spot, which would not meet the deadline with the required"
                      + " confidence"
                  : "on demand instead of spot, which costs more with its preemptions")
              + losses()
              + ": "
              + changes()
              + outlook("move");
      case SPOT_USED ->
          "spot instead of on demand, which the deadline allows"
              + losses()
              + ": "
              + changes()
              + outlook("move");
      case PLACE_CHANGED -> "another place" + losses() + ": " + changes() + outlook("move");
      case OFFER_REPLACED -> "the offer is unavailable: " + changes() + outlook("move");
      case PLAN_STILL_BEST -> "keeping the plan: it is still the best" + outlook("stay");
      case ALTERNATIVES_NOT_BETTER_ENOUGH ->
          "keeping the plan: no alternative is worth switching to" + outlook("stay");
      case SPOT_RETURN_WITHOUT_EVIDENCE ->
          "keeping the plan: a return to spot capacity needs new evidence since it was left"
              + outlook("stay");
      case GROUP_MOVED ->
          "group " + detail(0) + " continues; " + count("requested") + " instances requested";
      case WARNING_LEVEL_REACHED -> budgetShare() + " of the budget is spent or committed";
      case GUARD_INCREASED ->
          format(
              "no budget set: the run needs about $%.2f and can still meet its deadline; spending"
                  + " guard increased from $%.2f to $%.2f",
              number("needed_usd"), number("before_usd"), number("budget_usd"));
      case GUARD_TOO_LOW ->
          format(
              "the run needs about $%.2f in total, more than its spending guard of $%.2f; asking"
                  + " the user to allow $%.2f",
              number("needed_usd"), number("budget_usd"), number("asked_usd"));
      case GUARD_WOULD_BE_REACHED -> "spent and committed cost would reach the spending guard";
      case BUDGET_TOO_LOW ->
          format(
              "the run needs about $%.2f in total, more than its budget of $%.2f; asking the user"
                  + " to allow $%.2f",
              number("needed_usd"), number("budget_usd"), number("asked_usd"));
      case BUDGET_INCREASED -> detail(0) + " increased the budget";
      case BUDGET_KEPT_RUN_STOPS -> budgetKept("stops when its budget is reached");
      case BUDGET_KEPT_GROUPS_LIMITED -> budgetKept("starts no group that exceeds its budget");
      case BUDGET_WOULD_BE_REACHED -> "spent and committed cost would reach the budget";
      case BUDGET_TOO_LOW_FOR_REQUEST ->
          "the budget does not cover " + detail(0) + " more x " + detail(1);
      case BUDGET_TOO_LOW_FOR_CHECKPOINTS -> "the budget does not cover waiting for checkpoints";
      case BUDGET_TOO_LOW_FOR_GROUP ->
          "group " + detail(0) + " is not started: the forecast exceeds the budget";
      case DEADLINE_PASSED -> "the deadline has passed";
      case TRIAL_SILENT ->
          hung("has shown no sign of life (report, output or CPU activity)", "; see trial.silence");
      case TRIAL_WITHOUT_REPORT -> hung("is active, but has not reported", "");
      case TRIAL_UNREACHABLE ->
          "no contact to the nodes of trial "
              + detail(0)
              + "; trials continue there, and are not checked for hanging";
      case ALL_TRIALS_REACHABLE -> "no trial is without contact any more";
      case RELEASED_IDLE -> detail(0) + ": idle, and not needed by the next group";
      case RELEASED_AFTER_MOVE -> detail(0) + ": the group continues with another offer";
      case RELEASED_LOST -> detail(0) + ": lost; terminating it to be safe";
      case RELEASED_UNUSABLE -> detail(0) + ": its node cannot become ready";
      case RELEASED_UNTRIED -> detail(0) + ": not needed until a node is ready";
      case RELEASED_BEFORE_PREEMPTION -> detail(0) + ": empty, and about to be preempted";
      case RELEASED_AT_END -> detail(0) + ": the run is ending";
      case RELEASED_WHILE_WAITING -> detail(0) + ": not needed until capacity is available";
      case RELEASED_UNKNOWN -> detail(0) + ": listed by the cloud, but not held by this run";
      case INSTANCE_REFUSED, PREEMPTION_AT_END -> detail(0) + ": " + detail(1);
      case LAUNCH_FAILED -> launchFailed();
      case WAITING_FOR_CAPACITY -> waitingForCapacity();
      case CAPACITY_AVAILABLE ->
          "group "
              + detail(0)
              + " has instances after waiting "
              + Durations.format(number("waited_s"));
      case CLOUD_IMPAIRED -> CloudHealthText.impaired(reason, numbers);
      case CLOUD_RECOVERED -> CloudHealthText.recovered(reason);
      case PRICE_DIFFERS -> detail(0) + " is charged a different price than planned";
      case PREEMPTION -> detail(0) + ": " + detail(1) + "; " + moves(count("trials"));
      case INSTANCE_LOST -> detail(0) + " " + detail(1) + ": " + detail(2);
      case NODE_FAILED -> nodeFailed("");
      case NODE_FAILED_AND_NONE_READY ->
          nodeFailed(
              "; failed node "
                  + count("failed_nodes")
                  + " of at most "
                  + count("failed_nodes_limit")
                  + " while none is ready");
      case ATTEMPT_DOES_NOT_END ->
          detail(0) + " LOST_CONTACT: attempt " + detail(1) + " does not end";
      case TERMINATED_UNRELEASED -> detail(0) + " terminated without being released";
      case NEVER_LAUNCHED -> detail(0) + " was never launched";
      case CONTROLLER_SUSPENDED ->
          "the controller did not run for "
              + Durations.format(Math.rint(number("seconds")))
              + ": trials are not measured by this time, which is paid as usual";
      case CONTROLLER_RESUMED ->
          "resumed after "
              + Durations.format(number("away_s"))
              + " without a controller"
              + queried(count("instances_asked"))
              + "; trials continue from their last checkpoints";
      case FAILED_TRIALS_RETRIED ->
          numbered("trial", reason.details()) + " failed before and will be trained again";
      case FAILED_TRIALS_KEPT -> kept();
      case STOPPED_BY -> "stopped by " + detail(0);
      case STOPPED_AT_BUDGET -> "stopped at the budget";
      case STOPPED_AT_GUARD -> "stopped at the spending guard";
      case STOPPED_AT_BUDGET_BEFORE_GROUP -> "stopped at the budget before group " + detail(0);
      case STOPPED_AT_DEADLINE -> "stopped at the deadline";
      case NO_OFFER_IN_BUDGET -> "no available offer fits the budget";
      case NO_OFFER_LEFT -> "no available offer can continue this run";
      case OFFERS_UNAVAILABLE -> offersUnavailable();
      case SETUP_FAILED -> "setup failed on " + detail(0) + ": " + detail(1);
      case NO_NODE_READY -> noNodeReady();
      case TOO_MANY_INSTANCES_LOST -> detail(0) + " instances were lost in group " + detail(1);
      case NO_TRIAL_LEFT -> "no trial is left for group " + detail(0);
      case NO_RESULT_IN_TIME -> "no trial reached its first target before search.stop.time";
      case NO_TRIAL_SUCCEEDED -> "no trial of group " + detail(0) + " succeeded";
      case METRIC_UNUSABLE -> metricUnusable();
      case FAILURES_EQUAL ->
          trials(detail(0)) + " failed for the same cause: " + FailureText.of(detail(1), detail(2));
      case STOPPED_AFTER_EQUAL_FAILURES ->
          trials(detail(0))
              + " failed for the same cause, and none has succeeded: "
              + FailureText.of(detail(1), detail(2))
              + FailureText.remedy(detail(1), detail(2)).map(it -> ". " + it).orElse("");
      case TOO_MANY_TRIALS_FAILED ->
          trials(detail(0)) + " failed, and search.max_failed_trials allows " + detail(1);
    };
  }

  /** Names a failed node, what was paid for it, and the cause with the end of the output. */
  private String nodeFailed(String count) {
    return detail(0)
        + " is released, "
        + UsdFormat.format(number("lost_usd"))
        + " lost so far"
        + count
        + ": "
        + failure(reason.details());
  }

  /**
   * Returns why a node could not become ready, with the end of its output.
   *
   * @param reason of {@link ReasonCode#NODE_FAILED} or {@link
   *     ReasonCode#NODE_FAILED_AND_NONE_READY}
   */
  public static String nodeFailure(DecisionReason reason) {
    return failure(reason.details());
  }

  /** The step that failed, and why; messages of nodes that do not join name that themselves. */
  private static String failure(List<String> node) {
    PreparationStep step = PreparationStep.valueOf(node.get(1));
    return (step == PreparationStep.JOIN ? "" : step.label() + " failed: ") + node.get(2);
  }

  /** Names an unexplained failure of a launch, and how often it has occurred. */
  private String launchFailed() {
    int count = count("equal_failures");
    return detail(0)
        + ": launching "
        + detail(1)
        + (detail(2).isEmpty() ? "" : " in " + detail(2))
        + " failed"
        + (count > 1 ? " again, as " + (count - 1) + " times before" : "")
        + ": "
        + detail(3)
        + "; trying another zone or offer";
  }

  private String noNodeReady() {
    List<List<String>> nodes = repeated();
    List<String> first = nodes.get(0);
    String text = "no node can become ready. On " + first.get(0) + ", " + failure(first);
    if (nodes.size() == 1) {
      return text;
    }
    List<String> frequent = nodes.get(1);
    return text + "\nMost frequent, such as on " + frequent.get(0) + ": " + failure(frequent);
  }

  /** Names the metric, what the trials reported instead, and the remedy. */
  private String metricUnusable() {
    String metric = detail(1);
    List<String> instead = reason.details().subList(4, reason.details().size());
    List<String> parts = new ArrayList<>();
    boolean isMissing = !detail(2).equals("0");
    if (isMissing) {
      String reported = instead.isEmpty() ? "no metric" : String.join(", ", instead) + " instead";
      parts.add(trials(detail(2)) + " reported " + reported);
    }
    if (!detail(3).equals("0")) {
      parts.add(trials(detail(3)) + " reported NaN or infinity");
    }
    return "no trial of group "
        + detail(0)
        + " reported a value of "
        + metric
        + ": "
        + String.join(", ", parts)
        + (isMissing
            ? "; report " + metric + ", or correct search.metric.name"
            : "; check the training for divergence, or narrow search.space");
  }

  /** Why a trial counts as hung, and the limit. */
  private String hung(String what, String remedy) {
    return "trial "
        + detail(0)
        + " "
        + what
        + " for "
        + Durations.format(Math.floor(number("silence_s")))
        + "; the limit is "
        + Durations.format(Math.floor(number("most_s")))
        + remedy;
  }

  /** What the best remaining measurement would change, and what it takes. */
  private String measurement() {
    boolean inSeconds = numbers.containsKey("gain_s");
    return "would change the predicted "
        + (inSeconds ? "completion time" : "cost")
        + " by at most "
        + PercentFormat.gap(number("gain_share"))
        + (inSeconds
            ? " and take " + Durations.format(number("cost_s"))
            : " and cost " + UsdFormat.format(number("cost_usd")));
  }

  private static String speed(double pace) {
    return pace < 1
        ? format("trials are %.2fx faster than profiled", 1 / pace)
        : format("trials are %.2fx slower than profiled", pace);
  }

  private String budgetShare() {
    double usd = number("spent_usd") + number("committed_usd");
    return PercentFormat.share(usd / number("budget_usd"));
  }

  private String kept() {
    boolean one = reason.details().size() == 1;
    return numbered("trial", reason.details())
        + (one ? " stays" : " stay")
        + " failed: the trials of the present group were chosen without "
        + (one ? "it" : "them");
  }

  private String started() {
    return " on " + count("instances") + " x " + detail(1) + checkpoints();
  }

  private String checkpoints() {
    if (!numbers.containsKey("checkpoint_every")) {
      return "";
    }
    long every = count("checkpoint_every");
    return every == 0
        ? ", checkpoints only at its end"
        : ", a checkpoint every " + Plural.counted(every, "unit");
  }

  /** E.g. {@code trials 2, 3 and 5}. */
  private static String numbered(String noun, List<String> numbers) {
    return noun
        + (numbers.size() == 1 ? " " : "s ")
        + String.join(", ", numbers).replaceFirst(", ([^,]*)$", " and $1");
  }

  private static String trials(String count) {
    return Plural.counted(Long.parseLong(count), "trial");
  }

  /** E.g. "trial 11 replaces trial 1 and continues trial 4". */
  private String replacements() {
    return repeated().stream()
        .map(
            parts ->
                "trial %s replaces trial %s and continues trial %s"
                    .formatted(parts.get(0), parts.get(2), parts.get(1)))
        .collect(Collectors.joining("; "));
  }

  private String randomTrials() {
    return numbered("trial", reason.details().subList(1, reason.details().size()))
        + " with random configurations";
  }

  private String detail(int index) {
    return reason.details().get(index);
  }

  private double number(String name) {
    return numbers.getOrDefault(name, Double.NaN);
  }

  /** A number of GPUs, or the part of one that a trial has. */
  private static String gpus(String width) {
    return width.contains("/")
        ? width + " of a GPU"
        : Plural.counted(Integer.parseInt(width), "GPU");
  }

  private int count(String name) {
    return (int) number(name);
  }

  private static String format(String text, Object... values) {
    return String.format(Locale.ROOT, text, values);
  }

  private String budgetKept(String consequence) {
    return "budget not increased ("
        + detail(0)
        + "): the run "
        + consequence
        + "; with a higher budget it continues: "
        + ResumeCommands.resume(run)
        + " --budget USD";
  }

  private static String moves(int trials) {
    return trials == 0
        ? "no trial runs on it"
        : trials
            + (trials == 1
                ? " trial writes a checkpoint and moves"
                : " trials write checkpoints and move")
            + " to another instance";
  }

  private static String queried(int instances) {
    return instances == 0
        ? ""
        : "; querying the cloud for "
            + instances
            + (instances == 1 ? " instance" : " instances")
            + " not confirmed as terminated";
  }

  private String waitingForCapacity() {
    String cause = offersUnavailable();
    return "group "
        + detail(0)
        + " waits for capacity: next retry in "
        + Durations.format(number("retry_in_s"))
        + ", waited "
        + Durations.format(number("waited_s"))
        + " of "
        + Durations.format(number("wait_s"))
        + (cause.isEmpty() ? "" : "; " + cause);
  }

  private String offersUnavailable() {
    List<String> texts = new ArrayList<>();
    for (List<String> offer : repeated()) {
      texts.add(offer.get(0) + " is unavailable: " + offer.get(1));
    }
    return String.join("; ", texts);
  }

  /** The groups whose allocation changes. */
  private boolean isStayLate() {
    return numbers.containsKey("stay_s")
        && numbers.containsKey("deadline_s")
        && number("stay_s") > number("deadline_s");
  }

  /** The instances that the run has lost on the offers in use. */
  private String losses() {
    return numbers.containsKey("lost_instances")
        ? format(
            " (%s lost in %.1f instance-hours)",
            Plural.counted(count("lost_instances"), "instance"), number("instance_hours"))
        : "";
  }

  private String changes() {
    List<String> texts = new ArrayList<>();
    for (List<String> change : repeated()) {
      texts.add(
          "group "
              + change.get(0)
              + " on "
              + allocation(change.subList(1, 5))
              + " instead of "
              + allocation(change.subList(5, 9)));
    }
    return String.join(", ", texts);
  }

  private static String allocation(List<String> parts) {
    String size =
        parts.get(3).equals("1") ? parts.get(2) + " GPU/trial" : parts.get(3) + " trials/GPU";
    return parts.get(0) + " x " + parts.get(1) + " (" + size + ")";
  }

  /** The expected end and cost of a plan; the first two details are its outlook. */
  private String outlook(String plan) {
    String late =
        switch (ReplanResponse.DeadlineOutlook.valueOf(detail(0))) {
          case LATE -> ": the deadline can no longer be met";
          case LIKELY -> ": the deadline will probably be met";
          case ON_TIME -> "";
        };
    return "; completes within "
        + Durations.format(number(plan + "_s"))
        + format(", for $%.2f", number(plan + "_usd"))
        + late
        + (Boolean.parseBoolean(detail(1)) ? "" : "; the budget is not sufficient");
  }

  /** The repeated details, one list per repetition. */
  private List<List<String>> repeated() {
    Reason code = reason.code();
    List<List<String>> all = new ArrayList<>();
    int size = code.repeated().size();
    for (int i = code.details().size(); i < reason.details().size(); i += size) {
      all.add(reason.details().subList(i, i + size));
    }
    return all;
  }
}

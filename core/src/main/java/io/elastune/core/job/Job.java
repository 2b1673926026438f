package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.field.Word;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.PolicyOptions;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A hyperparameter tuning job: the search, the trials, the resources, the deadline and the budget.
 * At least one of deadline and budget is present.
 */
@FileSection(title = "", doc = "A hyperparameter tuning job.")
@RecordBuilder
public record Job(
    @FileField(
            doc = "Name of the job; the names of its runs start with it.",
            example = "resnet-cifar")
        String name,
    @FileField(
            doc =
                "Latest completion time, from the start of the command, without the time at the"
                    + " prompt. Profiling counts.",
            without = "none; required without a budget",
            example = "3h")
        Optional<Deadline> deadline,
    @FileField(
            doc = "Highest cost of a run.",
            without = "none; at least one of deadline and budget is required",
            example = "{usd: 45}")
        Optional<Budget> budget,
    @FileField(
            doc = "Probability with which the deadline and the budget are each to be met.",
            absent = "0.95",
            example = "0.95")
        double confidence,
    @FileField(doc = "The hyperparameter search.", example = "") Search search,
    @FileField(doc = "How trials are executed.", example = "") TrialSpec trial,
    @FileField(doc = "Which offers may be rented.", without = "all defaults", example = "")
        Resources resources,
    @FileField(
            doc = "How the profile is obtained.",
            without = "all defaults",
            example = "{file: profile.yaml}")
        ProfilePolicy profile,
    @FileField(
            doc = "A node shuts itself down after this time without contact to the controller.",
            without = "15m; 20s when every infra is local",
            example = "15m")
        Duration deadMan,
    @FileField(
            doc =
                "What to do once the deadline has passed: `finish` continues, `close` starts no new"
                    + " trial (asha), `stop` stops the run.",
            absent = "finish",
            example = "finish")
        DeadlineMiss deadlineMiss,
    @FileField(
            name = "notify",
            doc = "Notifications about events of a run.",
            absent = "[]",
            example = "[{webhook: \"https://example.org/hook\"}]")
        List<Notification> notifications,
    @FileField(
            doc = "How a fixed cluster is divided among the trials.",
            absent = "list",
            example = "fluid")
        PolicyOptions policy,
    @FileField(
            doc = "Which plan that meets the limits is chosen.",
            without = "fastest if nothing is charged; else cheapest with a deadline, or balanced",
            example = "balanced")
        Optional<Preference> prefer) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,40}");

  /** What the controller does once the deadline has passed. */
  public enum DeadlineMiss implements Word {
    /** The run continues to its end. */
    FINISH,
    /** No new trial starts; only for a search made of rungs. */
    CLOSE,
    /** The run stops. */
    STOP
  }

  public Job {
    Preconditions.that(
        NAME.matcher(name).matches(),
        "name must be 1 to 40 of a-z, 0-9 and '-', not '" + name + "'");
    Preconditions.that(
        deadline.isPresent() || budget.isPresent(),
        "at least one of deadline and budget is required");
    Preconditions.that(
        confidence > 0 && confidence < 1, "confidence must be between 0 and 1, not " + confidence);
    notifications = List.copyOf(notifications);
  }

  /** Returns this job with another search. */
  public Job withSearch(Search other) {
    return JobBuilder.builder(this).search(other).build();
  }

  /** Returns this job with other resources. */
  public Job withResources(Resources other) {
    return JobBuilder.builder(this).resources(other).build();
  }

  /** Returns this job with a preference. */
  public Job withPrefer(Preference other) {
    return JobBuilder.builder(this).prefer(Optional.of(other)).build();
  }

  /** Whether the instances are requested at the start and held to the end. */
  public boolean hasFixedCluster() {
    return resources.instances().isPresent() || policy.choosesSizes();
  }

  /**
   * Returns the hourly costs while {@code workload} is trained: controller and checkpoint storage.
   */
  public HourlyCosts runningCosts(Workload workload) {
    return new HourlyCosts(
        resources.controllerUsdPerHour(), trial.checkpoints().usdPerHour(workload.trials()));
  }
}

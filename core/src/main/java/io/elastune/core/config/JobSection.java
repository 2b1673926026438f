package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.AshaOptions;
import io.elastune.core.job.Brackets;
import io.elastune.core.job.Budget;
import io.elastune.core.job.Deadline;
import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import io.elastune.core.job.Notification;
import io.elastune.core.job.ProfilePolicy;
import io.elastune.core.job.Resources;
import io.elastune.core.job.Search;
import io.elastune.core.job.SearchStop;
import io.elastune.core.job.TrialSpec;
import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.HyperSchedOptions;
import io.elastune.core.policy.ListOptions;
import io.elastune.core.policy.PolicyOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The top-level section of a job file. */
final class JobSection {
  private static final Duration DEAD_MAN = Duration.ofMinutes(15);
  private static final Duration LOCAL_DEAD_MAN = Duration.ofSeconds(20);

  private static final Field<Job, String> NAME =
      Field.required(
          "name",
          StringCodecs.matching(
              "name of 1 to 40 of a-z, 0-9 and '-'", Pattern.compile("[a-z0-9-]{1,40}")),
          Job::name,
          "Name of the job; the names of its runs start with it.",
          "resnet-cifar");
  private static final Field<Job, Deadline> DEADLINE =
      Field.optional(
          "deadline",
          QuantityCodecs.deadline(),
          "none; required without a budget",
          Job::deadline,
          "Latest completion time, from the start of the command, without the time at the prompt."
              + " Profiling counts.",
          "3h");
  private static final Field<Job, Budget> BUDGET =
      Field.optional(
          "budget",
          PolicySections.BUDGET,
          "none; at least one of deadline and budget is required",
          Job::budget,
          "Highest cost of a run.",
          "{usd: 45}");
  private static final Field<Job, Double> CONFIDENCE =
      Field.withDefault(
          "confidence",
          QuantityCodecs.fraction(true),
          0.95,
          Job::confidence,
          "Probability with which the deadline and the budget are each to be met.",
          "0.95");
  private static final Field<Job, Search> SEARCH =
      Field.required(
          "search", SearchSection.SECTION, Job::search, "The hyperparameter search.", "");
  private static final Field<Job, TrialSpec> TRIAL =
      Field.required("trial", TrialSection.SECTION, Job::trial, "How trials are executed.", "");
  private static final Field<Job, Resources> RESOURCES =
      Field.optional(
          "resources",
          ResourcesSection.SECTION,
          "all defaults",
          job -> Optional.of(job.resources()),
          "Which offers may be rented.",
          "");
  private static final Field<Job, ProfilePolicy> PROFILE =
      Field.optional(
          "profile",
          PolicySections.PROFILE,
          "all defaults",
          job -> Optional.of(job.profile()),
          "How the profile is obtained.",
          "{file: profile.yaml}");
  private static final Field<Job, Duration> DEAD_MAN_FIELD =
      Field.optional(
          "dead_man",
          QuantityCodecs.duration(Duration.ofSeconds(1)),
          "15m; 20s when every infra is local",
          job -> Optional.of(job.deadMan()),
          "A node shuts itself down after this time without contact to the controller.",
          "15m");
  private static final Field<Job, Job.DeadlineMiss> DEADLINE_MISS =
      Field.withDefault(
          "deadline_miss",
          StringCodecs.word(Job.DeadlineMiss.values()),
          Job.DeadlineMiss.FINISH,
          Job::deadlineMiss,
          "What to do once the deadline has passed: `finish` continues, `close` starts no new"
              + " trial (asha), `stop` stops the run.",
          "finish");
  private static final Field<Job, List<Notification>> NOTIFY =
      Field.withDefault(
          "notify",
          ListCodecs.of(PolicySections.NOTIFY),
          List.of(),
          Job::notifications,
          "Notifications about events of a run.",
          "[{webhook: \"https://example.org/hook\"}]");

  private static final Field<Job, PolicyOptions> POLICY =
      Field.withDefault(
          "policy",
          PolicyCodec.CODEC,
          ListOptions.DEFAULT,
          Job::policy,
          "How a fixed cluster is divided among the trials.",
          "fluid");

  static final Section<Job> SECTION =
      Section.<Job>of(
              "",
              "A hyperparameter tuning job.",
              List.of(
                  NAME,
                  DEADLINE,
                  BUDGET,
                  CONFIDENCE,
                  SEARCH,
                  TRIAL,
                  RESOURCES,
                  PROFILE,
                  DEAD_MAN_FIELD,
                  DEADLINE_MISS,
                  NOTIFY,
                  POLICY),
              JobSection::build)
          .withValidation(JobSection::check);

  private static final String MOVE_TAIL = "asha.move_tail";

  private JobSection() {}

  private static void check(FieldValues fieldValues) {
    checkDeadlineMiss(fieldValues);
    if (!fieldValues.isGiven(DEADLINE) && !fieldValues.isGiven(BUDGET)) {
      fieldValues.problem(DEADLINE, "at least one of deadline and budget is required", "");
    }
    checkTime(fieldValues);
    checkMoves(fieldValues);
    boolean copies =
        fieldValues.find(SEARCH).filter(s -> s.algorithm() == Algorithm.PBT).isPresent();
    if (copies && fieldValues.find(TRIAL).filter(trial -> !trial.resumable()).isPresent()) {
      fieldValues.problem(
          TRIAL,
          "resumable is false, but pbt copies checkpoints of trials",
          "save checkpoints, or use asha");
    }
    new PolicyCheck(fieldValues, POLICY, SEARCH, TRIAL, RESOURCES, DEADLINE).check();
  }

  /** A search that ends at a time needs a number of instances, and storage one of trials. */
  private static void checkTime(FieldValues fieldValues) {
    Optional<Search> search = fieldValues.find(SEARCH);
    Optional<RungRule.TimeLimit> time = search.flatMap(Search::stop).flatMap(SearchStop::time);
    if (time.isPresent() && !hasFixedCluster(fieldValues) && !fieldValues.isGiven(BUDGET)) {
      fieldValues.problem(
          SEARCH,
          "stop.time",
          "the number of instances follows from the budget",
          "set budget or resources.instances");
    }
    if (time.filter(it -> it.seconds().isEmpty()).isPresent() && !fieldValues.isGiven(DEADLINE)) {
      fieldValues.problem(
          SEARCH,
          "stop.time",
          "is the deadline, which is not given",
          "set deadline, or a duration");
    }
    boolean stores =
        fieldValues.find(TRIAL).filter(trial -> trial.checkpoints().usdPerHour(1) > 0).isPresent();
    if (search.filter(it -> !it.limitsTrials()).isPresent() && stores) {
      fieldValues.problem(
          SEARCH,
          "trials",
          "is missing: the cost of storing checkpoints depends on it",
          "set it, or leave out the size of checkpoints");
    }
  }

  /** The last trials of a search move to a plan with fewer instances, if it can have one. */
  private static void checkMoves(FieldValues fieldValues) {
    Optional<Search> search = fieldValues.find(SEARCH);
    if (search.flatMap(Search::asha).filter(AshaOptions::moveTail).isEmpty()) {
      return;
    }
    if (hasFixedCluster(fieldValues)) {
      fieldValues.problem(
          SEARCH,
          MOVE_TAIL,
          "has no effect on a fixed cluster, which holds its instances to the end",
          "leave it out, or let the planner choose the instances");
    } else if (search.flatMap(Search::stop).flatMap(SearchStop::time).isPresent()) {
      fieldValues.problem(
          SEARCH,
          MOVE_TAIL,
          "has no effect with stop.time, which ends all trials at once",
          "leave it out, or use trials");
    } else if (fieldValues.find(RESOURCES).filter(it -> it.maxInstances() == 1).isPresent()) {
      fieldValues.problem(
          SEARCH,
          MOVE_TAIL,
          "has no effect with max_instances: 1, because trials move to other instances",
          "leave it out, or allow more instances");
    } else if (fieldValues.find(TRIAL).filter(trial -> !trial.resumable()).isPresent()) {
      fieldValues.problem(
          SEARCH,
          MOVE_TAIL,
          "moves trials to other instances, and needs checkpoints",
          "leave it out, or save checkpoints");
    }
  }

  private static boolean hasFixedCluster(FieldValues fieldValues) {
    return fieldValues.find(RESOURCES).flatMap(Resources::instances).isPresent()
        || fieldValues.find(POLICY).filter(PolicyOptions::choosesSizes).isPresent();
  }

  private static void checkDeadlineMiss(FieldValues fieldValues) {
    boolean closes =
        fieldValues.find(DEADLINE_MISS).filter(Job.DeadlineMiss.CLOSE::equals).isPresent();
    if (closes
        && fieldValues.find(SEARCH).filter(s -> s.algorithm() != Algorithm.ASHA).isPresent()) {
      fieldValues.problem(DEADLINE_MISS, "close is used by asha only", "use finish or stop");
    }
  }

  private static Job build(FieldValues fieldValues) {
    Resources resources =
        fieldValues.find(RESOURCES).orElseGet(ResourcesSection.SECTION::allDefaults);
    boolean local = resources.infra().stream().allMatch(InfraCodec.LOCAL::equals);
    boolean isFixed = resources.instances().isPresent() || fieldValues.get(POLICY).choosesSizes();
    return new Job(
        fieldValues.get(NAME),
        fieldValues.find(DEADLINE),
        fieldValues.find(BUDGET),
        fieldValues.get(CONFIDENCE),
        onCluster(policySearch(fieldValues), isFixed, fieldValues.get(POLICY)),
        fieldValues.get(TRIAL),
        resources,
        fieldValues.find(PROFILE).orElseGet(PolicySections.PROFILE::allDefaults),
        fieldValues.find(DEAD_MAN_FIELD).orElse(local ? LOCAL_DEAD_MAN : DEAD_MAN),
        fieldValues.get(DEADLINE_MISS),
        fieldValues.get(NOTIFY),
        policyOfMetric(fieldValues));
  }

  private static PolicyOptions policyOfMetric(FieldValues fieldValues) {
    Metric.Goal goal = fieldValues.get(SEARCH).metric().goal();
    return fieldValues.get(POLICY).forMetric(goal == Metric.Goal.MINIMIZE);
  }

  /** HyperSched sets the variant of the search, and has another default of eta. */
  private static Search policySearch(FieldValues fieldValues) {
    Search search = fieldValues.get(SEARCH);
    if (!(fieldValues.get(POLICY) instanceof HyperSchedOptions)) {
      return search;
    }
    boolean hasEta =
        fieldValues.parts(SEARCH, SearchSection.ETA_CODEC).stream()
            .anyMatch(part -> part.name().equals("eta"));
    return search.forHyperSched(hasEta ? search.eta() : HyperSchedOptions.DEFAULT_ETA);
  }

  /**
   * On a fixed cluster, the brackets of hyperband share the instances. Under a policy that divides
   * them among the trials, one starts after the other.
   */
  private static Search onCluster(Search search, boolean isFixed, PolicyOptions policy) {
    return isFixed && search.hasOpenBrackets()
        ? search.withBrackets(policy.choosesSizes() ? Brackets.SEQUENTIAL : Brackets.SHARED)
        : search;
  }
}

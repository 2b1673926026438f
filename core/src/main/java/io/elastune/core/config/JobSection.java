package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.NearestName;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.AshaOptions;
import io.elastune.core.job.Brackets;
import io.elastune.core.job.Budget;
import io.elastune.core.job.CommandTemplate;
import io.elastune.core.job.Deadline;
import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import io.elastune.core.job.Resources;
import io.elastune.core.job.Search;
import io.elastune.core.job.SearchStop;
import io.elastune.core.job.TrainingResource;
import io.elastune.core.job.TrialSpec;
import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.HyperSchedOptions;
import io.elastune.core.policy.PolicyOptions;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The top-level section of a job file. */
final class JobSection {
  private static final Duration DEFAULT_DEAD_MAN = Duration.ofMinutes(15);
  private static final Duration LOCAL_DEAD_MAN = Duration.ofSeconds(20);

  private static final RecordSection<Job> FIELDS =
      RecordSection.define(Job.class)
          .codec(
              "name",
              StringCodecs.matching(
                  "name of 1 to 40 of a-z, 0-9 and '-'", Pattern.compile("[a-z0-9-]{1,40}")))
          .codec("deadline", QuantityCodecs.deadline())
          .codec("budget", PolicySections.BUDGET)
          .codec("confidence", QuantityCodecs.fraction(true))
          .codec("search", SearchSection.SECTION)
          .codec("trial", TrialSection.SECTION)
          .codec("resources", ResourcesSection.SECTION)
          .codec("profile", PolicySections.PROFILE)
          .codec("notifications", ListCodecs.of(PolicySections.NOTIFY))
          .codec("policy", PolicyCodec.CODEC)
          .codec("prefer", PreferenceCodec.CODEC)
          .computed("search", JobSection::onCluster)
          .computed("trial", JobSection::ofSearch)
          .computed("deadMan", JobSection::deadMan)
          .computed("policy", JobSection::policyOfMetric);
  private static final Field<Job, Deadline> DEADLINE = FIELDS.field("deadline");
  private static final Field<Job, Budget> BUDGET = FIELDS.field("budget");
  private static final Field<Job, Search> SEARCH = FIELDS.field("search");
  private static final Field<Job, TrialSpec> TRIAL = FIELDS.field("trial");
  private static final Field<Job, Resources> RESOURCES = FIELDS.field("resources");
  private static final Field<Job, Duration> DEAD_MAN = FIELDS.field("deadMan");
  private static final Field<Job, Job.DeadlineMiss> DEADLINE_MISS = FIELDS.field("deadlineMiss");
  private static final Field<Job, PolicyOptions> POLICY = FIELDS.field("policy");

  static final Section<Job> SECTION = FIELDS.section(JobSection::check);

  private static final String MOVE_TAIL = "asha.move_tail";

  private JobSection() {}

  private static void check(FieldValues fieldValues) {
    checkDeadlineMiss(fieldValues);
    if (!fieldValues.isGiven(DEADLINE) && !fieldValues.isGiven(BUDGET)) {
      fieldValues.problem(DEADLINE, "at least one of deadline and budget is required", "");
    }
    checkTime(fieldValues);
    checkMoves(fieldValues);
    checkCommand(fieldValues);
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

  /** Names in braces are those of hyperparameters, if the command uses any of these. */
  private static void checkCommand(FieldValues fieldValues) {
    Optional<Set<String>> space = fieldValues.find(SEARCH).map(search -> search.space().keySet());
    if (space.isEmpty()) {
      return;
    }
    Set<String> names = space.get();
    for (FieldValues.ValuePart<String> part : fieldValues.parts(TRIAL, StringCodecs.text())) {
      if (!part.name().equals("run")) {
        continue;
      }
      CommandTemplate command = new CommandTemplate(part.value());
      command
          .unknownNames(names, name -> NearestName.find(name, names).isPresent())
          .forEach(
              name ->
                  fieldValues.problem(
                      part,
                      "{%s} is not a hyperparameter of search.space".formatted(name),
                      NearestName.find(name, withPlaceholders(names))
                          .map(found -> "did you mean {%s}?".formatted(found))
                          .orElse("write {{%s}} for this text itself".formatted(name))));
      for (String all : command.placeholdersOfAll()) {
        if (names.contains(all)) {
          fieldValues.problem(
              part,
              "{%s} stands for all hyperparameters, and one has this name".formatted(all),
              "rename the hyperparameter " + all);
        }
      }
    }
  }

  private static Set<String> withPlaceholders(Set<String> names) {
    Set<String> all = new LinkedHashSet<>(names);
    all.addAll(CommandTemplate.ALL);
    return all;
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

  private static Duration deadMan(FieldValues fieldValues) {
    boolean local =
        fieldValues.find(RESOURCES).map(Resources::infra).stream()
            .flatMap(Collection::stream)
            .allMatch(InfraCodec.LOCAL::equals);
    return fieldValues.find(DEAD_MAN).orElse(local ? LOCAL_DEAD_MAN : DEFAULT_DEAD_MAN);
  }

  private static PolicyOptions policyOfMetric(FieldValues fieldValues) {
    Metric.Goal goal = fieldValues.get(SEARCH).metric().goal();
    return fieldValues.get(POLICY).forMetric(goal == Metric.Goal.MINIMIZE);
  }

  /** What is trained at once saves no checkpoints, unless the job states it. */
  private static TrialSpec ofSearch(FieldValues fieldValues) {
    TrialSpec trial = fieldValues.get(TRIAL);
    boolean stated =
        fieldValues.parts(TRIAL, TrialSection.RESUMABLE_CODEC).stream()
            .anyMatch(part -> part.name().equals("resumable"));
    boolean once = fieldValues.get(SEARCH).resource().equals(TrainingResource.ONE_SHOT);
    return once && !stated ? trial.notResumable() : trial;
  }

  /** HyperSched sets the variant of the search, and has another default of eta. */
  private static Search ofPolicy(FieldValues fieldValues) {
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
  private static Search onCluster(FieldValues fieldValues) {
    Search search = ofPolicy(fieldValues);
    boolean choosesSizes = fieldValues.get(POLICY).choosesSizes();
    return hasFixedCluster(fieldValues) && search.hasOpenBrackets()
        ? search.withBrackets(choosesSizes ? Brackets.SEQUENTIAL : Brackets.SHARED)
        : search;
  }
}

package io.elastune.plan.api;

import io.elastune.core.config.FileProblemsException;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.OverridesBuilder;
import io.elastune.core.config.PlanDocument;
import io.elastune.core.config.PlanFile;
import io.elastune.core.job.Job;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.inputs.AssumedNumbers;
import io.elastune.inputs.AssumedTraining;
import io.elastune.inputs.FoundPlan;
import io.elastune.inputs.FrontierChoice;
import io.elastune.inputs.GpuRatios;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.InputsLoader;
import io.elastune.inputs.JobLoader;
import io.elastune.inputs.JobProblems;
import io.elastune.inputs.KnownTimes;
import io.elastune.inputs.MissedChoiceException;
import io.elastune.inputs.PlanChoice;
import io.elastune.inputs.SuppliedPlan;
import io.elastune.inputs.TextFileReader;
import io.elastune.inputs.UnitTime;
import io.elastune.plan.LibraryEnvironment;
import io.elastune.plan.MostTrials;
import io.elastune.plan.PlanOptions;
import io.elastune.plan.PlanPrediction;
import io.elastune.plan.PlanSettings;
import io.elastune.plan.PlanSettingsBuilder;
import io.elastune.plan.TrialOrder;
import io.elastune.plan.estimate.CasePlanner;
import io.elastune.plan.estimate.CaseResult;
import io.elastune.plan.estimate.ComparisonDocument;
import io.elastune.plan.estimate.EstimateCase;
import io.elastune.plan.json.FoundPlanDocument;
import io.elastune.plan.json.InfeasibleDocument;
import io.elastune.plan.json.JsonDocuments;
import io.elastune.plan.json.PlannedGroup;
import io.elastune.planner.Planner;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.provisioner.CloudException;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.SamplingProgress;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Plans a tuning job: the same inputs give the same numbers as the commands {@code plan}, {@code
 * simulate} and {@code estimate}. Starts nothing and costs nothing.
 *
 * <p>An instance is immutable: each method that sets something returns a copy. Paths are relative
 * to the current folder. Reading and searching begin with {@link #best}, {@link #frontier}, {@link
 * #simulate}, {@link #estimate} or {@link #problems}.
 */
public final class Plans {
  private final PlanSettings settings;

  private Plans(PlanSettings settings) {
    this.settings = settings;
  }

  /** Returns the plans of a job file. */
  public static Plans of(Path job) {
    return new Plans(PlanSettings.of(job, InstantSource.system()));
  }

  /** Uses the offers in a file, as {@code --offers} does. */
  public Plans offers(Path file) {
    return override(builder -> builder.offers(Optional.of(settings.absolute(file))));
  }

  /** Uses the profiles in files, one for each GPU model, as {@code --profile} does. */
  public Plans profiles(Path... files) {
    List<String> names = new ArrayList<>(settings.overrides().profiles());
    for (Path file : files) {
      names.add(settings.absolute(file));
    }
    return override(builder -> builder.profiles(names));
  }

  /**
   * Uses training times in place of a profile. Nothing else is known then of the program, so
   * predictions are marked as assumed.
   *
   * @param gpu the GPU model
   * @param secondsPerUnit the seconds of a training unit by GPUs per trial
   */
  public Plans profile(String gpu, Map<Integer, Double> secondsPerUnit) {
    List<KnownTimes> all = new ArrayList<>(settings.known());
    all.add(new KnownTimes(gpu, secondsPerUnit));
    return set(builder -> builder.known(all));
  }

  /**
   * States the start-up of a trial, as {@code --startup} of {@code estimate} does. Otherwise, the
   * times of {@link #profile(String, Map)} include it.
   */
  public Plans startupSeconds(double seconds) {
    return set(builder -> builder.startupS(OptionalDouble.of(seconds)));
  }

  /**
   * States how much the durations of trials with the times of {@link #profile(String, Map)} differ,
   * as {@code --spread} of {@code estimate} does.
   *
   * @param variation the coefficient of variation, e.g. 0.05; otherwise none
   */
  public Plans spread(double variation) {
    return set(builder -> builder.trialCv(variation));
  }

  /** Uses other locations than the job, as {@code --infra} does. */
  public Plans infra(String... places) {
    return override(builder -> builder.infra(List.of(places)));
  }

  /** Uses another deadline than the job: {@code 3h}, or a date-time. */
  public Plans deadline(String when) {
    return override(builder -> builder.deadline(Optional.of(when)));
  }

  /** Uses another budget than the job. */
  public Plans budgetUsd(double usd) {
    return override(builder -> builder.budget(Optional.of(number(usd))));
  }

  /** Uses another required probability of meeting each limit. */
  public Plans confidence(double probability) {
    return override(builder -> builder.confidence(Optional.of(number(probability))));
  }

  /** Uses another market: {@code on-demand}, {@code spot} or {@code auto}. */
  public Plans market(String name) {
    return override(builder -> builder.market(Optional.of(name)));
  }

  /** Allows only these GPU models. */
  public Plans gpus(String... models) {
    return override(builder -> builder.gpus(List.of(models)));
  }

  /** Allows only these instance types. */
  public Plans instanceTypes(String... names) {
    return override(builder -> builder.instanceTypes(List.of(names)));
  }

  /** Allows at most this number of instances at any time. */
  public Plans maxInstances(int most) {
    return override(builder -> builder.maxInstances(Optional.of(String.valueOf(most))));
  }

  /** Uses a fixed cluster of so many instances, held to the end, as {@code --instances} does. */
  public Plans instances(int number) {
    return override(builder -> builder.instances(Optional.of(String.valueOf(number))));
  }

  /** Retries for this long if no capacity is available, e.g. {@code 30m}. */
  public Plans waitForCapacity(String time) {
    return override(builder -> builder.waitForCapacity(Optional.of(time)));
  }

  /** Uses another number of trials at the start. */
  public Plans trials(int number) {
    return override(builder -> builder.trials(Optional.of(String.valueOf(number))));
  }

  /** Uses another seed of all random streams. */
  public Plans seed(long seed) {
    return override(builder -> builder.seed(Optional.of(String.valueOf(seed))));
  }

  /** Prefers the {@code cheapest}, {@code balanced} or {@code fastest} plan. */
  public Plans prefer(String preference) {
    return override(builder -> builder.prefer(Optional.of(preference)));
  }

  /** Prefers the plan with the lowest sum of cost and time, if an hour is worth so much. */
  public Plans hourWorthUsd(double usd) {
    return prefer(number(usd));
  }

  /** Tries the best configurations of an earlier run first, as {@code --warm-start} does. */
  public Plans warmStart(String run) {
    return override(builder -> builder.warmStart(Optional.of(run)));
  }

  /** Runs brackets of hyperband in another way, as {@code --brackets} does. */
  public Plans brackets(String how) {
    return override(builder -> builder.brackets(Optional.of(how)));
  }

  /** Divides a fixed cluster among the trials in another way, as {@code --policy} does. */
  public Plans policy(String name) {
    return override(builder -> builder.policy(Optional.of(name)));
  }

  /** Uses another source of configurations, as {@code --sampler} does. */
  public Plans sampler(String type) {
    return override(builder -> builder.sampler(Optional.of(type)));
  }

  /** Uses plan {@code number} of the frontier, from 1, in place of the preferred one. */
  public Plans choice(int number) {
    return set(builder -> builder.choice(Optional.of(new FrontierChoice(OptionalInt.of(number)))));
  }

  /** Uses the knee of the frontier, in place of the preferred plan, as {@code --choice knee}. */
  public Plans knee() {
    return set(builder -> builder.choice(Optional.of(new FrontierChoice(OptionalInt.empty()))));
  }

  /**
   * Uses the planner {@code greedy}, {@code exact} or {@code static}, in place of the better result
   * of the first two.
   */
  public Plans planner(String name) {
    return set(builder -> builder.planner(Optional.of(name)));
  }

  /** Stops a search after this time, with the best plan so far and a valid bound. */
  public Plans timeLimit(Duration most) {
    return set(builder -> builder.timeLimit(Optional.of(most)));
  }

  /** Reads earlier runs, profiles and settings of clouds in another folder than ~/.elastune. */
  public Plans home(Path other) {
    return set(builder -> builder.home(Optional.of(settings.folder().resolve(other).normalize())));
  }

  /** Reads the settings of cloud accounts in a file, as {@code --clouds} does. */
  public Plans clouds(Path file) {
    return set(builder -> builder.clouds(Optional.of(settings.folder().resolve(file).normalize())));
  }

  /** Resolves relative paths from another folder, and names files relative to it. */
  public Plans folder(Path other) {
    return set(builder -> builder.folder(other.toAbsolutePath().normalize()));
  }

  /** Uses another clock, from whose time deadlines count. */
  public Plans clock(InstantSource other) {
    return set(builder -> builder.clock(other));
  }

  /** Returns all problems of the inputs; empty if there can be a plan. */
  public List<InputProblem> problems() {
    try {
      problem(load(settings.environment()));
      return List.of();
    } catch (InvalidInputException e) {
      return e.problems();
    }
  }

  /**
   * Returns the plan that the job prefers among those that meet its limits, or the requested one.
   *
   * @throws InvalidInputException if the inputs have problems, or if the frontier has no plan as
   *     {@link #choice} or {@link #knee} requests, or none that meets the limits
   * @throws NoPlanException if no plan meets the limits
   */
  public BestPlan best() {
    Search search = search();
    return search
        .result()
        .match(
            found -> best(search, found),
            infeasible -> {
              throw new NoPlanException(missed(search, infeasible));
            },
            impossible -> {
              throw new NoPlanException(missed(search.inputs(), impossible));
            });
  }

  /**
   * Returns the time-cost frontier, also if no plan meets the limits.
   *
   * @throws InvalidInputException if the inputs have problems
   */
  public PlanFrontier frontier() {
    Search search = search();
    Inputs inputs = search.inputs();
    return search
        .result()
        .match(
            found ->
                new PlanFrontier(
                    true,
                    plans(search.problem(), found.frontier()),
                    json(FoundPlanDocument.of(chosen(search, found), true))),
            infeasible ->
                new PlanFrontier(
                    false,
                    plans(search.problem(), infeasible.frontier()),
                    json(
                        InfeasibleDocument.of(
                            inputs, infeasible, true, mostTrials(search, infeasible)))),
            impossible ->
                new PlanFrontier(
                    false, List.of(), json(InfeasibleDocument.of(inputs, impossible))));
  }

  /**
   * Returns the prediction of the plan in a file.
   *
   * @throws InvalidInputException if the inputs have problems, or the plan does not fit the job
   */
  public PlanSimulation simulate(Path plan) {
    return simulate(plan, SimulationOptions.DEFAULT);
  }

  /**
   * Returns the prediction of the plan in a file with options of {@code elastune simulate}.
   *
   * @throws InvalidInputException if the inputs have problems, or the plan does not fit the job
   */
  public PlanSimulation simulate(Path plan, SimulationOptions options) {
    LibraryEnvironment environment = settings.environment();
    return simulate(
        environment,
        options,
        () ->
            new TextFileReader(environment)
                .read(environment.path(plan.toString()), PlanFile::parse)
                .orThrow()
                .value());
  }

  /**
   * Returns the prediction of a plan that was found, possibly for another job or other offers.
   *
   * @throws InvalidInputException if the inputs have problems, or the plan does not fit the job
   */
  public PlanSimulation simulate(BestPlan plan) {
    return simulate(plan, SimulationOptions.DEFAULT);
  }

  /**
   * Returns the same prediction with options of {@code elastune simulate}.
   *
   * @throws InvalidInputException if the inputs have problems, or the plan does not fit the job
   */
  public PlanSimulation simulate(BestPlan plan, SimulationOptions options) {
    return simulate(
        settings.environment(), options, () -> PlanFile.parse("plan", plan.planFile()).orThrow());
  }

  /**
   * Returns the answers to cases that differ in place, market, deadline or budget, from the times
   * of {@link #profile(String, Map)} at one GPU; those at more GPUs are speed-ups.
   *
   * @throws InvalidInputException if the inputs have problems
   */
  public CaseEstimates estimate(ComparedCases cases) {
    return checked(
        () -> {
          LibraryEnvironment environment = settings.environment();
          List<EstimateCase> asked = combinations(cases);
          Job given =
              new JobLoader(environment)
                  .load(settings.job().toString(), asked.get(0).overrides(settings.overrides()))
                  .value();
          AssumedTraining training = training();
          List<CaseResult> results =
              new CasePlanner(
                      environment, settings.job().toString(), settings.overrides(), training)
                  .plan(asked, given.name(), given.search().resource().unit());
          return new CaseEstimates(
              results.stream().map(CaseEstimate::of).toList(),
              json(ComparisonDocument.of(training, results)));
        });
  }

  private List<EstimateCase> combinations(ComparedCases cases) {
    Overrides overrides = settings.overrides();
    return EstimateCase.combinations(
        cases.places(),
        cases.markets().isEmpty() ? overrides.market().stream().toList() : cases.markets(),
        cases.deadlines().isEmpty() ? overrides.deadline().stream().toList() : cases.deadlines(),
        cases.budgetsUsd().isEmpty()
            ? overrides.budget().stream().toList()
            : cases.budgetsUsd().stream().map(Plans::number).toList());
  }

  /** Returns the known times as {@code --unit-time} and {@code --speedup}. */
  private AssumedTraining training() {
    List<UnitTime> times = new ArrayList<>();
    NavigableMap<Integer, Double> speedups = new TreeMap<>();
    for (KnownTimes one : settings.known()) {
      Double alone = one.seconds().get(1);
      if (alone == null) {
        throw JobProblems.option(name(one), "has no time at one GPU", "");
      }
      one.seconds()
          .forEach(
              (gpus, seconds) -> {
                if (gpus < 1 || !(seconds > 0 && Double.isFinite(seconds))) {
                  throw JobProblems.option(
                      name(one),
                      "must be seconds above 0 by GPUs, not " + gpus + "=" + seconds,
                      "");
                }
                if (gpus > 1) {
                  speedups.putIfAbsent(gpus, alone / seconds);
                }
              });
      times.add(new UnitTime(one.gpu(), alone));
    }
    if (times.isEmpty()) {
      throw JobProblems.option(
          "profile",
          "the time of a unit on one GPU is missing",
          "state it with profile(\"A10G\", Map.of(1, 90.0))");
    }
    double startup = settings.startupS().orElse(0);
    if (!(startup >= 0 && Double.isFinite(startup))) {
      throw JobProblems.option("--startup", "must be at least 0, is " + startup, "");
    }
    if (!(settings.trialCv() >= 0 && settings.trialCv() <= 1)) {
      throw JobProblems.option("--spread", "must be from 0 to 1, is " + settings.trialCv(), "");
    }
    return new AssumedTraining(
        times, speedups, settings.startupS(), settings.trialCv(), GpuRatios.shipped());
  }

  private static String name(KnownTimes times) {
    return "profile(\"" + times.gpu() + "\")";
  }

  /** A search for a plan, with its inputs. */
  private record Search(
      Inputs inputs, Problem problem, PlanResult result, LibraryEnvironment environment) {}

  private Search search() {
    LibraryEnvironment environment = settings.environment();
    Inputs inputs = load(environment);
    Problem problem = problem(inputs);
    PlannerOptions.Kind kind =
        checked(
            () ->
                settings
                    .planner()
                    .map(name -> PlanOptions.PLANNERS.parse("--planner", name))
                    .orElse(PlannerOptions.Kind.BEST));
    PlanResult result = new Planner(problem, PlanOptions.of(inputs, kind), isOver()).plan();
    return new Search(inputs, problem, result, environment);
  }

  private BooleanSupplier isOver() {
    return PlanOptions.isOver(settings.timeLimit(), settings.clock());
  }

  private Inputs load(LibraryEnvironment environment) {
    return checked(
        () ->
            new InputsLoader(environment)
                .load(settings.job().toString(), settings.overrides(), settings.knownTimes()));
  }

  private static Problem problem(Inputs inputs) {
    return inputs
        .problem()
        .orElseThrow(
            () ->
                new InvalidInputException(
                    List.of(
                        new InputProblem(
                            inputs.job().name(),
                            0,
                            "profile",
                            "no profile of this program is available, so nothing can be predicted",
                            "measure it with 'elastune profile', or use profiles(Path...) or"
                                + " profile(String, Map)"))));
  }

  private static <T> T checked(Supplier<T> work) {
    try {
      return work.get();
    } catch (FileProblemsException e) {
      throw new InvalidInputException(e.problems().stream().map(InputProblem::of).toList());
    } catch (MissedChoiceException e) {
      throw new InvalidInputException(List.of(InputProblem.of(e)));
    } catch (CloudException e) {
      throw new InvalidInputException(
          List.of(new InputProblem("", 0, "resources.infra", e.failure().message(), "")));
    }
  }

  private PlanSimulation simulate(
      LibraryEnvironment environment, SimulationOptions options, Supplier<PlanDocument> document) {
    Inputs inputs = load(environment);
    Problem problem = problem(inputs);
    Plan plan = checked(() -> SuppliedPlan.validate(document.get(), problem));
    RankModel ranks = checked(() -> order(options).of(environment, inputs, problem));
    Simulator simulator =
        new Simulator(
            problem,
            checked(() -> samples(options)),
            Runtime.getRuntime().availableProcessors(),
            ranks);
    PlanPrediction prediction =
        PlanPrediction.of(
            inputs,
            problem,
            plan,
            ranks,
            simulator.sampledUntilAccurate(plan, samples -> {}),
            options.trace() ? simulator.trace(plan) : List.of());
    return new PlanSimulation(
        PlanEstimate.of(prediction.estimate()),
        prediction.estimate().groups().stream().map(PlanSimulation.Group::of).toList(),
        prediction.figures().spendingGuardUsd(),
        new AssumedNumbers(inputs, problem, ranks).names(plan),
        json(prediction.document()));
  }

  private TrialOrder order(SimulationOptions options) {
    return new TrialOrder(
        options
            .ranks()
            .map(word -> TrialOrder.RANKS.parse("--ranks", word))
            .orElse(RankModel.Order.SAMPLED),
        options.curves().map(settings::absolute));
  }

  private static int samples(SimulationOptions options) {
    int samples = options.samples().orElse(PlanPrediction.SAMPLES);
    if (samples < 1) {
      throw JobProblems.option("--samples", "must be at least 1, is " + samples, "");
    }
    return samples;
  }

  private FoundPlan chosen(Search search, PlanResult.Found found) {
    return checked(
        () ->
            new PlanChoice()
                .of(new FoundPlan(search.inputs(), search.problem(), found), settings.choice()));
  }

  private BestPlan best(Search search, PlanResult.Found found) {
    FoundPlan answer = chosen(search, found);
    Problem problem = search.problem();
    Plan plan = answer.found().plan();
    List<String> notes = new ArrayList<>(search.inputs().remarks());
    notes.addAll(search.environment().reported());
    return new BestPlan(
        GroupPlan.of(PlannedGroup.of(problem, plan)),
        PlanEstimate.of(answer.found().estimate()),
        answer.figures().spendingGuardUsd(),
        answer.assumed().names(plan),
        answer.found().remarks(),
        notes,
        json(FoundPlanDocument.of(answer, false)),
        JsonDocuments.text(
            PlanFile.tree(PlanDocument.of(plan, problem.workload(), Optional.empty()))));
  }

  private MissedLimits missed(Search search, PlanResult.Infeasible result) {
    OptionalInt trials = mostTrials(search, result);
    return new MissedLimits(
        result.violated().stream().map(violation -> violation.limit().word()).toList(),
        result.nearest().deadlineS(),
        result.nearest().budgetUsd(),
        result.nearest().together(),
        trials,
        result.remarks(),
        json(InfeasibleDocument.of(search.inputs(), result, false, trials)));
  }

  private static MissedLimits missed(Inputs inputs, PlanResult.Impossible result) {
    return new MissedLimits(
        List.of(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        true,
        OptionalInt.empty(),
        result.reason().lines().toList(),
        json(InfeasibleDocument.of(inputs, result)));
  }

  private OptionalInt mostTrials(Search search, PlanResult.Infeasible result) {
    return new MostTrials(search.inputs(), search.problem(), isOver())
        .find(
            MostTrials.overrun(search.problem().limits(), result.nearest()), SamplingProgress.NONE);
  }

  private static List<FrontierPlan> plans(Problem problem, List<FrontierPoint> points) {
    return IntStream.range(0, points.size())
        .mapToObj(
            index -> {
              FrontierPoint point = points.get(index);
              return new FrontierPlan(
                  index + 1,
                  point.completionS(),
                  point.costUsd(),
                  point.onTime(),
                  GroupPlan.of(PlannedGroup.of(problem, point.plan())));
            })
        .toList();
  }

  private static String json(Record document) {
    return JsonDocuments.text(document);
  }

  private Plans override(Function<OverridesBuilder, OverridesBuilder> change) {
    return set(
        builder ->
            builder.overrides(
                change.apply(OverridesBuilder.builder(settings.overrides())).build()));
  }

  private Plans set(Function<PlanSettingsBuilder, PlanSettingsBuilder> change) {
    return new Plans(change.apply(PlanSettingsBuilder.builder(settings)).build());
  }

  private static String number(double value) {
    return Double.isFinite(value)
        ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
        : String.valueOf(value);
  }
}

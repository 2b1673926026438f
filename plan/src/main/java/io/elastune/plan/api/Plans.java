package io.elastune.plan.api;

import io.elastune.core.config.FileProblem;
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
import io.elastune.inputs.GpuRatios;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.InputsLoader;
import io.elastune.inputs.JobLoader;
import io.elastune.inputs.KnownTimes;
import io.elastune.inputs.PreferredPlan;
import io.elastune.inputs.SuppliedPlan;
import io.elastune.inputs.TextFileReader;
import io.elastune.inputs.UnitTime;
import io.elastune.plan.LibraryEnvironment;
import io.elastune.plan.MostTrials;
import io.elastune.plan.PlanOptions;
import io.elastune.plan.PlanPrediction;
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
import io.elastune.simulator.RankModel;
import io.elastune.simulator.SamplingProgress;
import io.elastune.simulator.Simulator;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
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
  private final Path job;
  private final Overrides overrides;
  private final List<KnownTimes> known;
  private final Path folder;
  private final Optional<Path> home;
  private final InstantSource clock;

  private Plans(
      Path job,
      Overrides overrides,
      List<KnownTimes> known,
      Path folder,
      Optional<Path> home,
      InstantSource clock) {
    this.job = job;
    this.overrides = overrides;
    this.known = List.copyOf(known);
    this.folder = folder;
    this.home = home;
    this.clock = clock;
  }

  /** Returns the plans of a job file. */
  public static Plans of(Path job) {
    return new Plans(
        job,
        Overrides.NONE,
        List.of(),
        Path.of("").toAbsolutePath(),
        Optional.empty(),
        InstantSource.system());
  }

  /** Uses the offers in a file, as {@code --offers} does. */
  public Plans offers(Path file) {
    return with(builder -> builder.offers(Optional.of(absolute(file))));
  }

  /** Uses the profiles in files, one for each GPU model, as {@code --profile} does. */
  public Plans profiles(Path... files) {
    List<String> names = new ArrayList<>(overrides.profiles());
    for (Path file : files) {
      names.add(absolute(file));
    }
    return with(builder -> builder.profiles(names));
  }

  /**
   * Uses training times in place of a profile. Nothing else is known then of the program, so
   * predictions are marked as assumed.
   *
   * @param gpu the GPU model
   * @param secondsPerUnit the seconds of a training unit by GPUs per trial
   */
  public Plans profile(String gpu, Map<Integer, Double> secondsPerUnit) {
    List<KnownTimes> all = new ArrayList<>(known);
    all.add(new KnownTimes(gpu, secondsPerUnit));
    return new Plans(job, overrides, all, folder, home, clock);
  }

  /** Uses other locations than the job, as {@code --infra} does. */
  public Plans infra(String... places) {
    return with(builder -> builder.infra(List.of(places)));
  }

  /** Uses another deadline than the job: {@code 3h}, or a date-time. */
  public Plans deadline(String when) {
    return with(builder -> builder.deadline(Optional.of(when)));
  }

  /** Uses another budget than the job. */
  public Plans budgetUsd(double usd) {
    return with(builder -> builder.budget(Optional.of(number(usd))));
  }

  /** Uses another required probability of meeting each limit. */
  public Plans confidence(double probability) {
    return with(builder -> builder.confidence(Optional.of(number(probability))));
  }

  /** Uses another market: {@code on-demand}, {@code spot} or {@code auto}. */
  public Plans market(String name) {
    return with(builder -> builder.market(Optional.of(name)));
  }

  /** Allows only these GPU models. */
  public Plans gpus(String... models) {
    return with(builder -> builder.gpus(List.of(models)));
  }

  /** Allows only these instance types. */
  public Plans instanceTypes(String... names) {
    return with(builder -> builder.instanceTypes(List.of(names)));
  }

  /** Allows at most this number of instances at any time. */
  public Plans maxInstances(int most) {
    return with(builder -> builder.maxInstances(Optional.of(String.valueOf(most))));
  }

  /** Uses another number of trials at the start. */
  public Plans trials(int number) {
    return with(builder -> builder.trials(Optional.of(String.valueOf(number))));
  }

  /** Uses another seed of all random streams. */
  public Plans seed(long seed) {
    return with(builder -> builder.seed(Optional.of(String.valueOf(seed))));
  }

  /** Prefers the {@code cheapest}, {@code balanced} or {@code fastest} plan. */
  public Plans prefer(String preference) {
    return with(builder -> builder.prefer(Optional.of(preference)));
  }

  /** Reads earlier runs, profiles and settings of clouds in another folder than ~/.elastune. */
  public Plans home(Path other) {
    return new Plans(
        job, overrides, known, folder, Optional.of(folder.resolve(other).normalize()), clock);
  }

  /** Resolves relative paths from another folder, and names files relative to it. */
  public Plans folder(Path other) {
    return new Plans(job, overrides, known, other.toAbsolutePath().normalize(), home, clock);
  }

  /** Uses another clock, from whose time deadlines count. */
  public Plans clock(InstantSource other) {
    return new Plans(job, overrides, known, folder, home, other);
  }

  /** Returns all problems of the inputs; empty if there can be a plan. */
  public List<InputProblem> problems() {
    try {
      problem(load(environment()));
      return List.of();
    } catch (InvalidInputException e) {
      return e.problems();
    }
  }

  /**
   * Returns the plan that the job prefers among those that meet its limits.
   *
   * @throws InvalidInputException if the inputs have problems
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
                    json(FoundPlanDocument.of(preferred(search, found), true))),
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
    LibraryEnvironment environment = environment();
    return simulate(
        environment,
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
    return simulate(environment(), () -> PlanFile.parse("plan", plan.planFile()).orThrow());
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
          LibraryEnvironment environment = environment();
          List<EstimateCase> asked = combinations(cases);
          Job given =
              new JobLoader(environment)
                  .load(job.toString(), asked.get(0).overrides(overrides))
                  .value();
          AssumedTraining training = training();
          List<CaseResult> results =
              new CasePlanner(environment, job.toString(), overrides, training)
                  .plan(asked, given.name(), given.search().resource().unit());
          return new CaseEstimates(
              results.stream().map(CaseEstimate::of).toList(),
              json(ComparisonDocument.of(training, results)));
        });
  }

  private List<EstimateCase> combinations(ComparedCases cases) {
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
    for (KnownTimes one : known) {
      Double alone = one.seconds().get(1);
      if (alone == null || !(alone > 0)) {
        throw new FileProblemsException(
            List.of(
                new FileProblem(
                    "profile(\"" + one.gpu() + "\")", 0, "", "has no time at one GPU", "")));
      }
      times.add(new UnitTime(one.gpu(), alone));
      one.seconds()
          .forEach(
              (gpus, seconds) -> {
                if (gpus > 1) {
                  speedups.putIfAbsent(gpus, alone / seconds);
                }
              });
    }
    if (times.isEmpty()) {
      throw new FileProblemsException(
          List.of(
              new FileProblem(
                  "profile",
                  0,
                  "",
                  "the time of a unit on one GPU is missing",
                  "state it with profile(\"A10G\", Map.of(1, 90.0))")));
    }
    return new AssumedTraining(times, speedups, OptionalDouble.empty(), 0, GpuRatios.shipped());
  }

  /** A search for a plan, with its inputs. */
  private record Search(
      Inputs inputs, Problem problem, PlanResult result, LibraryEnvironment environment) {}

  private Search search() {
    LibraryEnvironment environment = environment();
    Inputs inputs = load(environment);
    Problem problem = problem(inputs);
    PlanResult result =
        new Planner(problem, PlanOptions.of(inputs, PlannerOptions.Kind.BEST)).plan();
    return new Search(inputs, problem, result, environment);
  }

  private Inputs load(LibraryEnvironment environment) {
    return checked(() -> new InputsLoader(environment).load(job.toString(), overrides, known));
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
    } catch (CloudException e) {
      throw new InvalidInputException(
          List.of(new InputProblem("", 0, "resources.infra", e.failure().message(), "")));
    }
  }

  private PlanSimulation simulate(LibraryEnvironment environment, Supplier<PlanDocument> document) {
    Inputs inputs = load(environment);
    Problem problem = problem(inputs);
    Plan plan = checked(() -> SuppliedPlan.validate(document.get(), problem));
    RankModel ranks = RankModel.of(problem);
    Simulator simulator =
        new Simulator(
            problem, PlanPrediction.SAMPLES, Runtime.getRuntime().availableProcessors(), ranks);
    PlanPrediction prediction =
        PlanPrediction.of(
            inputs,
            problem,
            plan,
            ranks,
            simulator.sampledUntilAccurate(plan, samples -> {}),
            List.of());
    return new PlanSimulation(
        PlanEstimate.of(prediction.estimate()),
        prediction.estimate().groups().stream().map(PlanSimulation.Group::of).toList(),
        prediction.figures().spendingGuardUsd(),
        new AssumedNumbers(inputs, problem, ranks).names(plan),
        json(prediction.document()));
  }

  private static FoundPlan preferred(Search search, PlanResult.Found found) {
    return new PreferredPlan(Runtime.getRuntime().availableProcessors())
        .of(new FoundPlan(search.inputs(), search.problem(), found));
  }

  private static BestPlan best(Search search, PlanResult.Found found) {
    FoundPlan answer = preferred(search, found);
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

  private static MissedLimits missed(Search search, PlanResult.Infeasible result) {
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

  private static OptionalInt mostTrials(Search search, PlanResult.Infeasible result) {
    return new MostTrials(search.inputs(), search.problem(), () -> false)
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

  private Plans with(Function<OverridesBuilder, OverridesBuilder> change) {
    return new Plans(
        job, change.apply(OverridesBuilder.builder(overrides)).build(), known, folder, home, clock);
  }

  private LibraryEnvironment environment() {
    return new LibraryEnvironment(folder, home, clock);
  }

  private String absolute(Path file) {
    return folder.resolve(file).normalize().toString();
  }

  private static String number(double value) {
    return Double.isFinite(value)
        ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
        : String.valueOf(value);
  }
}

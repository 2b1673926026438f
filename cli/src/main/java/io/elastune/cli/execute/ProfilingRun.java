package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.Version;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.text.DecisionText;
import io.elastune.cli.text.ProfileTable;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.config.JobFile;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.offer.Quota;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.TrialGroups;
import io.elastune.core.time.Durations;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.ProviderCapacity;
import io.elastune.profiler.MeasuredProfile;
import io.elastune.profiler.MeasurementChooser;
import io.elastune.profiler.ProfileStore;
import io.elastune.profiler.Profiler;
import io.elastune.profiler.ProfilingFailedException;
import io.elastune.profiler.SearchAccuracy;
import io.elastune.profiler.SharedMachine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BinaryOperator;

/** Profiles the GPU models that have no profile, each in its own run. */
final class ProfilingRun {
  private static final Comparator<Offer> CHEAPEST =
      Comparator.comparingDouble(Offer::usdPerHour).thenComparing(Offer::name);

  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final RemainingLimits remainingLimits;
  private final RunLauncher runLauncher;
  private final Map<String, Profile> measured = new LinkedHashMap<>();
  private final ModelChoice modelChoice = new ModelChoice();

  ProfilingRun(
      CliEnvironment cliEnvironment,
      Output output,
      RemainingLimits remainingLimits,
      RunLauncher runLauncher) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.remainingLimits = remainingLimits;
    this.runLauncher = runLauncher;
  }

  /** Returns the offers to profile on: the cheapest one of each GPU model without a profile. */
  static List<Offer> offersWithoutProfile(Inputs inputs) {
    List<String> measured =
        inputs.profiles().stream().map(profile -> profile.value().gpu()).toList();
    return cheapestOfEachModel(inputs).stream()
        .filter(offer -> !measured.contains(offer.gpu()))
        .toList();
  }

  /**
   * Returns the cheapest offer of each GPU model on which a trial can be measured, in the offers'
   * order.
   */
  static List<Offer> cheapestOfEachModel(Inputs inputs) {
    Job job = inputs.job().value();
    Map<String, Offer> cheapest = new LinkedHashMap<>();
    for (Offer offer : inputs.allowed()) {
      if (Profiler.canMeasure(job, offer, inputs.mostInstances(offer))) {
        cheapest.merge(offer.gpu(), offer, BinaryOperator.minBy(CHEAPEST));
      }
    }
    return List.copyOf(cheapest.values());
  }

  /**
   * Checks that the deadline has not passed, so that no instance is rented without effect.
   *
   * @throws CommandFailure with exit code 10 if it has
   */
  void requireTimeLeft(Job job) {
    requireTimeLeft(job, "has already passed, so profiling was not started");
  }

  private void requireTimeLeft(Job job, String message) {
    OptionalDouble left = remainingLimits.deadlineS(job, cliEnvironment.clock().instant());
    if (left.isPresent() && left.getAsDouble() <= 0) {
      throw CommandFailure.of(
          ExitCode.INFEASIBLE, "deadline", message, "set a later one with --deadline");
    }
  }

  /** Returns a line that states what will be profiled, and its maximum cost and time. */
  String announcement(Inputs inputs, List<Offer> offers) {
    Job job = inputs.job().value();
    String on = String.join(", ", offers.stream().map(Offer::name).toList());
    String most =
        maxUsd(job).isPresent() ? ", at most " + UsdFormat.format(maxUsd(job).getAsDouble()) : "";
    String time =
        maxTime(job).map(t -> ", at most " + Durations.format(t.toMillis() / 1e3)).orElse("");
    boolean notional = offers.stream().allMatch(o -> o.price() == PriceKind.NOTIONAL);
    return "Profiling this program on "
        + on
        + (notional ? " (notional price: nothing is charged" : " (charged to the job")
        + most
        + time
        + ").";
  }

  /**
   * Returns the offers on which a measurement is worth its cost, the best price for the published
   * throughput first, and prints why others are left out.
   *
   * @param known the profiles so far by GPU model; without any, all offers are worth it
   */
  List<Offer> worthMeasuring(Inputs inputs, List<Offer> offers, Map<String, Profile> known) {
    return modelChoice.ordered(offers).stream()
        .filter(offer -> known.isEmpty() || isWorthMeasuring(inputs, offer, known))
        .toList();
  }

  private boolean isWorthMeasuring(Inputs inputs, Offer offer, Map<String, Profile> known) {
    Map<String, Profile> others = new LinkedHashMap<>(known);
    others.remove(offer.gpu()); // it is measured again
    Optional<String> reason = modelChoice.reasonToSkip(inputs, others, offer);
    reason.ifPresent(output.text()::println);
    return reason.isEmpty();
  }

  /**
   * Profiles on those of the offers whose measurement is worth its cost, and returns the results.
   */
  List<Profile> measureAll(Inputs inputs, List<Offer> offers) {
    List<Profile> profiles = new ArrayList<>();
    for (Offer offer : modelChoice.ordered(offers)) {
      if (measured.isEmpty() || isWorthMeasuring(inputs, offer, profiles(inputs))) {
        profiles.add(measure(inputs, offer));
      }
    }
    return profiles;
  }

  /** Profiles on one offer, saves the profile, and counts the cost against the budget. */
  private Profile measure(Inputs inputs, Offer offer) {
    Job job = inputs.job().value();
    requireTimeLeft(job, "passed before " + offer.name() + " was profiled");
    String run =
        new RunIdGenerator(cliEnvironment.home())
            .nextId(job.name(), cliEnvironment.clock().instant());
    int room = room(inputs, offer);
    RunDefinition definition =
        Profiler.choosingDefinition(job, offer, room, run, maxUsd(job), maxTime(job));
    RunFolder folder = RunFolder.of(cliEnvironment.home(), run);
    RunMeta meta =
        RunMeta.builder()
            .kind(RunMeta.Kind.PROFILE)
            .version(Version.text())
            .jobFile(inputs.job().name())
            .job(JobFile.write(job))
            .plan("")
            .unit(job.search().resource().unit())
            .metric(job.search().metric())
            .budgetUsd(definition.budgetLeftUsd())
            .notional(offer.price() == PriceKind.NOTIONAL)
            .profilingUsd(0)
            .jobFolder(inputs.job().folder().toString())
            .checkpoints(runLauncher.profilingCheckpoints(folder).text())
            .build();
    output.text().println("Profiling as run " + run);
    ProgressReporter progressReporter =
        new ProgressReporter(cliEnvironment, output, definition, job.search().resource().unit(), 0);
    OtherLoad load = OtherLoad.start();
    MeasurementChooser chooser =
        new MeasurementChooser(
            job,
            offer,
            room,
            definition.budgetLeftUsd(),
            definition.deadlineS(),
            new HypotheticalPlans(inputs, profiles(inputs)),
            () -> Profiler.profileSoFar(job, offer, folder, cliEnvironment.clock().instant()),
            (profile, trialsPerGpu) -> memoryRoom(offer, profile, trialsPerGpu),
            accuracy(job, offer, folder, load));
    RunState end = runLauncher.measure(definition, meta, progressReporter, chooser::choose);
    OptionalDouble otherCores = load.cores();
    progressReporter.close();
    remainingLimits.recordProfiling(run, Ledger.of(definition, end).spentUsd());
    refuseIfNotClean(end, run);
    return save(inputs, offer, folder, end, machine(offer, otherCores));
  }

  /** Returns how accurate the prediction is to be, if measuring on the offer costs nothing. */
  private Optional<SearchAccuracy> accuracy(
      Job job, Offer offer, RunFolder folder, OtherLoad load) {
    return SearchAccuracy.isFree(offer)
        ? Optional.of(
            new SearchAccuracy(
                TrialGroups.of(job.search()),
                remainingLimits.deadlineS(job, cliEnvironment.clock().instant()),
                () ->
                    machine(offer, load.cores())
                        .flatMap(
                            machine ->
                                Profiler.measuredSoFar(
                                    job,
                                    offer,
                                    machine,
                                    folder,
                                    cliEnvironment.clock().instant()))))
        : Optional.empty();
  }

  /** Returns the loaded profiles by GPU model. */
  static Map<String, Profile> known(Inputs inputs) {
    Map<String, Profile> profiles = new LinkedHashMap<>();
    inputs.profiles().forEach(file -> profiles.put(file.value().gpu(), file.value()));
    return profiles;
  }

  /** Returns them with those of this command. */
  private Map<String, Profile> profiles(Inputs inputs) {
    Map<String, Profile> profiles = known(inputs);
    profiles.putAll(measured);
    return profiles;
  }

  /** A stop request that came too late for the profiling run still stops the command. */
  private void refuseIfNotClean(RunState end, String run) {
    RunOutcome outcome = end.ending().outcome();
    if (!outcome.isComplete() && outcome != RunOutcome.TRIALS_FAILED) {
      String why = end.ending().reason().map(reason -> DecisionText.of(run, reason)).orElse("");
      throw failure(exit(outcome), run, why);
    }
    if (runLauncher.requestedStop().isPresent()) {
      throw failure(
          exit(runLauncher.requestedStop().get()), run, "a stop was requested as it ended");
    }
  }

  /** Returns the machine on which the trials of a local offer ran, with other programs. */
  private static Optional<SharedMachine> machine(Offer offer, OptionalDouble otherCores) {
    return offer.provider().equals("local")
        ? Optional.of(new SharedMachine(Runtime.getRuntime().availableProcessors(), otherCores))
        : Optional.empty();
  }

  private Profile save(
      Inputs inputs, Offer offer, RunFolder folder, RunState end, Optional<SharedMachine> machine) {
    Job job = inputs.job().value();
    FailedConfigurations failed = FailedConfigurations.of(folder);
    String run = folder.run();
    boolean resumes = inputs.workload().groups().stream().anyMatch(group -> group.fromUnit() > 0);
    if (resumes && failed.neverResumed()) {
      String why = "no trial could resume from its checkpoint, as the search requires";
      throw failure(ExitCode.of(RunOutcome.TRIALS_FAILED), run, withOutput(why, failed.lines()));
    }
    try {
      MeasuredProfile measured =
          Profiler.profile(job, offer, inputs.mostInstances(offer), machine, folder, end);
      Path file =
          new ProfileStore(cliEnvironment.home())
              .save(job, runLauncher.workdir(), measured.profile());
      this.measured.put(offer.gpu(), measured.profile());
      failed.lines().forEach(output.text()::println);
      output.text().println("Profile saved in " + cliEnvironment.displayPath(file));
      new ProfileTable(measured).lines().forEach(output.text()::println);
      machine
          .flatMap(it -> LoadMonitor.whileProfiled(it.otherCores(), it.cores()))
          .ifPresent(line -> output.text().println("  " + line));
      return measured.profile();
    } catch (ProfilingFailedException e) {
      String why = e.reason().map(reason -> DecisionText.of(run, reason)).orElse("");
      boolean isNamed = end.ending().isFor(ReasonCode.STOPPED_AFTER_EQUAL_FAILURES);
      throw failure(
          e.outcome().map(ProfilingRun::exit).orElse(ExitCode.USAGE),
          run,
          withOutput(why + e.getMessage(), isNamed ? failed.output() : failed.lines()));
    }
  }

  private static String withOutput(String why, List<String> lines) {
    return lines.isEmpty() ? why : why + "\n" + String.join("\n", lines) + "\n";
  }

  /** A run that completed without a measurement has failed, too. */
  private static ExitCode exit(RunOutcome outcome) {
    return ExitCode.of(outcome == RunOutcome.COMPLETED ? RunOutcome.TRIALS_FAILED : outcome);
  }

  private static CommandFailure failure(ExitCode exit, String run, String why) {
    return CommandFailure.of(
        exit,
        "profile",
        "profiling failed: " + why,
        "see 'elastune logs "
            + run
            + "' (--setup for its setup) and 'elastune report "
            + run
            + "'");
  }

  /** Returns how many instances of the offer have memory for trials as they were measured. */
  private int memoryRoom(Offer offer, Profile profile, int trialsPerGpu) {
    return ProviderCapacity.of(cliEnvironment, List.of(offer), List.of(profile), false).stream()
        .filter(Quota::isMemory)
        .mapToInt(quota -> quota.maxInstances(offer.name(), trialsPerGpu))
        .min()
        .orElse(Integer.MAX_VALUE);
  }

  /** Returns how many instances of the offer the job and the free capacity allow; at least one. */
  private int room(Inputs inputs, Offer offer) {
    List<Offer> offers = List.of(offer);
    return new FreeDevices(cliEnvironment, output)
        .await(offers).stream()
            .mapToInt(quota -> Math.max(1, quota.maxInstances(offer.name())))
            .reduce(inputs.mostInstances(offer), Math::min);
  }

  private OptionalDouble maxUsd(Job job) {
    OptionalDouble left = remainingLimits.budgetUsd(job);
    OptionalDouble most = job.profile().maxUsd();
    if (left.isPresent() && most.isPresent()) {
      return OptionalDouble.of(Math.min(left.getAsDouble(), most.getAsDouble()));
    }
    return most.isPresent() ? most : left;
  }

  private Optional<Duration> maxTime(Job job) {
    OptionalDouble left = remainingLimits.deadlineS(job, cliEnvironment.clock().instant());
    Optional<Duration> most = job.profile().maxTime();
    if (left.isEmpty()) {
      return most;
    }
    Duration rest = Duration.ofMillis(Math.max(0, Math.round(left.getAsDouble() * 1000)));
    return Optional.of(most.filter(time -> time.compareTo(rest) < 0).orElse(rest));
  }
}

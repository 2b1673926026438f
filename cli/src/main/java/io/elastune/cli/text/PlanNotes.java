package io.elastune.cli.text;

import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.job.CheckpointPolicy;
import io.elastune.core.job.Job;
import io.elastune.core.job.Search;
import io.elastune.core.job.SearchStop;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.inputs.AssumedNumbers;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.LoadedFile;
import io.elastune.inputs.NoteSampling;
import io.elastune.inputs.PlanFigures;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.SamplingProgress;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists what a prediction excludes, and which of its values are assumed. */
public final class PlanNotes {
  private final Inputs inputs;
  private final Problem problem;
  private final Plan plan;
  private final AssumedNumbers assumedNumbers;
  private final List<Offer> used;
  private final ExclusionNotes exclusions;
  private final PlanFigures figures;
  private final boolean verbose;

  public PlanNotes(Inputs inputs, Problem problem, Plan plan) {
    this(inputs, problem, plan, new PlanFigures(problem, plan));
  }

  /** Creates notes with figures that others use, too. */
  public PlanNotes(Inputs inputs, Problem problem, Plan plan, PlanFigures figures) {
    this(inputs, problem, plan, figures, true);
  }

  /** {@code verbose}: whether to show what few users can act on, such as citations. */
  PlanNotes(Inputs inputs, Problem problem, Plan plan, PlanFigures figures, boolean verbose) {
    this.verbose = verbose;
    this.figures = figures;
    this.inputs = inputs;
    this.problem = problem;
    this.plan = plan;
    this.assumedNumbers = new AssumedNumbers(inputs, problem, figures.ranks());
    this.exclusions = new ExclusionNotes(inputs, problem, plan, figures::spot);
    this.used = exclusions.used();
  }

  /** Says why {@code trial.checkpoint.every} decides nothing; empty if it is absent or used. */
  private Optional<String> unusedInterval() {
    Job job = inputs.job().value();
    boolean asynchronous = problem.workload().rungs().isPresent();
    boolean unused = asynchronous || job.hasFixedCluster() || plan.shared();
    if (job.trial().checkpoints().every().isEmpty() || !job.trial().resumable() || !unused) {
      return Optional.empty();
    }
    String search =
        asynchronous
            ? "an asynchronous search"
            : job.hasFixedCluster() ? "a fixed cluster" : "instances that brackets share";
    return Optional.of(
        "checkpoints: as the trials save them; trial.checkpoint.every has no effect, because no"
            + " interval is chosen for "
            + search);
  }

  /** Says what trials that cannot resume train again; without later groups, they train once. */
  private Optional<String> notResumable() {
    Optional<RungRule> rungs = problem.workload().rungs();
    boolean trainsOnce =
        rungs.isEmpty()
            && problem.workload().groups().stream().allMatch(group -> group.fromUnit() == 0);
    if (inputs.job().value().trial().resumable()
        || trainsOnce
        || rungs.filter(RungRule::isStopping).isPresent()) {
      return Optional.empty();
    }
    String unit = inputs.job().value().search().resource().unit();
    return Optional.of(
        rungs.isPresent()
            ? "not resumable: every promoted trial trains from "
                + unit
                + " 0 again, which is included; asha: {variant: stopping} avoids it if trials"
                + " report each "
                + unit
            : "not resumable: every group trains its trials from "
                + unit
                + " 0 again, which is included");
  }

  /**
   * Returns one note per line.
   *
   * @param progress receives how many samples were drawn of all that the notes take
   */
  public List<String> lines(SamplingProgress progress) {
    NoteSampling sampling = new NoteSampling(progress, samples());
    List<String> lines = new ArrayList<>();
    addCosts(lines);
    notResumable().ifPresent(lines::add);
    StoppingNote.of(inputs.job().value(), problem.workload()).ifPresent(lines::add);
    new CheckpointNote(problem, plan).line().or(this::unusedInterval).ifPresent(lines::add);
    ownConfigurations().ifPresent(lines::add);
    DistinctNote.of(inputs.job().value().search(), inputs.workload().trials())
        .ifPresent(lines::add);
    SamplerNote.of(inputs.job().value().search(), problem, plan).ifPresent(lines::add);
    exclusions.waiting().ifPresent(lines::add);
    if (plan.shared()) {
      lines.add("all brackets share the instances");
    }
    lines.add(exclusions.excluded());
    addPrices(lines);
    FaultNote.of(problem, plan, figures, sampling, verbose).ifPresent(lines::add);
    StartupNote.of(inputs.job().value().trial(), problem, plan, figures, sampling)
        .ifPresent(lines::add);
    SpareComparison.of(problem, plan, figures, sampling)
        .map(SpareComparison::line)
        .ifPresent(lines::add);
    lines.addAll(exclusions.spot(sampling));
    if (!assumedNumbers.offers(plan).isEmpty()) {
      lines.add(
          "~ uses assumed queueing and boot times"
              + (AssumedNumbers.assumesSetup(inputs.job().value())
                      && used.stream().anyMatch(ExclusionNotes::isRented)
                  ? ", with 60 s for setup,"
                  : "")
              + " for "
              + String.join(", ", assumedNumbers.offers(plan))
              + " ("
              + ProvenanceLine.source(inputs)
              + ")");
    }
    assumedNumbers
        .replacedPrices(plan)
        .forEach(
            offer ->
                lines.add(
                    "~ uses the price of "
                        + inputs.catalog().value().replacementDate(offer).orElse("")
                        + " for "
                        + offer));
    lines.addAll(inputs.catalog().value().notes());
    RankModel ranks = figures.ranks();
    if (ranks.endsAtTarget(problem)) {
      lines.add("search.stop.target: the search ends when a learning curve reaches it");
    } else if (problem.workload().target().isPresent()) {
      lines.add("search.stop.target: an upper limit, which assumes that no trial reaches it");
    }
    if (inputs.job().value().search().stop().flatMap(SearchStop::patience).isPresent()) {
      lines.add("search.stop.patience: an upper limit, which assumes that results keep improving");
    }
    PolicyNote.of(problem, ranks).ifPresent(lines::add);
    figures.stops(sampling).flatMap(PolicyNote::of).ifPresent(lines::add);
    if (problem.workload().rungs().isPresent()) {
      String units = inputs.job().value().search().resource().unit();
      lines.addAll(RungTasksLine.notes(problem, ranks, figures.rungTasks(sampling), units));
    }
    if (!assumedNumbers.speeds(plan).isEmpty()) {
      lines.add(
          "~ assumed in the profile, not measured: "
              + String.join(", ", assumedNumbers.speeds(plan)));
    }
    if (!assumedNumbers.interpolatedSpeeds(plan).isEmpty()) {
      lines.add(
          "~ assumed, from measured GPU counts: "
              + String.join(", ", assumedNumbers.interpolatedSpeeds(plan)));
    }
    boolean isOneUnit =
        problem.workload().rungs().isEmpty()
            && problem.workload().groups().stream().allMatch(group -> group.toUnit() == 1);
    inputs.profiles().stream()
        .map(LoadedFile::value)
        .filter(profile -> !profile.startupKnown() && (verbose || !isOneUnit))
        .forEach(
            profile ->
                lines.add(
                    "start-up of trials on "
                        + profile.gpu()
                        + " unknown: included in the time per "
                        + profile.unit()));
    new CheckpointTransferNote(inputs.job().value().trial(), problem, plan)
        .line()
        .ifPresent(lines::add);
    lines.addAll(tightQuotas());
    lines.addAll(inputs.remarks());
    return lines;
  }

  /** Returns the number of samples that the notes take. */
  private int samples() {
    int comparisons =
        (FaultNote.isComparison(problem, plan) ? 1 : 0)
            + (StartupNote.isComparison(problem, plan) ? 1 : 0)
            + (SpareComparison.exists(problem, plan) ? 1 : 0);
    return figures.samplesLeft(comparisons);
  }

  /** Adds what the cost includes in addition to the instances. */
  private void addCosts(List<String> lines) {
    HourlyCosts running = inputs.job().value().runningCosts(inputs.workload());
    if (running.controllerUsdPerHour() > 0) {
      lines.add(
          "included: controller machine, "
              + UsdFormat.format(running.controllerUsdPerHour())
              + " per hour");
    }
    if (running.storageUsdPerHour() > 0) {
      lines.add(
          "included: "
              + storage()
              + ", "
              + UsdFormat.format(running.storageUsdPerHour())
              + " per hour");
    }
    used.stream()
        .mapToDouble(Offer::diskUsdPerHour)
        .filter(usd -> usd > 0)
        .max()
        .ifPresent(
            usd ->
                lines.add(
                    "included: root disks and public addresses, up to "
                        + UsdFormat.format(usd)
                        + " per instance and hour"));
  }

  /** Adds a note on prices that are not charged. */
  private void addPrices(List<String> lines) {
    if (used.stream().allMatch(Offer::isSimulated)) {
      lines.add("simulated in virtual time: nothing is rented or charged");
    } else if (used.stream().allMatch(offer -> offer.price() == PriceKind.NOTIONAL)) {
      lines.add("example (notional) prices: you will not be charged");
    } else if (used.stream().anyMatch(offer -> offer.price() == PriceKind.NOTIONAL)) {
      lines.add("some prices are notional: they are not charged");
    }
  }

  private Optional<String> ownConfigurations() {
    Search search = inputs.job().value().search();
    int own = search.configs().size();
    int first = search.firstConfigurations().size();
    int others = inputs.distinctConfigurations().orElse(first) - first;
    List<String> parts = new ArrayList<>();
    if (own > 0) {
      parts.add(own + " of search.configs");
    }
    search
        .warmStart()
        .filter(warm -> first > own)
        .ifPresent(warm -> parts.add((first - own) + " of run " + warm.run()));
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "configurations tried first: "
                + String.join(", ", parts)
                + (search.limitsTrials() ? drawn(others) : "; the others are drawn"));
  }

  private static String drawn(int others) {
    return switch (others) {
      case 0 -> "";
      case 1 -> "; the other one is drawn";
      default -> "; the other " + others + " are drawn";
    };
  }

  /** Returns a line for each quota that allows fewer instances than the job does. */
  private List<String> tightQuotas() {
    List<String> lines = new ArrayList<>();
    for (Quota quota : problem.limits().quotas()) {
      used.stream()
          .filter(offer -> isTight(quota, offer))
          .map(offer -> quota.isMemory() ? memory(quota, offer) : devices(quota, offer))
          .distinct()
          .forEach(lines::add);
    }
    return lines;
  }

  /** Of the cores and the memory of this machine, only the one that holds is named. */
  private boolean isTight(Quota quota, Offer offer) {
    int most = most(quota, offer);
    return most < problem.limits().maxInstances()
        && (!quota.isOfThisMachine()
            || problem.limits().quotas().stream()
                .filter(other -> other.isOfThisMachine() && !other.unit().equals(quota.unit()))
                .filter(other -> other.isMemory() || quota.isMemory())
                .allMatch(
                    other ->
                        most < most(other, offer)
                            || (most == most(other, offer) && !quota.isMemory())));
  }

  private int most(Quota quota, Offer offer) {
    return quota.maxInstances(offer.name(), sharing(offer));
  }

  /** Returns the most trials that the plan places on a GPU of the offer. */
  private int sharing(Offer offer) {
    return plan.allocations().values().stream()
        .filter(allocation -> allocation.offer().equals(offer.name()))
        .mapToInt(Allocation::trialsPerGpu)
        .max()
        .orElse(1);
  }

  private String devices(Quota quota, Offer offer) {
    return (quota.isOfThisMachine()
            ? "this machine has " + quota.amount(quota.limit()) + ", which"
            : quota + "")
        + " allows at most "
        + most(quota, offer)
        + " × "
        + ShortOfferNames.shortest(problem, offer.name());
  }

  /** Returns e.g. {@code memory: 5 trials of 3.1 GB in 16.0 GB of this machine}. */
  private String memory(Quota quota, Offer offer) {
    boolean isWorkers =
        plan.allocations().values().stream().anyMatch(allocation -> allocation.gpusPerTrial() > 1);
    long count = (long) most(quota, offer) * offer.gpus() * sharing(offer);
    return "memory: "
        + count
        + (isWorkers ? " worker" : " trial")
        + (count == 1 ? "" : "s")
        + " of "
        + quota.amount((double) quota.unitsPerInstance(offer.name()) / offer.gpus())
        + " in "
        + quota.amount(quota.limit())
        + " of this machine";
  }

  private String storage() {
    CheckpointPolicy checkpointPolicy = inputs.job().value().trial().checkpoints();
    return "checkpoint storage (%d trials × %d checkpoints × %s GB)"
        .formatted(
            inputs.workload().trials(),
            checkpointPolicy.keep(),
            BigDecimal.valueOf(checkpointPolicy.sizeGb()).stripTrailingZeros().toPlainString());
  }
}

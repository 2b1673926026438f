package io.elastune.simulator.instance;

import io.elastune.core.Spread;
import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialFactors;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.draw.ConfiguredDraws;
import io.elastune.simulator.draw.ConstantDraws;
import io.elastune.simulator.draw.DrawDistribution;
import io.elastune.simulator.draw.DrawDistributions;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.draw.ExponentialDraws;
import io.elastune.simulator.draw.NormalDraws;
import io.elastune.simulator.draw.RepeatCounts;
import io.elastune.simulator.draw.RepeatedDraws;
import io.elastune.simulator.draw.UniformDraws;
import io.elastune.simulator.fault.FaultHazards;
import io.elastune.simulator.fault.TornCheckpoints;
import io.elastune.simulator.rank.GroupMembers;
import io.elastune.simulator.rank.RankModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * All random draws of one problem, by name. The draws of trial t of a group and of instance i of a
 * chain are the same in every plan. They are cached for the next plan up to a size limit; others
 * are drawn again for each plan. Thread-safe.
 */
public final class Draws {
  /** Default limit of the cache in bytes. */
  public static final long MAX_CACHE_BYTES = 64L << 20;

  private static final String WITH_FAULTS = ", with faults";

  private static final int[] NO_TARGETS = {};

  private final Workload workload;
  private final RandomStreams streams;
  private final int samples;
  private final Optional<GroupMembers> members;
  private final Map<Name, DrawTable> tables = new HashMap<>();
  private final AtomicLong room;
  private final boolean loaded;

  private record Name(String quantity, String where, int number, String law) {}

  /**
   * Creates draws for at most {@code samples} samples, or for one if nothing in {@code problem}
   * varies. In a search made of rungs and under Hermes, the ranks of the trials vary.
   */
  public Draws(Problem problem, int samples) {
    this(problem, samples, MAX_CACHE_BYTES);
  }

  /** Creates draws with a cache of at most {@code keptBytes} bytes. */
  public Draws(Problem problem, int samples, long keptBytes) {
    this(problem, samples, RankModel.of(problem), keptBytes);
  }

  /** Creates draws for other ranks and, with learning curves, other durations. */
  public Draws(Problem problem, int samples, RankModel ranks, long keptBytes) {
    this.room = new AtomicLong(keptBytes);
    this.workload = problem.workload();
    this.loaded = problem.profiles().values().stream().anyMatch(it -> it.load().isPresent());
    this.streams = RandomStreams.of(problem.seed());
    this.members =
        ranks.curves().isPresent() && workload.rungs().isEmpty()
            ? Optional.of(GroupMembers.of(problem, ranks))
            : Optional.empty();
    boolean ranksMatter = workload.rungs().isPresent() || problem.hermes().isPresent();
    boolean ranksVary = ranksMatter && ranks.varies();
    this.samples = ranksVary || varies(problem) ? samples : 1;
  }

  private boolean varies(Problem problem) {
    if (problem.hasFaults() || placesVary(problem)) {
      return true;
    }
    return problem.offers().stream()
        .filter(offer -> problem.profile(offer).isPresent())
        .flatMap(offer -> laws(problem, offer))
        .anyMatch(DrawDistribution::varies);
  }

  /** Whether it is random which trials continue where their programs wait. */
  private static boolean placesVary(Problem problem) {
    return problem.keepAlive()
        && problem.workload().groups().stream().anyMatch(group -> group.fromUnit() > 0)
        && problem.profiles().values().stream().anyMatch(it -> it.startupS().mean() > 0);
  }

  private Stream<DrawDistribution> laws(Problem problem, Offer offer) {
    Profile profile = problem.profile(offer).orElseThrow();
    Stream<DrawDistribution> trials =
        problem.workload().groups().stream().map(group -> trialLaw(group, profile));
    return Stream.concat(
        trials,
        Stream.of(
            DrawDistributions.of(profile.startupS()),
            DrawDistributions.ofInstance(profile),
            DrawDistributions.of(new Spread(1, profile.runCv())),
            DrawDistributions.of(offer.queueS()),
            DrawDistributions.of(offer.bootS())));
  }

  /** Returns the number of samples. */
  public int samples() {
    return samples;
  }

  /**
   * Returns the name of the distributions of a profile. Beside other programs, they differ with the
   * number of trials at once.
   */
  private String law(Profile profile) {
    return loaded
        ? profile.gpu()
            + "/"
            + profile.startupS().mean()
            + "/"
            + profile.secondsByGpus().firstEntry().getValue()
        : profile.gpu();
  }

  /** Returns the factor {@code X} of each trial of {@code group}. */
  public DrawTable trials(TrialGroup group, Profile profile) {
    return table(
        new Name("trial", group.name(), 0, law(profile)), trialLaw(group, profile), group.trials());
  }

  /**
   * Returns the part of {@link #trials} that the profile expects of the hyperparameters of each
   * trial of {@code group}; empty if it expects nothing.
   */
  public Optional<DrawTable> expected(TrialGroup group, Profile profile) {
    return factors(group, profile)
        .map(
            factors ->
                table(
                    new Name("expected", group.name(), 0, profile.gpu()),
                    configured(group, factors, new ConstantDraws(1)),
                    group.trials()));
  }

  /** The factors of the trials of a group if these are known, or of those that start together. */
  private Optional<List<Double>> factors(TrialGroup group, Profile profile) {
    List<Double> all = TrialFactors.all(workload, profile);
    List<Integer> known = members.map(ofGroups -> ofGroups.of(group)).orElse(List.of());
    List<Double> factors =
        known.size() == group.trials() && !all.isEmpty()
            ? known.stream().map(trial -> all.get(trial - 1)).toList()
            : TrialFactors.of(workload, group, profile);
    return Optional.of(factors).filter(some -> !some.isEmpty());
  }

  private DrawDistribution trialLaw(TrialGroup group, Profile profile) {
    DrawDistribution law =
        factors(group, profile)
            .map(
                known ->
                    configured(
                        group, known, DrawDistributions.ofConfiguredTrial(profile, group.units())))
            .orElseGet(() -> DrawDistributions.ofTrial(profile, group.units()));
    return members.map(known -> known.withCurves(group, profile, law)).orElse(law);
  }

  private DrawDistribution configured(
      TrialGroup group, List<Double> factors, DrawDistribution base) {
    String chain =
        workload.chains().stream()
            .filter(one -> one.groups().contains(group))
            .findFirst()
            .orElseThrow()
            .name();
    return new ConfiguredDraws(base, factors, group.trials(), streams.at("survivors").at(chain));
  }

  /** Returns the start-up seconds of each trial of {@code group}. */
  public DrawTable startups(TrialGroup group, Profile profile) {
    return table(
        new Name("startup", group.name(), 0, law(profile)),
        DrawDistributions.of(profile.startupS()),
        group.trials());
  }

  /**
   * Returns after how many units of {@code group} each of its trials reports the metric that ends
   * the search, 0 for one that does not; empty without learning curves or without such a metric.
   */
  public int[] targets(TrialGroup group) {
    return members.isPresent() && workload.target().isPresent()
        ? members.get().targets(group, workload.target().getAsDouble())
        : NO_TARGETS;
  }

  /** Returns how often the last checkpoint of each trial of {@code group} is torn. */
  public DrawTable tornCounts(TrialGroup group, Profile profile) {
    return table(tornCountsName(group, profile), tornCounts(profile), group.trials());
  }

  /** Returns which checkpoints of the trials of {@code group} are torn. */
  public TornCheckpoints.Tables torn(TrialGroup group, Profile profile) {
    return new TornCheckpoints.Tables(
        profile.faults().tornCheckpoint().value(),
        tornCounts(group, profile),
        table(new Name("torn stop", group.name(), 0, ""), new UniformDraws(), group.trials()),
        streams.at("torn stops").at(group.name()));
  }

  private static RepeatCounts tornCounts(Profile profile) {
    return new RepeatCounts(profile.faults().tornCheckpoint().value());
  }

  private static Name tornCountsName(TrialGroup group, Profile profile) {
    return new Name("torn", group.name(), 0, profile.gpu());
  }

  /**
   * Returns a builder with what follows from the trials of a group. The caller sets the place of
   * the group in the plan, and what it has of instances.
   */
  public CompiledGroupBuilder trialsOf(
      TrialGroup group, Profile profile, CheckpointSchedule checkpoints, FaultHazards hazards) {
    return CompiledGroupBuilder.builder()
        .trials(group.trials())
        .x(trialsWithFaults(group, profile, checkpoints))
        .startups(startupsWithFaults(group, profile))
        .tornCounts(tornCounts(group, profile))
        .units(group.units())
        .resumes(!group.fromScratch())
        .checkpoints(checkpoints)
        .checkpointS(profile.checkpointS().mean())
        .hazards(hazards)
        .faults(trialFaults(group))
        .faultStreams(trialFaultStreams(group))
        .targets(targets(group));
  }

  /**
   * Returns the same as {@link #trials}, with what trials repeat after torn checkpoints: their
   * units since the checkpoint before, or all of them if they cannot resume.
   */
  public DrawTable trialsWithFaults(
      TrialGroup group, Profile profile, CheckpointSchedule checkpoints) {
    String interval = checkpoints.decided() ? "/" + checkpoints.every() : "";
    return tornCounts(profile).varies()
        ? table(
            new Name("trial", group.name(), 0, law(profile) + WITH_FAULTS + interval),
            repeated(
                trialLaw(group, profile),
                group,
                profile,
                CompiledGroup.tornFraction(group, checkpoints)),
            group.trials())
        : trials(group, profile);
  }

  /** Returns the same as {@link #startups}, with those after torn checkpoints. */
  public DrawTable startupsWithFaults(TrialGroup group, Profile profile) {
    return tornCounts(profile).varies()
        ? table(
            new Name("startup", group.name(), 0, law(profile) + WITH_FAULTS),
            repeated(DrawDistributions.of(profile.startupS()), group, profile, 1),
            group.trials())
        : startups(group, profile);
  }

  private DrawDistribution repeated(
      DrawDistribution once, TrialGroup group, Profile profile, double fraction) {
    RandomStreams own = streamsOf(tornCountsName(group, profile));
    return RepeatedDraws.of(once, tornCounts(profile), own, fraction);
  }

  /** Returns a uniform key of each trial of {@code group}: those with the smallest continue. */
  public DrawTable promotionKeys(TrialGroup group) {
    return table(new Name("promotion", group.name(), 0, ""), new UniformDraws(), group.trials());
  }

  /** Returns the seconds from request to running of instance {@code number} of a chain. */
  public DrawTable queue(String chain, int number, Offer offer) {
    return table(
        new Name("queue", chain, number, offer.name()), DrawDistributions.of(offer.queueS()), 1);
  }

  /** Returns the seconds from running to ready of instance {@code number} of a chain. */
  public DrawTable boot(String chain, int number, Offer offer) {
    return table(
        new Name("boot", chain, number, offer.name()), DrawDistributions.of(offer.bootS()), 1);
  }

  /** Returns the same as {@link #queue}, with refusals. */
  public DrawTable queueWithFaults(String chain, int number, Offer offer) {
    return offer.faults().refusal().value() > 0
        ? table(
            new Name("queue", chain, number, offer.name() + WITH_FAULTS),
            DrawDistributions.ofQueue(offer),
            1)
        : queue(chain, number, offer);
  }

  /** Returns the same as {@link #boot}, with slow boots. */
  public DrawTable bootWithFaults(String chain, int number, Offer offer) {
    return offer.faults().slowBoot().value() > 0
        ? table(
            new Name("boot", chain, number, offer.name() + WITH_FAULTS),
            DrawDistributions.ofBoot(offer),
            1)
        : boot(chain, number, offer);
  }

  /** Returns how many boots fail before instance {@code number} of a chain is ready. */
  public DrawTable bootFailures(String chain, int number, Offer offer) {
    return table(
        new Name("boot failures", chain, number, offer.name()),
        new RepeatCounts(offer.faults().bootFailure().value()),
        1);
  }

  /** Returns the slowness factor {@code Y} of instance {@code number} of a chain. */
  public DrawTable slowness(String chain, int number, Profile profile) {
    return table(
        new Name("instance", chain, number, profile.gpu()),
        DrawDistributions.ofInstance(profile),
        1);
  }

  /** Returns standard normal draws of each trial, from which the ranks of trials follow. */
  public DrawTable ranks(String where, int trials) {
    return table(new Name("rank", where, 0, ""), new NormalDraws(), trials);
  }

  /** Returns uniform draws of the quality of each trial. */
  public DrawTable qualities(int trials) {
    return table(new Name("quality", "", 0, ""), new UniformDraws(), trials);
  }

  /** Returns uniform draws, from which the first crash or hang of each trial follows. */
  public DrawTable trialFaults(TrialGroup group) {
    return table(new Name("trial fault", group.name(), 0, ""), new UniformDraws(), group.trials());
  }

  /** Returns the streams of what follows these faults, by sample. */
  public RandomStreams trialFaultStreams(TrialGroup group) {
    return streams.at("trial faults").at(group.name());
  }

  /** Returns the hazard until instance {@code number} of a chain is lost. */
  public DrawTable instanceFault(String chain, int number) {
    return table(new Name("instance fault", chain, number, ""), new ExponentialDraws(), 1);
  }

  /** Returns the streams of everything that follows faults of instances of a chain, by sample. */
  public RandomStreams faultStreams(String chain) {
    return streams.at("faults").at(chain);
  }

  /** Returns a number that is the same in each sample. */
  DrawTable constant(double value) {
    return new DrawTable(new ConstantDraws(value), streams, 1, samples, room);
  }

  private synchronized DrawTable table(Name name, DrawDistribution drawDistribution, int width) {
    DrawTable known = tables.get(name);
    if (known != null) {
      return known;
    }
    DrawTable table = new DrawTable(drawDistribution, streamsOf(name), width, samples, room);
    tables.put(name, table);
    return table;
  }

  private RandomStreams streamsOf(Name name) {
    return streams.at(name.quantity()).at(name.where()).at(name.number());
  }
}

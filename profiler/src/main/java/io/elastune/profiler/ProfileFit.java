package io.elastune.profiler;

import io.elastune.core.Preconditions;
import io.elastune.core.Spread;
import io.elastune.core.job.Dimension;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.executor.journal.PreparationRow;
import io.elastune.profiler.MeasuredProfile.SizeAccuracy;
import io.elastune.profiler.RunMeasurements.LeaseTimes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Fits a profile to measured times: {@link SizeFit} separates start-up from training, {@link
 * VarianceComponents} divides the spread, {@link TrialSpread} finds stragglers, and {@link
 * UnitTimes} has the seconds per unit. The start-up of an attempt is the rest of its duration:
 * process start, data, warm-up, the last checkpoint, and shutdown. The first attempts on an
 * instance count only if there are no others, because nothing is cached yet.
 */
final class ProfileFit {
  private final List<SizeFit> sizes;
  private final boolean startupKnown;
  private final SpreadLikelihood likelihood;
  private final VarianceComponents components;
  private final Optional<InstancePosterior> instances;
  private final UnitTimes unitTimes;
  private final TrialSpread trialSpread;
  private final StartupFit startup;

  /**
   * Fits the times of attempts.
   *
   * @throws IllegalArgumentException if there are none
   */
  ProfileFit(List<AttemptTimes> attempts) {
    Preconditions.that(!attempts.isEmpty(), "nothing was measured");
    Map<TrialSize, List<AttemptTimes>> bySize = new TreeMap<>();
    attempts.stream()
        .filter(one -> !one.clockSetBack())
        .forEach(one -> bySize.computeIfAbsent(one.size(), g -> new ArrayList<>()).add(one));
    Preconditions.that(!bySize.isEmpty(), "the clock was set back during every attempt");
    sizes =
        bySize.entrySet().stream()
            .map(e -> SizeFit.of(e.getKey(), InterruptedAttempts.removed(e.getValue())))
            .toList();
    startupKnown = sizes.stream().anyMatch(SizeFit::separated);
    likelihood = new SpreadLikelihood(sizes);
    components = new VarianceComponents(likelihood);
    instances =
        likelihood.freedom(SpreadLikelihood.INSTANCE) > 0
            ? Optional.of(new InstancePosterior(likelihood, components))
            : Optional.empty();
    unitTimes = new UnitTimes(sizes, likelihood, components, instances);
    trialSpread = new TrialSpread(sizes, likelihood, components);
    startup = new StartupFit(sizes, components.cv(SpreadLikelihood.UNIT));
  }

  /** Returns the effect of hyperparameters; none if durations have another distribution. */
  ConfigurationEffect configurations(
      Map<Integer, Map<String, Object>> configurations, Map<String, Dimension> space) {
    return trialSpread.samples().isEmpty()
        ? ConfigurationFit.of(sizes, configurations, space, components.cv(SpreadLikelihood.UNIT))
        : ConfigurationEffect.NONE;
  }

  List<SizeFit> sizes() {
    return sizes;
  }

  /**
   * Returns the profile.
   *
   * @param code the hash of the code that was measured
   * @param freshInstances whether nothing is cached on the instances of a later run: what the first
   *     attempts on an instance took in addition then counts as part of its boot
   */
  MeasuredProfile profile(
      String program,
      String gpu,
      String unit,
      Instant at,
      String source,
      Optional<String> code,
      List<LeaseTimes> leases,
      boolean freshInstances) {
    TreeMap<Integer, Double> byGpus = new TreeMap<>();
    TreeMap<Integer, Double> bySharing = new TreeMap<>();
    for (SizeFit fit : sizes) {
      if (fit.size().isShared()) {
        bySharing.put(fit.size().sharing(), seconds(fit));
      } else {
        byGpus.put(fit.size().gpus(), seconds(fit));
      }
    }
    int units = sizes.stream().mapToInt(SizeFit::units).sum();
    double coldExtraS = freshInstances ? startup.coldExtraS() : 0;
    Profile profile =
        Profile.builder(
                program,
                gpu,
                unit,
                new MeasurementOrigin(at, source, units, code, numbers(leases, coldExtraS)),
                byGpus)
            .secondsBySharing(bySharing)
            .startupS(startup.spread())
            .trialCv(trialSpread.cv())
            .unitCv(components.cv(SpreadLikelihood.UNIT))
            .straggler(trialSpread.straggler())
            .samples(trialSpread.samples())
            .instanceCv(components.cv(SpreadLikelihood.INSTANCE))
            .provisioning(provisioning(leases, coldExtraS))
            .startupKnown(startupKnown)
            .build();
    return new MeasuredProfile(
        profile, sizes.stream().filter(fit -> !fit.size().isShared()).map(this::accuracy).toList());
  }

  private Optional<NumberEstimate> unitTime(SizeFit fit) {
    return unitTimes
        .of(fit.size())
        .or(fit::slope)
        .or(() -> startupKnown ? Optional.empty() : fit.wholeMean());
  }

  private double seconds(SizeFit fit) {
    return unitTimes
        .of(fit.size())
        .map(NumberEstimate::value)
        .orElseGet(
            () ->
                fit.separated() || !startupKnown
                    ? fit.unitS()
                    : fit.unitS(startup.spread().mean()));
  }

  /** Returns every number whose accuracy is known; docs/profiling.md lists their names. */
  private List<MeasuredNumber> numbers(List<LeaseTimes> leases, double extraS) {
    List<MeasuredNumber> numbers = new ArrayList<>();
    for (SizeFit fit : sizes) {
      unitTime(fit)
          .filter(estimate -> estimate.standardError() > 0)
          .ifPresent(estimate -> numbers.add(estimate.named(name(fit.size()))));
    }
    numbers.addAll(startup.numbers());
    numbers.addAll(trialSpread.numbers());
    likelihood
        .known()
        .filter(component -> component == SpreadLikelihood.UNIT)
        .forEach(i -> numbers.add(components.estimate(i).named(VarianceComponents.name(i))));
    instances.ifPresent(
        one ->
            numbers.add(one.estimate().named(VarianceComponents.name(SpreadLikelihood.INSTANCE))));
    byOffer(leases)
        .forEach(
            (offer, some) -> {
              if (some.size() > 1) {
                numbers.addAll(numbers("queue_s", offer, queues(some)));
                numbers.addAll(numbers("boot_s", offer, boots(some, extraS)));
                if (part(some, PreparationRow::setupS).mean() > 0) {
                  numbers.addAll(numbers("setup_s", offer, parts(some, PreparationRow::setupS)));
                }
                if (part(some, PreparationRow::imageS).mean() > 0) {
                  numbers.addAll(numbers("image_s", offer, parts(some, PreparationRow::imageS)));
                }
              }
            });
    return numbers;
  }

  private static List<MeasuredNumber> numbers(String field, String offer, List<Double> values) {
    return List.of(
        NumberEstimate.mean(values).named(field + ".mean " + offer),
        NumberEstimate.cv(values).named(field + ".cv " + offer));
  }

  private static String name(TrialSize size) {
    return size.isShared() ? "sharing." + size.sharing() : "training." + size.gpus();
  }

  private SizeAccuracy accuracy(SizeFit fit) {
    int trials = (int) fit.attempts().stream().mapToInt(AttemptTimes::trial).distinct().count();
    double error = unitTime(fit).map(NumberEstimate::standardError).orElse(0.0);
    return new SizeAccuracy(fit.size().gpus(), trials, fit.units(), error);
  }

  private static Map<String, List<LeaseTimes>> byOffer(List<LeaseTimes> leases) {
    Map<String, List<LeaseTimes>> byOffer = new TreeMap<>();
    leases.forEach(l -> byOffer.computeIfAbsent(l.offer(), o -> new ArrayList<>()).add(l));
    return byOffer;
  }

  private static List<ProvisioningTimes> provisioning(List<LeaseTimes> leases, double extraS) {
    List<ProvisioningTimes> provisioningTimes = new ArrayList<>();
    byOffer(leases)
        .forEach(
            (offer, some) ->
                provisioningTimes.add(
                    new ProvisioningTimes(
                        offer,
                        NumberEstimate.spread(queues(some)),
                        NumberEstimate.spread(boots(some, extraS)),
                        part(some, PreparationRow::setupS),
                        part(some, PreparationRow::imageS),
                        some.size())));
    return provisioningTimes;
  }

  /** Returns the time of a part of the boot; 0 if it is unknown for any of the leases. */
  private static Spread part(
      List<LeaseTimes> leases, Function<PreparationRow, OptionalDouble> part) {
    List<Double> known = parts(leases, part);
    return known.size() == leases.size() ? NumberEstimate.spread(known) : Spread.NONE;
  }

  private static List<Double> parts(
      List<LeaseTimes> leases, Function<PreparationRow, OptionalDouble> part) {
    return leases.stream()
        .flatMap(lease -> part.apply(lease.preparation()).stream().boxed())
        .toList();
  }

  private static List<Double> queues(List<LeaseTimes> leases) {
    return leases.stream().map(LeaseTimes::queueS).toList();
  }

  private static List<Double> boots(List<LeaseTimes> leases, double extraS) {
    return leases.stream().map(lease -> lease.bootS() + extraS).toList();
  }
}

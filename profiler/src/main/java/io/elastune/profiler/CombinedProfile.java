package io.elastune.profiler;

import io.elastune.core.Spread;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.core.profile.RankCorrelation;
import io.elastune.profiler.history.ProgramEvidence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A stored profile combined with what later and earlier runs of its program have shown. Every
 * number is the mean of all its estimates, weighted by their precision.
 *
 * @param profile the combined profile
 * @param runs how many runs count besides the one that the profile was measured by
 * @param storedCounts whether the stored profile counts itself
 * @param change the last change of the speed, before which nothing counts
 * @param unconfirmed a change that only the last run shows
 */
public record CombinedProfile(
    Profile profile,
    int runs,
    boolean storedCounts,
    Optional<SpeedChange> change,
    Optional<SpeedChange> unconfirmed) {

  /** Returns the stored profile as it is, if there is no evidence of other runs. */
  public static CombinedProfile of(Profile stored, List<ProgramEvidence> evidence) {
    String source = stored.measured().source();
    List<ProgramEvidence> others =
        evidence.stream()
            .filter(one -> !source.equals(MeasurementOrigin.RUN + one.run()))
            .filter(one -> one.profile().unit().equals(stored.unit()))
            .toList();
    if (others.isEmpty()) {
      return new CombinedProfile(stored, 0, true, Optional.empty(), Optional.empty());
    }
    return of(withKnownStartup(stored, others), source, others);
  }

  /**
   * Returns the stored profile with the start-up that the last run has separated from training, if
   * the stored measurements could not.
   */
  private static Profile withKnownStartup(Profile stored, List<ProgramEvidence> others) {
    Optional<Profile> last =
        others.stream()
            .filter(one -> one.profile().startupKnown() && !stored.startupKnown())
            .max(Comparator.comparing(ProgramEvidence::ended))
            .map(ProgramEvidence::profile);
    if (last.isEmpty()) {
      return stored;
    }
    NavigableMap<Integer, Double> known = last.get().secondsByGpus();
    double ratio =
        known.entrySet().stream()
            .filter(entry -> stored.secondsByGpus().containsKey(entry.getKey()))
            .mapToDouble(
                entry ->
                    entry.getValue() / stored.secondsByGpus().getOrDefault(entry.getKey(), 1.0))
            .average()
            .orElse(1);
    NavigableMap<Integer, Double> seconds = new TreeMap<>();
    stored.secondsByGpus().forEach((gpus, value) -> seconds.put(gpus, value * ratio));
    seconds.putAll(known);
    return ProfileBuilder.builder(stored)
        .measured(stored.measured().withNumbers(List.of()))
        .secondsByGpus(seconds)
        .startupS(last.get().startupS())
        .startupKnown(true)
        .build();
  }

  private static CombinedProfile of(Profile stored, String source, List<ProgramEvidence> others) {
    MeasurementOrigin origin = stored.measured();
    ProgramEvidence own = new ProgramEvidence(source, origin.at(), origin.code(), "", stored);
    List<ProgramEvidence> all =
        Stream.concat(Stream.of(own), others.stream())
            .sorted(Comparator.comparing(ProgramEvidence::ended))
            .toList();
    SpeedDrift drift = SpeedDrift.of(all, own);
    List<Profile> current = drift.current().stream().map(ProgramEvidence::profile).toList();
    boolean storedCounts = drift.current().contains(own);
    return new CombinedProfile(
        new Combination(stored, current).profile(drift),
        current.size() - (storedCounts ? 1 : 0),
        storedCounts,
        drift.change(),
        drift.unconfirmed());
  }

  /** Computes the combination of profiles. */
  private record Combination(Profile stored, List<Profile> current) {
    Profile profile(SpeedDrift drift) {
      List<MeasuredNumber> numbers = numbers();
      Optional<Profile> trials = mostTrials();
      boolean ownSpread =
          trials.filter(p -> p.straggler().probability() > 0 || !p.samples().isEmpty()).isPresent();
      Profile combined =
          ProfileBuilder.builder(stored)
              .measured(origin(drift, numbers))
              .secondsByGpus(seconds(stored.secondsByGpus(), "training.", numbers))
              .secondsBySharing(seconds(stored.secondsBySharing(), "sharing.", numbers))
              .startupS(startup(numbers))
              .trialCv(
                  ownSpread ? trials.orElseThrow().trialCv() : cv("trial_cv", stored.trialCv()))
              .unitCv(cv("unit_cv", stored.unitCv()))
              .straggler(trials.map(Profile::straggler).orElse(stored.straggler()))
              .samples(trials.map(Profile::samples).orElse(stored.samples()))
              .instanceCv(cv("instance_cv", stored.instanceCv()))
              .provisioning(provisioning())
              .checkpoint(CheckpointMeasurement.NONE)
              .configurations(configurations())
              .rankCorrelation(ranks())
              .memoryGb(memoryGb())
              .build();
      CheckpointMeasurement checkpoint =
          PooledSamples.checkpoint(current.stream().map(Profile::checkpoint).toList());
      return checkpoint.equals(CheckpointMeasurement.NONE)
          ? combined
          : combined.withCheckpoint(checkpoint);
    }

    /**
     * Returns the most memory of the stored profile and of the runs since. Earlier ones do not
     * count, so that a program which needs less is measured again.
     */
    private OptionalDouble memoryGb() {
      return Stream.concat(
              Stream.of(stored),
              current.stream().filter(one -> one.measured().at().isAfter(stored.measured().at())))
          .flatMapToDouble(one -> one.memoryGb().stream())
          .max();
    }

    /** Returns the effect of hyperparameters that the most trials have shown. */
    private ConfigurationEffect configurations() {
      return Stream.concat(Stream.of(stored), current.stream())
          .map(Profile::configurations)
          .max(Comparator.comparingInt(ConfigurationEffect::trials))
          .orElseThrow();
    }

    private Optional<RankCorrelation> ranks() {
      return RankCorrelationFit.combined(
          Stream.concat(
                  Stream.of(stored), current.stream().filter(profile -> !profile.equals(stored)))
              .flatMap(profile -> profile.rankCorrelation().stream())
              .toList());
    }

    private MeasurementOrigin origin(SpeedDrift drift, List<MeasuredNumber> numbers) {
      MeasurementOrigin origin = stored.measured();
      ProgramEvidence last = drift.current().get(drift.current().size() - 1);
      return new MeasurementOrigin(
          origin.at(),
          origin.source(),
          current.stream().mapToInt(one -> one.measured().samples()).sum(),
          last.code().isPresent() ? last.code() : origin.code(),
          numbers);
    }

    /** Returns all numbers that a profile has; those of provisioning times are not combined. */
    private List<MeasuredNumber> numbers() {
      Map<String, List<MeasuredNumber>> byName = new LinkedHashMap<>();
      current.stream()
          .flatMap(
              one ->
                  one.measured().numbers().stream()
                      .filter(
                          number ->
                              one.startupKnown() == stored.startupKnown()
                                  || !isDuration(number.name())))
          .filter(number -> !number.name().contains(" "))
          .filter(number -> !number.name().startsWith(ScalingLaw.MODELED))
          .forEach(
              number -> byName.computeIfAbsent(number.name(), n -> new ArrayList<>()).add(number));
      List<MeasuredNumber> numbers = new ArrayList<>();
      byName.forEach(
          (name, all) -> PooledNumber.of(all).map(one -> one.named(name)).ifPresent(numbers::add));
      stored.measured().number(SharedMachine.OTHER_CORES).ifPresent(numbers::add);
      return numbers;
    }

    /** The seconds per unit include the start-up where this is unknown. */
    private static boolean isDuration(String name) {
      return name.startsWith("training.")
          || name.startsWith("sharing.")
          || name.startsWith("startup_s.");
    }

    /** A size that no current run has measured changes as the others do. */
    private NavigableMap<Integer, Double> seconds(
        Map<Integer, Double> table, String prefix, List<MeasuredNumber> numbers) {
      double ratio = current.contains(stored) ? 1 : ratio();
      NavigableMap<Integer, Double> seconds = new TreeMap<>();
      table.forEach((count, value) -> seconds.put(count, value * ratio));
      for (MeasuredNumber number : numbers) {
        if (number.name().startsWith(prefix) && number.value() > 0) {
          seconds.put(Integer.parseInt(number.name().substring(prefix.length())), number.value());
        }
      }
      return seconds;
    }

    private double ratio() {
      List<RunSpeed> speeds =
          current.stream().flatMap(one -> RunSpeed.of(one, stored).stream()).toList();
      return speeds.isEmpty() ? 1 : Math.exp(RunSpeed.mean(speeds).log());
    }

    private Spread startup(List<MeasuredNumber> numbers) {
      Optional<MeasuredNumber> mean =
          numbers.stream().filter(one -> one.name().equals("startup_s.mean")).findFirst();
      if (mean.isEmpty() || !stored.startupKnown()) {
        return stored.startupS();
      }
      List<PooledSamples.Sample> samples = new ArrayList<>();
      for (Profile one : current) {
        one.measured()
            .number("startup_s.mean")
            .filter(number -> one.startupKnown())
            .ifPresent(
                number ->
                    samples.add(
                        new PooledSamples.Sample(
                            one.startupS().mean(), one.startupS().cv(), number.count())));
      }
      return new Spread(mean.get().value(), PooledSamples.withinCv(samples));
    }

    private double cv(String name, double otherwise) {
      double squares = 0;
      double freedom = 0;
      for (Profile one : current) {
        Optional<MeasuredNumber> number = one.measured().number(name);
        if (number.isPresent() && number.get().count() > 1) {
          double own = number.get().count() - 1.0;
          squares += own * number.get().value() * number.get().value();
          freedom += own;
        }
      }
      return freedom > 0 ? Math.sqrt(squares / freedom) : otherwise;
    }

    /** Returns the profile with the most trials, which shows stragglers best. */
    private Optional<Profile> mostTrials() {
      return current.stream()
          .filter(one -> one.measured().number("trial_cv").isPresent())
          .max(
              Comparator.comparingInt(
                  one -> one.measured().number("trial_cv").orElseThrow().count()));
    }

    private List<ProvisioningTimes> provisioning() {
      Map<String, List<ProvisioningTimes>> byOffer = new LinkedHashMap<>();
      Stream.concat(Stream.of(stored), current.stream().filter(one -> !one.equals(stored)))
          .flatMap(one -> one.provisioning().stream())
          .filter(ProvisioningTimes::isMeasured)
          .forEach(
              times -> byOffer.computeIfAbsent(times.offer(), n -> new ArrayList<>()).add(times));
      List<ProvisioningTimes> pooled = new ArrayList<>();
      byOffer.forEach(
          (offer, times) ->
              pooled.add(
                  new ProvisioningTimes(
                      offer,
                      PooledSamples.spread(times.stream().map(PooledSamples::queue).toList()),
                      PooledSamples.spread(times.stream().map(PooledSamples::boot).toList()),
                      PooledSamples.spread(times.stream().map(PooledSamples::setup).toList()),
                      PooledSamples.spread(times.stream().map(PooledSamples::image).toList()),
                      times.stream().mapToInt(ProvisioningTimes::samples).sum())));
      return pooled;
    }
  }
}

package io.elastune.profiler;

import io.elastune.core.Preconditions;
import io.elastune.core.Spread;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.core.profile.Straggler;
import io.elastune.profiler.AttemptTimes.Interval;
import io.elastune.profiler.MeasuredProfile.SizeAccuracy;
import io.elastune.profiler.RunMeasurements.LeaseTimes;
import io.elastune.profiler.SizeFit.TrialFit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/**
 * Fits a profile to measured times. {@link SizeFit} has the unit times. The start-up of an attempt
 * is the rest of its duration: process start, data, warm-up, the last checkpoint, and shutdown. The
 * first attempts on an instance count only if there are no others, because nothing is cached yet.
 */
final class ProfileFit {
  private final List<SizeFit> sizes;
  private final boolean startupKnown;
  private final List<Double> coldS;
  private final List<Double> warmS;
  private final double unitCv;
  private final double trialCv;

  /**
   * Fits the times of attempts.
   *
   * @throws IllegalArgumentException if there are none
   */
  ProfileFit(List<AttemptTimes> attempts) {
    Preconditions.that(!attempts.isEmpty(), "nothing was measured");
    Map<Integer, List<AttemptTimes>> bySize = new TreeMap<>();
    attempts.forEach(one -> bySize.computeIfAbsent(one.gpus(), g -> new ArrayList<>()).add(one));
    sizes = bySize.entrySet().stream().map(e -> SizeFit.of(e.getKey(), e.getValue())).toList();
    startupKnown = sizes.stream().anyMatch(SizeFit::separated);
    coldS = startupsS(true);
    warmS = startupsS(false);
    unitCv = unitCv();
    trialCv = trialCv();
  }

  List<SizeFit> sizes() {
    return sizes;
  }

  private List<Double> startupsS(boolean cold) {
    return sizes.stream()
        .filter(SizeFit::separated)
        .flatMap(size -> size.startupsS(cold).stream())
        .toList();
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
    Spread startup = startup();
    TreeMap<Integer, Double> seconds = new TreeMap<>();
    sizes.forEach(
        size ->
            seconds.put(
                size.gpus(),
                size.separated() || !startupKnown ? size.unitS() : size.unitS(startup.mean())));
    int units = sizes.stream().mapToInt(SizeFit::units).sum();
    double coldExtraS =
        freshInstances && !coldS.isEmpty() && !warmS.isEmpty()
            ? Math.max(0, mean(coldS) - mean(warmS))
            : 0;
    Profile profile =
        new Profile(
            program,
            gpu,
            unit,
            new MeasurementOrigin(at, source, units, code),
            seconds,
            new TreeMap<>(),
            startup,
            Spread.NONE,
            trialCv,
            unitCv,
            Straggler.NONE,
            List.of(),
            0,
            Straggler.NONE,
            provisioning(leases, coldExtraS),
            startupKnown,
            CheckpointMeasurement.NONE);
    return new MeasuredProfile(
        profile, sizes.stream().map(size -> accuracy(size, profile)).toList());
  }

  private Spread startup() {
    List<Double> known = warmS.isEmpty() ? coldS : warmS;
    return known.isEmpty() ? Spread.NONE : spread(known);
  }

  private SizeAccuracy accuracy(SizeFit size, Profile profile) {
    int trials = (int) size.attempts().stream().mapToInt(AttemptTimes::trial).distinct().count();
    double variance = trialCv * trialCv / trials + unitCv * unitCv / size.units();
    double unitS = profile.secondsPerUnit(size.gpus()).orElseThrow();
    return new SizeAccuracy(size.gpus(), trials, size.units(), unitS * Math.sqrt(variance));
  }

  /**
   * Returns the coefficient of variation of single units within a trial, pooled over all trials. An
   * interval of several units varies less: its squared deviation counts once per unit.
   */
  private double unitCv() {
    double squares = 0;
    int freedom = 0;
    for (SizeFit size : sizes) {
      for (TrialFit trial : size.trials()) {
        for (Interval interval : trial.intervals()) {
          double deviation = interval.unitS() / trial.unitS() - 1;
          squares += interval.units() * deviation * deviation;
        }
        freedom += Math.max(0, trial.intervals().size() - 1);
      }
    }
    return freedom == 0 ? 0 : Math.sqrt(squares / freedom);
  }

  /**
   * Returns the coefficient of variation of whole trials of the same size, less the part explained
   * by single units.
   */
  private double trialCv() {
    double squares = 0;
    double explained = 0;
    int freedom = 0;
    for (SizeFit size : sizes) {
      for (TrialFit trial : size.trials()) {
        double deviation = trial.unitS() / size.unitS() - 1;
        squares += deviation * deviation;
      }
      int free = Math.max(0, size.trials().size() - 1);
      freedom += free;
      explained += free == 0 ? 0 : free * unitCv * unitCv * size.trials().size() / size.units();
    }
    return freedom == 0 ? 0 : Math.sqrt(Math.max(0, (squares - explained) / freedom));
  }

  private static List<ProvisioningTimes> provisioning(List<LeaseTimes> leases, double extraS) {
    Map<String, List<LeaseTimes>> byOffer = new TreeMap<>();
    leases.forEach(l -> byOffer.computeIfAbsent(l.offer(), o -> new ArrayList<>()).add(l));
    List<ProvisioningTimes> provisioningTimes = new ArrayList<>();
    byOffer.forEach(
        (offer, some) ->
            provisioningTimes.add(
                new ProvisioningTimes(
                    offer,
                    spread(some.stream().map(LeaseTimes::queueS).toList()),
                    spread(some.stream().map(lease -> lease.bootS() + extraS).toList()),
                    some.size())));
    return provisioningTimes;
  }

  private static Spread spread(List<Double> values) {
    DescriptiveStatistics statistics = statistics(values);
    double mean = statistics.getMean();
    double cv = values.size() < 2 || mean == 0 ? 0 : statistics.getStandardDeviation() / mean;
    return new Spread(mean, cv);
  }

  private static double mean(List<Double> values) {
    return statistics(values).getMean();
  }

  private static DescriptiveStatistics statistics(List<Double> values) {
    return new DescriptiveStatistics(values.stream().mapToDouble(Double::doubleValue).toArray());
  }
}

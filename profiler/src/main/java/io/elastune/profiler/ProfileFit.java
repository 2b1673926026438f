package io.elastune.profiler;

import io.elastune.core.Preconditions;
import io.elastune.core.Spread;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.core.profile.Straggler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/**
 * Fits a profile to measured times. The first unit of every trial includes its start-up: process
 * start, data load, warm-up. The start-up time is the duration of the first unit less the trial's
 * mean later unit.
 */
public final class ProfileFit {
  private ProfileFit() {}

  /**
   * The measurements of one trial.
   *
   * @param gpus the trial's GPUs
   * @param firstS seconds from start to first report
   * @param laterS seconds of each later unit
   */
  public record TrialTimes(int gpus, double firstS, List<Double> laterS) {
    public TrialTimes {
      Preconditions.positive("firstS", firstS);
      laterS = List.copyOf(laterS);
    }

    private double unitS() {
      return laterS.isEmpty() ? firstS : mean(laterS);
    }

    private double startupS() {
      return Math.max(0, firstS - unitS());
    }
  }

  /** The measurements of one lease: seconds from request to running and from running to ready. */
  public record LeaseTimes(String offer, double queueS, double bootS) {}

  /**
   * Returns the profile fitted to the times.
   *
   * @throws IllegalArgumentException if there is no trial
   */
  public static Profile of(
      String program,
      String gpu,
      String unit,
      MeasurementOrigin measurementOrigin,
      List<TrialTimes> trials,
      List<LeaseTimes> leases) {
    Preconditions.that(!trials.isEmpty(), "nothing was measured");
    Map<Integer, List<TrialTimes>> bySize = new TreeMap<>();
    trials.forEach(t -> bySize.computeIfAbsent(t.gpus(), g -> new ArrayList<>()).add(t));
    TreeMap<Integer, Double> seconds = new TreeMap<>();
    bySize.forEach(
        (gpus, some) -> seconds.put(gpus, mean(some.stream().map(TrialTimes::unitS).toList())));
    double unitCv = unitCv(trials);
    return new Profile(
        program,
        gpu,
        unit,
        measurementOrigin,
        seconds,
        new TreeMap<>(),
        spread(trials.stream().map(TrialTimes::startupS).toList()),
        Spread.NONE,
        trialCv(bySize, unitCv),
        unitCv,
        Straggler.NONE,
        List.of(),
        0,
        Straggler.NONE,
        provisioning(leases));
  }

  /**
   * Returns the coefficient of variation of single units within a trial, pooled over all trials
   * with at least two.
   */
  private static double unitCv(List<TrialTimes> trials) {
    double squares = 0;
    int freedom = 0;
    for (TrialTimes trial : trials) {
      for (double later : trial.laterS()) {
        double deviation = later / trial.unitS() - 1;
        squares += deviation * deviation;
      }
      freedom += Math.max(0, trial.laterS().size() - 1);
    }
    return freedom == 0 ? 0 : Math.sqrt(squares / freedom);
  }

  /**
   * Returns the coefficient of variation of whole trials of the same size, less the part explained
   * by single units.
   */
  private static double trialCv(Map<Integer, List<TrialTimes>> bySize, double unitCv) {
    double squares = 0;
    double explained = 0;
    int freedom = 0;
    for (List<TrialTimes> some : bySize.values()) {
      double mean = mean(some.stream().map(TrialTimes::unitS).toList());
      for (TrialTimes trial : some) {
        double deviation = trial.unitS() / mean - 1;
        squares += deviation * deviation;
      }
      int free = some.size() - 1;
      freedom += free;
      explained += free * unitCv * unitCv / Math.max(1, some.get(0).laterS().size());
    }
    return freedom == 0 ? 0 : Math.sqrt(Math.max(0, (squares - explained) / freedom));
  }

  private static List<ProvisioningTimes> provisioning(List<LeaseTimes> leases) {
    Map<String, List<LeaseTimes>> byOffer = new TreeMap<>();
    leases.forEach(l -> byOffer.computeIfAbsent(l.offer(), o -> new ArrayList<>()).add(l));
    List<ProvisioningTimes> provisioningTimes = new ArrayList<>();
    byOffer.forEach(
        (offer, some) ->
            provisioningTimes.add(
                new ProvisioningTimes(
                    offer,
                    spread(some.stream().map(LeaseTimes::queueS).toList()),
                    spread(some.stream().map(LeaseTimes::bootS).toList()),
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

package io.elastune.planner;

import io.elastune.core.Spread;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How long the trials of one chain last on every size of the menu.
 *
 * <p>Without spread these are the simulator's own numbers. With spread they are a stand-in that is
 * cheap enough for a search: every draw at its mean, and each barrier later by what its slowest
 * trial is expected to take longer (the expected maximum of as many normal draws as run at once).
 * What is found with it is always settled by sampling.
 */
final class ChainModel {
  private final Chain chain;
  private final Menu menu;
  private final double[][] trialS;
  private final double[][] deviationS;
  private final double clockUsdPerS;
  private final List<List<Size>> sizesByRental = new ArrayList<>();

  /**
   * @param spread false to take every spread as zero
   * @param clockUsdPerS what every second to the completion costs: controller and checkpoints
   */
  ChainModel(Chain chain, Menu menu, boolean spread, double clockUsdPerS) {
    this.chain = chain;
    this.menu = menu;
    this.clockUsdPerS = clockUsdPerS;
    int groups = chain.groups().size();
    trialS = new double[groups][menu.sizes().size()];
    deviationS = new double[groups][menu.sizes().size()];
    for (int group = 0; group < groups; group++) {
      int units = chain.groups().get(group).units();
      for (Size size : menu.sizes()) {
        Profile profile = size.rental().profile();
        double workS = units * unitS(profile, size) * meanSpeed(profile);
        trialS[group][size.index()] = profile.startupS().mean() + workS;
        deviationS[group][size.index()] =
            spread ? deviation(profile.startupS(), workS, cv(profile, units)) : 0;
      }
    }
    for (Rental rental : menu.rentals()) {
      sizesByRental.add(
          menu.sizes().stream().filter(size -> size.rental().equals(rental)).toList());
    }
  }

  private static double unitS(Profile profile, Size size) {
    OptionalDouble seconds =
        size.trialsPerGpu() > 1
            ? profile.secondsPerUnitSharing(size.trialsPerGpu())
            : profile.secondsPerUnit(size.gpusPerTrial());
    return seconds.orElseThrow();
  }

  private static double meanSpeed(Profile profile) {
    double sampled =
        profile.samples().stream().mapToDouble(Double::doubleValue).average().orElse(1);
    return sampled * (1 + profile.straggler().probability() * (profile.straggler().slowdown() - 1));
  }

  private static double cv(Profile profile, int units) {
    double trial = profile.trialCv();
    double unit = profile.unitCv();
    return Math.sqrt(trial * trial + unit * unit / units);
  }

  private static double deviation(Spread startupS, double workS, double cv) {
    return Math.hypot(startupS.mean() * startupS.cv(), workS * cv);
  }

  Chain chain() {
    return chain;
  }

  Menu menu() {
    return menu;
  }

  int groups() {
    return chain.groups().size();
  }

  TrialGroup group(int group) {
    return chain.groups().get(group);
  }

  int trials(int group) {
    return chain.groups().get(group).trials();
  }

  double clockUsdPerS() {
    return clockUsdPerS;
  }

  /** Mean seconds of one trial without its start-up. */
  double workS(int group, Size size) {
    return trialS(group, size) - size.rental().profile().startupS().mean();
  }

  /** Mean seconds of one trial, start-up included. */
  double trialS(int group, Size size) {
    return trialS[group][size.index()];
  }

  /**
   * Seconds by which the slowest of {@code atOnce} slots, each of which ran {@code fills} trials
   * one after the other, is expected to be later than the mean.
   */
  double delayS(int group, Size size, int fills, int atOnce) {
    double deviation = deviationS[group][size.index()];
    return deviation == 0 ? 0 : deviation * Math.sqrt(fills) * expectedMaximum(atOnce);
  }

  /** Of {@code draws} standard normals: Blom's score with Tukey's lambda for the quantile. */
  private static double expectedMaximum(int draws) {
    double p = (draws - 0.375) / (draws + 0.25);
    return 4.91 * (Math.pow(p, 0.14) - Math.pow(1 - p, 0.14));
  }

  Allocation allocation(Size size, int instances) {
    return new Allocation(
        size.rental().offer().name(), instances, size.gpusPerTrial(), size.trialsPerGpu());
  }

  /** Sizes of one rental. */
  List<Size> sizesOf(int rental) {
    return sizesByRental.get(rental);
  }
}

package io.elastune.simulator;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;

/** Provides the draws of one sample of the fast simulator to the slow simulator. */
final class FastSimulatorDraws implements ReferenceSimulator.RandomNumbers {
  private final Draws draws;
  private final int sample;

  private FastSimulatorDraws(Draws draws, int sample) {
    this.draws = draws;
    this.sample = sample;
  }

  static ReferenceSimulator.RandomNumbers of(Draws draws, int sample) {
    return new FastSimulatorDraws(draws, sample);
  }

  @Override
  public double x(TrialGroup group, Profile profile, int trial) {
    return draw(draws.trials(group, profile), trial);
  }

  @Override
  public double startupS(TrialGroup group, Profile profile, int trial) {
    return draw(draws.startups(group, profile), trial);
  }

  @Override
  public double queueS(Chain chain, Offer offer, int instance) {
    return draw(draws.queue(chain.name(), instance, offer), 0);
  }

  @Override
  public double bootS(Chain chain, Offer offer, int instance) {
    return draw(draws.boot(chain.name(), instance, offer), 0);
  }

  @Override
  public double y(Chain chain, Profile profile, int instance) {
    return draw(draws.slowness(chain.name(), instance, profile), 0);
  }

  private double draw(DrawTable table, int index) {
    DrawReader reader = new DrawReader(table);
    int first = reader.offset(sample);
    return reader.values()[first + index];
  }
}

package io.elastune.simulator.draw;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.ReferenceFaults;
import io.elastune.simulator.ReferenceSimulator;
import io.elastune.simulator.instance.Draws;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Provides the draws of one sample of the fast simulator to the slow simulator. */
public final class FastSimulatorDraws implements ReferenceSimulator.RandomNumbers {
  private final Draws draws;
  private final int sample;

  private FastSimulatorDraws(Draws draws, int sample) {
    this.draws = draws;
    this.sample = sample;
  }

  public static ReferenceSimulator.RandomNumbers of(Draws draws, int sample) {
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
  public int target(TrialGroup group, int trial) {
    int[] targets = draws.targets(group);
    return targets.length == 0 ? 0 : targets[trial];
  }

  @Override
  public double queueS(Chain chain, Offer offer, int instance) {
    return draw(draws.queueWithFaults(chain.name(), instance, offer), 0);
  }

  @Override
  public double bootS(Chain chain, Offer offer, int instance) {
    return draw(draws.bootWithFaults(chain.name(), instance, offer), 0);
  }

  @Override
  public double y(Chain chain, Profile profile, int instance) {
    return draw(draws.slowness(chain.name(), instance, profile), 0);
  }

  @Override
  public double key(TrialGroup group, int trial) {
    return draw(draws.promotionKeys(group), trial);
  }

  private double draw(DrawTable table, int index) {
    DrawReader reader = new DrawReader(table);
    int first = reader.offset(sample);
    return reader.values()[first + index];
  }

  @Override
  public ReferenceFaults.FaultNumbers faults(Chain chain) {
    RandomStreams own = draws.faultStreams(chain.name()).at(sample);
    return new ReferenceFaults.FaultNumbers() {
      @Override
      public double firstTrialHazard(TrialGroup group, int trial) {
        return ReferenceFaults.hazard(draw(draws.trialFaults(group), trial));
      }

      @Override
      public DoubleSupplier atTrialFault(TrialGroup group, int trial, int faultsBefore) {
        return uniform(draws.trialFaultStreams(group).at(sample).at(trial).at(faultsBefore));
      }

      @Override
      public double lossHazard(int planned) {
        return draw(draws.instanceFault(chain.name(), planned), 0);
      }

      @Override
      public double lossHazardOfReplacement(int number) {
        RandomStreams streams = own.at("replacement").at(number).at("loss");
        return ReferenceFaults.hazard(uniform(streams).getAsDouble());
      }

      @Override
      public DoubleSupplier atLoss(int number, int faultsBefore) {
        return uniform(own.at("loss").at(number).at(faultsBefore));
      }

      @Override
      public int torn(TrialGroup group, Profile profile, int trial) {
        return (int) draw(draws.tornCounts(group, profile), trial);
      }

      @Override
      public double[] replacement(Chain of, Offer offer, Profile profile, int number) {
        RandomStreams streams = own.at("replacement").at(number);
        return new double[] {
          one(DrawDistributions.ofQueue(offer), streams.at("queue")),
          one(DrawDistributions.ofBoot(offer), streams.at("boot")),
          one(DrawDistributions.ofInstance(profile), streams.at("slowness"))
        };
      }

      @Override
      public List<double[]> afterFailedBoots(Chain of, Offer offer, int planned) {
        double failed = draw(draws.bootFailures(of.name(), planned, offer), 0);
        return FastSimulatorDraws.afterFailedBoots(failed, offer, own.at("reboot").at(planned));
      }

      @Override
      public List<double[]> afterFailedBootsOfReplacement(Chain of, Offer offer, int number) {
        RandomStreams streams = own.at("replacement").at(number);
        double failed =
            one(
                new RepeatCounts(offer.faults().bootFailure().value()),
                streams.at("boot failures"));
        return FastSimulatorDraws.afterFailedBoots(failed, offer, streams.at("reboot"));
      }
    };
  }

  /** Returns draws of so many instances as fail, of those that follow them. */
  private static List<double[]> afterFailedBoots(double failed, Offer offer, RandomStreams own) {
    return IntStream.range(0, (int) failed)
        .mapToObj(
            i ->
                new double[] {
                  one(DrawDistributions.ofQueue(offer), own.at(i).at("queue")),
                  one(DrawDistributions.ofBoot(offer), own.at(i).at("boot"))
                })
        .toList();
  }

  private static DoubleSupplier uniform(RandomStreams streams) {
    RandomGenerator random = streams.open();
    return () -> (random.nextLong() >>> 11) / (double) (1L << 53);
  }

  private static double one(DrawDistribution distribution, RandomStreams streams) {
    double[] drawn = new double[1];
    distribution.open(streams).fill(drawn, 0, 1);
    return drawn[0];
  }
}

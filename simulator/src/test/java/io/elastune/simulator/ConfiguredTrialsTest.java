package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.profile.ConfigurationEffect.Term;
import io.elastune.core.profile.Profile;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.draw.FastSimulatorDraws;
import io.elastune.simulator.draw.SampleBlocks;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.sample.JointSamples;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Trials whose durations depend on their hyperparameters, compared with the reference. */
class ConfiguredTrialsTest {
  private static final int TRIALS = 16;
  private static final int SAMPLES = 200;
  private static final double RESIDUAL_CV = 0.02;
  private static final Plan PLAN = WorkedExample.plan("4×1 2×1 2×2 2×4", false);

  /** Trial i takes 2^(i/15) times as long as trial 0. */
  private static final ConfigurationEffect EFFECT =
      new ConfigurationEffect(
          List.of(new Term("width", Optional.empty(), false, 0, 15, Math.log(2) / 15)),
          1,
          RESIDUAL_CV,
          0.9,
          TRIALS,
          List.of());

  @Test
  void firstGroupEndsWithItsSlowestConfiguration() {
    Problem problem = problem(exactly(WorkedExample.profile(0, 0)));
    List<Double> factors = profile(problem).configurations().factors();
    double mean = profile(problem).secondsPerUnit(1).orElseThrow();

    double firstEndS = new Simulator(problem, SAMPLES).simulate(PLAN).groups().get(0).endS().mean();

    assertThat(factors.stream().mapToDouble(f -> f).average().orElseThrow())
        .isCloseTo(1, within(1e-12));
    assertThat(mean).isGreaterThan(30);
    // queueing 15 s, boot 60 s and start-up 10 s, one unit
    assertThat(firstEndS).isCloseTo(85 + mean * factors.get(TRIALS - 1), within(1e-9));
  }

  @Test
  void agreesWithTheReferenceOnEverySample() {
    Problem problem = problem(WorkedExample.profile(0.3, 0.05));
    Problem plain =
        problem.with(problem.offers(), Map.of("V100", withTrialCv(profile(problem), RESIDUAL_CV)));
    Draws base = new Draws(plain, SAMPLES);
    JointSamples fast = new Simulator(problem, SAMPLES).sample(PLAN);
    ReferenceFactors factors = new ReferenceFactors(problem);

    for (int sample = 0; sample < SAMPLES; sample++) {
      factors.next();
      ReferenceSimulator slow =
          new ReferenceSimulator(
              problem, PLAN, new ConfiguredNumbers(FastSimulatorDraws.of(base, sample), factors));
      assertThat(fast.completionS()[sample]).isCloseTo(slow.completionS(), within(1e-6));
      assertThat(fast.costUsd()[sample]).isCloseTo(slow.costUsd(), within(1e-6));
    }
  }

  /** A re-planned rest of a run has other trials: the whole spread counts. */
  @Test
  void otherTrialsHaveTheWholeSpread() {
    Problem problem = problem(WorkedExample.profile(0.3, 0));
    Problem fewer =
        WorkedExample.problem(
            List.of(new Chain("", List.of(new TrialGroup("1", 8, 0, 1)))),
            problem.offers(),
            profile(problem));

    double[] drawn =
        IntStream.range(0, 2000)
            .mapToDouble(new Reader(new Draws(fewer, 2000), fewer)::factor)
            .toArray();

    double squares = 0;
    for (double one : drawn) {
      squares += (one - 1) * (one - 1) / drawn.length;
    }
    assertThat(Math.sqrt(squares)).isCloseTo(0.3, within(0.03));
  }

  private record Reader(Draws draws, Problem problem) {
    double factor(int sample) {
      TrialGroup group = problem.workload().groups().get(0);
      DrawReader reader = new DrawReader(draws.trials(group, profile(problem)));
      int at = reader.offset(sample);
      return reader.values()[at];
    }
  }

  private static Profile profile(Problem problem) {
    return problem.profiles().get("V100");
  }

  private static Problem problem(Profile profile) {
    List<Map<String, Object>> trials =
        IntStream.range(0, TRIALS)
            .mapToObj(width -> Map.<String, Object>of("width", width))
            .toList();
    Profile known =
        profile.configurations().isKnown() ? profile : profile.withConfigurations(EFFECT);
    return WorkedExample.problem(
            List.of(WorkedExample.chain()),
            List.of(WorkedExample.offer(0.4)),
            known.forTrials(trials))
        .with(List.of(WorkedExample.offer(0)), Map.of("V100", known.forTrials(trials)));
  }

  /** Only the hyperparameters matter. */
  private static Profile exactly(Profile profile) {
    return profile.withConfigurations(
        new ConfigurationEffect(EFFECT.terms(), 1, 0, 1, TRIALS, List.of()));
  }

  private static Profile withTrialCv(Profile profile, double trialCv) {
    return WorkedExample.profile(
        profile.gpu(),
        profile.secondsByGpus(),
        Map.of(),
        profile.startupS(),
        trialCv,
        profile.unitCv());
  }

  /**
   * The trials of each group, from the statement in docs/model.md: those with the smallest keys
   * continue, and the keys of a sample are drawn once per chain.
   */
  private static final class ReferenceFactors {
    private final List<Double> factors;
    private final RandomStreams streams;
    private RandomGenerator random;
    private int sample;
    private final List<Double> keys = new ArrayList<>();

    ReferenceFactors(Problem problem) {
      factors = profile(problem).configurations().factors();
      streams = RandomStreams.of(problem.seed()).at("survivors").at("");
      random = streams.open();
    }

    void next() {
      if (sample % SampleBlocks.SIZE == 0) {
        random = streams.at(sample / SampleBlocks.SIZE).open();
      }
      sample++;
      keys.clear();
      factors.forEach(one -> keys.add(random.nextDouble()));
    }

    double of(TrialGroup group, int trial) {
      List<Integer> order = new ArrayList<>(IntStream.range(0, TRIALS).boxed().toList());
      order.sort(Comparator.comparing(keys::get));
      TreeSet<Integer> members = new TreeSet<>(order.subList(0, group.trials()));
      return factors.get(List.copyOf(members).get(trial));
    }
  }

  private record ConfiguredNumbers(ReferenceSimulator.RandomNumbers base, ReferenceFactors factors)
      implements ReferenceSimulator.RandomNumbers {
    @Override
    public double x(TrialGroup group, Profile profile, int trial) {
      return base.x(group, withTrialCv(profile, RESIDUAL_CV), trial) * factors.of(group, trial);
    }

    @Override
    public double startupS(TrialGroup group, Profile profile, int trial) {
      return base.startupS(group, profile, trial);
    }

    @Override
    public double queueS(Chain chain, Offer offer, int instance) {
      return base.queueS(chain, offer, instance);
    }

    @Override
    public double bootS(Chain chain, Offer offer, int instance) {
      return base.bootS(chain, offer, instance);
    }

    @Override
    public double y(Chain chain, Profile profile, int instance) {
      return base.y(chain, profile, instance);
    }

    @Override
    public double key(TrialGroup group, int trial) {
      return base.key(group, trial);
    }

    @Override
    public ReferenceFaults.FaultNumbers faults(Chain chain) {
      return base.faults(chain);
    }
  }
}

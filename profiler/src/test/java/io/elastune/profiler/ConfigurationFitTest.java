package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Dimension;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.random.RandomStreams;
import io.elastune.profiler.AttemptTimes.Interval;
import io.elastune.profiler.SizeFit.TrialFit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Fits the unit times of trials with a width, an optimizer and a learning rate. */
class ConfigurationFitTest {
  private static final double NOISE = 0.03;

  @Test
  void recoversWhatDurationsDependOn() {
    ConfigurationEffect effect =
        fit(24, 1, config -> (double) (Long) config.get("width") / 64 * slowdown(config));

    assertThat(effect.isKnown()).isTrue();
    assertThat(effect.explained()).isGreaterThan(0.95);
    assertThat(effect.residualCv()).isCloseTo(NOISE, within(0.03));
    double ratio =
        effect.factor(config(128, "adam", 1e-2)) / effect.factor(config(32, "sgd", 1e-2));
    assertThat(ratio).isCloseTo(4 * 1.5, within(0.5));
    assertThat(effect.factor(config(4096, "adam", 1)))
        .as("nothing beyond the measured widths")
        .isLessThan(1.05 * effect.factor(config(256, "adam", 1)));
  }

  @Test
  void durationsThatDoNotDependOnHyperparametersHaveNoFit() {
    int fitted = 0;
    for (int seed = 0; seed < 40; seed++) {
      fitted += fit(16, seed, config -> 1).isKnown() ? 1 : 0;
    }
    assertThat(fitted).isLessThanOrEqualTo(4);
  }

  @Test
  void fewTrialsHaveNoFit() {
    assertThat(fit(4, 1, config -> (double) (Long) config.get("width")))
        .isEqualTo(ConfigurationEffect.NONE);
  }

  /** A strong effect shows in six trials; without one, about one of twenty programs has a fit. */
  @Test
  void strongEffectsShowInFewTrials() {
    int strong = 0;
    int chance = 0;
    for (int seed = 0; seed < 100; seed++) {
      strong += fit(6, seed, config -> (double) (Long) config.get("width")).isKnown() ? 1 : 0;
      chance += fit(6, seed, config -> 1).isKnown() ? 1 : 0;
    }
    assertThat(strong).isGreaterThanOrEqualTo(95);
    assertThat(chance).isLessThanOrEqualTo(10);
  }

  /**
   * Trials of one unit that report at its end: their whole time depends on the width. The first two
   * are cold and not part of the mean, which is that of the four others.
   */
  @Test
  void trialsOfASingleReportHaveAFit() {
    List<AttemptTimes> attempts = new ArrayList<>();
    Map<Integer, Map<String, Object>> configs = new TreeMap<>();
    for (int trial = 1; trial <= 6; trial++) {
      long width = 16L << (trial % 3);
      configs.put(trial, config(width, "sgd", 1e-2));
      attempts.add(
          new AttemptTimes(
              TrialSize.of(1),
              trial,
              List.of("l"),
              trial <= 2,
              1,
              List.of(new AttemptTimes.Report(1, width)),
              OptionalDouble.empty(),
              AttemptTimes.ReportedStartup.NONE));
    }
    SizeFit size = SizeFit.of(TrialSize.of(1), attempts);
    ConfigurationEffect effect = ConfigurationFit.of(List.of(size), configs, space(), 0);

    assertThat(size.unitS()).isEqualTo((16 + 32 + 64 + 16) / 4.0);
    assertThat(effect.explained()).isGreaterThan(0.95);
    double factors = 0;
    for (int trial = 3; trial <= 6; trial++) {
      factors += effect.factor(configs.get(trial)) / 4;
    }
    assertThat(factors).isCloseTo(1, within(1e-12));
  }

  private static double slowdown(Map<String, Object> config) {
    return config.get("optimizer").equals("adam") ? 1.5 : 1;
  }

  private static Map<String, Object> config(long width, String optimizer, double lr) {
    return Map.of("width", width, "optimizer", optimizer, "lr", lr);
  }

  private static ConfigurationEffect fit(
      int trials, long seed, ToDoubleFunction<Map<String, Object>> unitS) {
    RandomGenerator random = RandomStreams.of(seed).open();
    Map<Integer, Map<String, Object>> configs = new TreeMap<>();
    List<TrialFit> fits = new ArrayList<>();
    double sum = 0;
    for (int trial = 1; trial <= trials; trial++) {
      Map<String, Object> config =
          config(
              Math.round(16 * Math.pow(16, random.nextDouble())),
              random.nextBoolean() ? "adam" : "sgd",
              Math.pow(10, -4 * random.nextDouble()));
      configs.put(trial, config);
      double seconds = unitS.applyAsDouble(config) * Math.exp(NOISE * random.nextGaussian());
      sum += seconds;
      fits.add(
          new TrialFit(
              trial, List.of("l"), seconds, 100, List.of(new Interval(1, 100, 100 * seconds))));
    }
    SizeFit size =
        new SizeFit(
            TrialSize.of(1),
            sum / trials,
            true,
            100 * trials,
            SteadyState.AT_ONCE,
            Optional.empty(),
            fits,
            List.of());
    return ConfigurationFit.of(List.of(size), configs, space(), 0.01);
  }

  private static Map<String, Dimension> space() {
    String text =
        """
        name: p
        deadline: 3h
        search:
          algorithm: random
          metric: {name: acc, goal: maximize}
          trials: 16
          resource: {unit: epoch, min: 1, max: 16}
          space:
            width: {type: int, low: 16, high: 256, log: true}
            optimizer: {type: choice, values: [adam, sgd]}
            lr: {type: loguniform, low: 1e-4, high: 1}
        trial: {run: "true"}
        resources: {infra: [local]}
        """;
    return JobFile.parse("job.yaml", text, Overrides.NONE).orThrow().search().space();
  }
}

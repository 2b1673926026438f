package io.elastune.executor.sampler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Condition;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.Metric;
import io.elastune.core.job.SamplerOptions;
import io.elastune.core.job.Search;
import io.elastune.core.job.TrainingResource;
import io.elastune.core.search.SpacePoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tests the bridge to a sampler, always with a simulated sampler, and with Optuna where it is
 * installed.
 */
class OptunaSamplerIT {
  private static final String OPTUNA = System.getenv().getOrDefault("ELASTUNE_OPTUNA_PYTHON", "");
  private static final Map<String, Dimension> SPACE = space();

  @TempDir private Path folder;

  private static Map<String, Dimension> space() {
    Map<String, Dimension> space = new LinkedHashMap<>();
    space.put("lr", new Dimension.LogUniform(1e-4, 1e-1, Optional.empty()));
    space.put("optimizer", new Dimension.Choice(List.of("adam", "sgd")));
    space.put(
        "momentum",
        new Dimension.Uniform(
            0.5,
            0.9,
            Optional.empty(),
            Optional.of(0.1),
            new Condition(Map.of("optimizer", List.of("sgd")))));
    space.put("layers", new Dimension.Int(2, 6, false, Optional.empty()));
    space.put("noise", new Dimension.Normal(0, 1, Optional.of(0.5), Condition.ALWAYS));
    space.put("version", new Dimension.Constant("v2", Condition.ALWAYS));
    return space;
  }

  @Test
  void proposesPointsOfTheSpace() throws Exception {
    try (OptunaSampler sampler = simulated()) {
      List<String> configs = sampler.propose(new SamplerRequest(1, 3, results(5)));

      assertThat(configs).hasSize(3).allSatisfy(OptunaSamplerIT::isInSpace);
      assertThat(configs.get(0)).contains("\"version\":\"v2\"");
      assertThat(sampler.propose(new SamplerRequest(1, 3, results(5)))).isEqualTo(configs);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"die", "silent", "garbage", "short", "outside", "wrong-id", "error"})
  void repeatsAFailedRequestOnceInANewProcess(String fault) throws Exception {
    try (OptunaSampler sampler = simulated()) {
      sampler.propose(new SamplerRequest(1, 2, List.of()));
      behave(fault);
      assertThat(sampler.propose(new SamplerRequest(2, 2, List.of()))).hasSize(2);
      behave(fault, fault);
      assertThatThrownBy(() -> sampler.propose(new SamplerRequest(3, 2, List.of())))
          .isInstanceOf(SamplerException.class)
          .hasMessageNotContaining("null");
      assertThat(sampler.propose(new SamplerRequest(4, 2, List.of()))).hasSize(2);
    }
  }

  @Test
  void namesAnInterpreterThatCannotBeStarted() {
    try (OptunaSampler sampler = new OptunaSampler(search("/no/python"), folder)) {
      assertThatThrownBy(() -> sampler.propose(new SamplerRequest(1, 1, List.of())))
          .hasMessageStartingWith("/no/python cannot be started");
    }
  }

  @Test
  void optunaLearnsFromTheResults() throws Exception {
    assumeTrue(!OPTUNA.isEmpty(), "skipped: Optuna is not installed; set ELASTUNE_OPTUNA_PYTHON");
    try (OptunaSampler sampler = new OptunaSampler(search(OPTUNA), folder)) {
      List<String> configs = sampler.propose(new SamplerRequest(1, 20, results(60)));

      assertThat(configs).hasSize(20).allSatisfy(OptunaSamplerIT::isInSpace);
      assertThat(sampler.propose(new SamplerRequest(1, 20, results(60)))).isEqualTo(configs);
      long near =
          configs.stream()
              .map(OptunaSamplerIT::lr)
              .filter(lr -> Math.abs(Math.log10(lr) + 2) < 0.6)
              .count();
      assertThat(near).as("of 20 near the optimum, 8 at random").isGreaterThan(11);
    }
  }

  @Test
  void optunaTakesEveryKindOfResult() throws Exception {
    assumeTrue(!OPTUNA.isEmpty(), "skipped: Optuna is not installed; set ELASTUNE_OPTUNA_PYTHON");
    List<SamplerRequest.Result> results = new ArrayList<>(results(12));
    results.add(new SamplerRequest.Result(results.get(0).config(), 0, OptionalDouble.empty()));
    results.add(
        new SamplerRequest.Result(results.get(1).config(), 0, OptionalDouble.empty(), true));
    try (OptunaSampler sampler = new OptunaSampler(search(OPTUNA), folder)) {
      assertThat(sampler.propose(new SamplerRequest(7, 4, results)))
          .hasSize(4)
          .allSatisfy(OptunaSamplerIT::isInSpace);
    }
  }

  private static void isInSpace(String json) {
    Map<String, Object> config = parse(json);
    SpacePoint point = SpacePoint.of(SPACE, config);
    assertThat(point.why()).as(json).isEmpty();
    assertThat(config.containsKey("momentum")).isEqualTo("sgd".equals(config.get("optimizer")));
  }

  private static double lr(String json) {
    return ((Number) parse(json).get("lr")).doubleValue();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> parse(String json) {
    return new JsonMapper().readValue(json, LinkedHashMap.class);
  }

  /** The metric is best at a learning rate of 0.01. Half of the trials are fully trained. */
  private static List<SamplerRequest.Result> results(int count) {
    SplittableRandom random = new SplittableRandom(4);
    List<SamplerRequest.Result> results = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Map<String, Object> config = new LinkedHashMap<>();
      double exponent = random.nextDouble(-4, -1);
      config.put("lr", Math.pow(10, exponent));
      config.put("optimizer", i % 2 == 0 ? "adam" : "sgd");
      if (i % 2 == 1) {
        config.put("momentum", 0.7);
      }
      config.put("layers", 2L + i % 5);
      config.put("noise", 0.5);
      config.put("version", "v2");
      double loss = Math.abs(exponent + 2);
      results.add(new SamplerRequest.Result(config, i % 2 == 0 ? 4 : 16, OptionalDouble.of(loss)));
    }
    return results;
  }

  private void behave(String... actions) throws IOException {
    Files.writeString(folder.resolve("behavior"), String.join("\n", actions));
  }

  /** The interpreter is a script that ignores the bridge and starts the simulated sampler. */
  private OptunaSampler simulated() throws IOException {
    Path script = Path.of("src/test/python/simulated_sampler.py").toAbsolutePath();
    Path python = folder.resolve("python");
    Files.writeString(
        python,
        "#!/bin/sh\nSAMPLER_BEHAVIOR='%s' exec python3 -u '%s'\n"
            .formatted(folder.resolve("behavior"), script));
    Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
    return new OptunaSampler(search(python.toString()), folder);
  }

  private static Search search(String python) {
    return Search.builder()
        .algorithm(Algorithm.ASHA)
        .metric(new Metric("loss", Metric.Goal.MINIMIZE))
        .trials(30)
        .eta(3)
        .resource(new TrainingResource("epoch", 1, 16))
        .space(SPACE)
        .seed(5)
        .sampler(
            Optional.of(
                new SamplerOptions(
                    SamplerOptions.Type.OPTUNA,
                    SamplerOptions.Sampler.TPE,
                    5,
                    Map.of(),
                    python,
                    Duration.ofSeconds(3),
                    SamplerOptions.OnError.RANDOM)))
        .build();
  }
}

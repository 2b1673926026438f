package io.elastune.executor.sampler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.config.ConfigurationCells;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.RandomSpaces;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.Job;
import io.elastune.core.job.Search;
import io.elastune.core.job.SearchBuilder;
import io.elastune.core.job.WarmStart;
import io.elastune.core.properties.Tier;
import io.elastune.core.search.ConfigurationCodec;
import io.elastune.core.search.SpacePoint;
import io.elastune.executor.decision.model.TrialProposal;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.TrialRow;
import io.elastune.executor.search.Configurations;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tests that a configuration of any values is the same after each of its ways: to and from a
 * sampler, through journals, results in CSV files, resumed runs and warm starts.
 */
class ConfigurationRoundTripTest {
  private static final int SPACES = Tier.runs(300, 20_000);
  private static final JsonMapper JSON = new JsonMapper();
  private static final Job LISTS = job("list-choices.yaml");

  private static Job job(String name) {
    try (InputStream in =
        Objects.requireNonNull(ConfigurationRoundTripTest.class.getResourceAsStream(name))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return JobFile.parse(name, text, Overrides.NONE).orThrow();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Job with(Map<String, Dimension> space, long seed) {
    return LISTS.withSearch(
        SearchBuilder.builder(LISTS.search()).space(space).trials(4).seed(seed).build());
  }

  private static Job reread(Job job) {
    return JobFile.parse("job.yaml", JobFile.write(job), Overrides.NONE).orThrow();
  }

  private static Map<String, Object> drawn(Search search, int trial) {
    return ConfigurationCodec.ofJava(new Configurations(search).of(trial));
  }

  private static Map<String, Object> proposed(Search search, Map<String, Object> configuration) {
    TrialProposal proposal =
        TrialProposal.requested(1)
            .as(TrialProposal.Status.PROPOSED, ConfigurationCodec.write(configuration));
    TrialState trial = TrialState.fresh(1, 0).with(proposal);
    return ConfigurationCodec.ofJava(new Configurations(search).of(1, Map.of(1, trial)));
  }

  private static TrialRow row(Map<String, Object> configuration) {
    return new TrialRow(
        1,
        "",
        ConfigurationCodec.write(configuration),
        TrialState.Status.COMPLETED,
        1,
        OptionalDouble.of(1),
        0,
        0,
        1,
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        false);
  }

  @Test
  void everyValueKeepsItsType() throws Exception {
    for (int seed = 1; seed <= SPACES; seed++) {
      Map<String, Dimension> space = new RandomSpaces(new SplittableRandom(seed)).next(false);
      Job job = with(space, seed);
      for (int trial = 1; trial <= 3; trial++) {
        Map<String, Object> config = drawn(job.search(), trial);
        String which = "seed " + seed + ", trial " + trial + ": " + config;

        assertThat(SpacePoint.complete(space, config).why()).as(which).isEmpty();
        assertThat(ConfigurationCodec.read(ConfigurationCodec.write(config)))
            .as(which)
            .isEqualTo(config);
        assertThat(proposed(job.search(), config)).as("proposal: %s", which).isEqualTo(config);
        assertThat(drawn(reread(job).search(), trial)).as("resumed: %s", which).isEqualTo(config);
        checkCells(space, config, which);
        checkWarmStart(job, config, which);
        checkSampler(space, config, which);
      }
    }
  }

  private static void checkCells(
      Map<String, Dimension> space, Map<String, Object> config, String which) {
    config.forEach(
        (name, value) -> {
          Optional<Dimension> dimension = Optional.of(space.get(name));
          String cell = ConfigurationCells.write(dimension, value);
          assertThat(cell).as(which).isNotEmpty();
          assertThat("=+-@").as(which).doesNotContain(value instanceof String ? first(cell) : "x");
          assertThat(ConfigurationCells.read(dimension, cell))
              .as("cell %s of %s: %s", cell, name, which)
              .hasValue(value);
        });
  }

  private static String first(String cell) {
    return cell.substring(0, 1);
  }

  private static void checkWarmStart(Job job, Map<String, Object> config, String which) {
    Map<String, Object> stored = row(config).values();
    assertThat(stored).as("journal: %s", which).isEqualTo(config);
    assertThat(SpacePoint.of(job.search().space(), stored).values()).as(which).isEqualTo(config);
    if (!stored.isEmpty()) {
      WarmStart warm =
          new WarmStart("latest", 1, Optional.empty()).withConfigs("r-1", List.of(stored));
      Job warmed = reread(job.withSearch(job.search().withWarmStart(warm)));
      assertThat(drawn(warmed.search(), 1)).as("warm start: %s", which).isEqualTo(config);
    }
  }

  /** Numbers are limited to what a sampler may propose. */
  private static void checkSampler(
      Map<String, Dimension> space, Map<String, Object> config, String which) throws Exception {
    SamplerSpace numbers = new SamplerSpace(space);
    ObjectNode node = JSON.createObjectNode();
    numbers.write(node, config);
    Map<String, Object> expected = new LinkedHashMap<>(config);
    space.forEach(
        (name, dimension) -> {
          boolean normal =
              dimension instanceof Dimension.Normal || dimension instanceof Dimension.LogNormal;
          if (normal && config.containsKey(name)) {
            expected.remove(name);
          }
        });
    assertThat(numbers.read(JSON.readTree(node.toString())))
        .as("sampler: %s", which)
        .containsAllEntriesOf(expected)
        .hasSameSizeAs(config);
  }

  /** The job of a report in which every trial had an empty configuration. */
  @Test
  void listsOfNumbersReachTheTrial() throws Exception {
    Map<String, Dimension> space = LISTS.search().space();
    SamplerSpace numbers = new SamplerSpace(space);
    Map<String, Object> config =
        numbers.read(
            JSON.readTree(
                "{\"ints\":1,\"floats\":1,\"words\":0,\"nested\":0,\"mixed\":1,\"child\":0.5}"));

    assertThat(proposed(LISTS.search(), config))
        .isEqualTo(config)
        .containsOnlyKeys("ints", "floats", "words", "nested", "mixed", "child", "const")
        .containsEntry("ints", List.of(128L))
        .containsEntry("floats", List.of(0.5, 1L))
        .containsEntry("nested", List.of(List.of(1L, 2L), List.of(3L)))
        .containsEntry("const", List.of(1L, 2L));
  }

  /** One list was enough to lose the other hyperparameters, too. */
  @Test
  void listBesideOtherHyperparametersReachesTheTrialOfAnAsynchronousSearch() throws Exception {
    Search search = job("list-choices-asha.yaml").search();
    Map<String, Object> config =
        new SamplerSpace(search.space()).read(JSON.readTree("{\"lr\":0.5,\"layers\":0,\"opt\":1}"));

    assertThat(proposed(search, config))
        .containsOnlyKeys("lr", "layers", "opt")
        .containsEntry("lr", 0.5)
        .containsEntry("layers", List.of(64L, 64L))
        .containsEntry("opt", "adam");
  }

  @Test
  void noTrialStartsOutsideItsSpace() {
    Map<String, Object> config = new LinkedHashMap<>(drawn(LISTS.search(), 1));
    config.put("ints", List.of(129L));
    assertThatThrownBy(() -> proposed(LISTS.search(), config))
        .hasMessageContaining("ints [129] is not allowed by search.space");
    config.remove("ints");
    assertThatThrownBy(() -> proposed(LISTS.search(), config)).hasMessageContaining("ints");
    assertThatThrownBy(() -> proposed(LISTS.search(), Map.of()))
        .hasMessageContaining("ints is missing");
  }
}

package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests searches with more trials than their space has configurations. */
class DistinctConfigurationsTest {
  @TempDir private Path folder;
  private InProcessCli elastune;

  @BeforeEach
  void copyJobs() throws IOException {
    for (String name :
        List.of("few-random.yaml", "few-hyperband.yaml", "offers.yaml", "profile.yaml")) {
      try (InputStream in =
          Objects.requireNonNull(
              getClass().getResourceAsStream("/io/elastune/cli/spaces/" + name))) {
        Files.copy(in, folder.resolve(name));
      }
    }
    elastune = new InProcessCli(folder);
  }

  private String changed(String job, String text, String other) throws IOException {
    Files.writeString(
        folder.resolve("changed.yaml"), Files.readString(folder.resolve(job)).replace(text, other));
    return "changed.yaml";
  }

  /** Returns the configurations of all trials of a simulated run. */
  private List<String> configurations(String job) {
    InProcessCli.Result run = elastune.run("run", job, "--infra", "simulated", "-y", "--json");
    assertThat(run.exit()).as(run.err()).isZero();
    JsonNode end =
        JsonMapper.shared().readTree(run.out().lines().reduce((a, b) -> b).orElseThrow());
    List<String> configurations = new ArrayList<>();
    for (JsonNode trial :
        elastune.run("report", end.path("run").asString(), "--json").json().path("trial_results")) {
      configurations.add(trial.path("config").toString());
    }
    return configurations;
  }

  @Test
  void anExhaustedSpaceEndsARandomSearch() {
    InProcessCli.Result plan = elastune.run("plan", "few-random.yaml");
    assertThat(plan.out() + plan.err())
        .contains(
            "search.space has 4 different configurations: the search ends after 4 of 30 trials;"
                + " search.repeat is the number of trials of each",
            "configurations tried first: 1 of search.configs; the other 3 are drawn");
    JsonNode document = elastune.run("plan", "few-random.yaml", "--json").json();
    assertThat(document.path("distinct_configurations").asInt()).isEqualTo(4);
    assertThat(document.path("plan").path(0).path("trials").asInt()).isEqualTo(4);

    List<String> configurations = configurations("few-random.yaml");
    assertThat(configurations)
        .hasSize(4)
        .doesNotHaveDuplicates()
        .startsWith("{\"batch\":12,\"dropout\":0.1}");
  }

  @ParameterizedTest
  @CsvSource({"few-random.yaml, 'trials: 30'", "few-hyperband.yaml, 'eta: 3'"})
  void repeatTrainsEachSoOften(String job, String field) throws IOException {
    String changed = changed(job, field, field + "\n  repeat: 3");
    assertThat(
            elastune.run("plan", changed, "--json").json().path("distinct_configurations").asInt())
        .isEqualTo(4);

    List<String> configurations = configurations(changed);
    assertThat(configurations).hasSize(12);
    assertThat(configurations.stream().distinct())
        .hasSize(4)
        .allSatisfy(
            one -> assertThat(configurations.stream().filter(one::equals)).as(one).hasSize(3));
  }

  @Test
  void lastConfigurationMayHaveFewerRepetitions() throws IOException {
    InProcessCli.Result plan =
        elastune.run("plan", changed("few-random.yaml", "trials: 30", "trials: 30\n  repeat: 8"));
    assertThat(plan.out() + plan.err())
        .contains("4 different configurations, each for at most 8 trials (search.repeat)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sha", "asha"})
  void otherSearchesEndToo(String algorithm) throws IOException {
    changed("few-random.yaml", "algorithm: random", "algorithm: " + algorithm);
    List<String> configurations = configurations(changed("changed.yaml", "max: 1}", "max: 9}"));
    assertThat(configurations).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void hyperbandLeavesOutBracketsWithoutTrials() {
    JsonNode plan = elastune.run("plan", "few-hyperband.yaml", "--json").json();
    assertThat(plan.path("plan").findValuesAsString("group")).containsExactly("1", "2");
    assertThat(plan.path("plan").findValuesAsString("trials")).containsExactly("4", "1");
    assertThat(configurations("few-hyperband.yaml")).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void aLargerSpaceIsDrawnWithoutReplacement() throws IOException {
    String job =
        changed(
            "few-random.yaml",
            "values: [12, 24]",
            "values: [12, 24, 36, 48, 60, 72, 84, 96, 8, 4, 2, 6, 10, 14, 16, 18]");
    InProcessCli.Result plan = elastune.run("plan", job);
    assertThat(plan.out() + plan.err()).contains("different configurations: 30 of 32");
    assertThat(configurations(job)).hasSize(30).doesNotHaveDuplicates();
  }
}

package io.elastune.core.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Brackets;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.Metric;
import io.elastune.core.job.SamplerOptions;
import io.elastune.core.job.Search;
import io.elastune.core.job.SearchBuilder;
import io.elastune.core.job.TrainingResource;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrialGroupsTest {
  private static final Dimension COIN = new Dimension.Choice(List.of("heads", "tails"));
  private static final Dimension ANY = new Dimension.Uniform(0, 1, Optional.empty());

  private static final SamplerOptions OPTUNA =
      new SamplerOptions(
          SamplerOptions.Type.OPTUNA,
          SamplerOptions.Sampler.TPE,
          10,
          Map.of(),
          "python3",
          Duration.ofSeconds(10),
          SamplerOptions.OnError.RANDOM);

  @ParameterizedTest
  @CsvSource({
    "16, 2, 1, 8, '16:0-1 8:1-2 4:2-4 2:4-8'",
    "16, 2, 1, 16, '16:0-1 8:1-2 4:2-4 2:4-8 1:8-16'",
    "64, 4, 1, 64, '64:0-1 16:1-4 4:4-16 1:16-64'",
    "10, 3, 2, 50, '10:0-2 3:2-6 1:6-50'",
    "1, 3, 1, 9, '1:0-9'",
    "5, 2, 4, 4, '5:0-4'",
    "7, 3, 1, 10, '7:0-1 2:1-3 1:3-10'",
  })
  void buildsSuccessiveHalvingChain(int trials, int eta, int min, int max, String groups) {
    Search search = search(Algorithm.SHA, trials, eta, min, max, Map.of("x", ANY));

    assertThat(TrialGroups.of(search).chains())
        .extracting(TrialGroupsTest::text)
        .containsExactly(groups);
    assertThat(TrialGroups.of(search).groups().get(0).name()).isEqualTo("1");
  }

  @Test
  void buildsHyperbandBracketsOfModelPage() {
    Search search = search(Algorithm.HYPERBAND, 1, 3, 1, 81, Map.of("x", ANY));

    assertThat(TrialGroups.of(search).chains())
        .extracting(TrialGroupsTest::text)
        .containsExactly(
            "81:0-1 27:1-3 9:3-9 3:9-27 1:27-81",
            "34:0-3 11:3-9 3:9-27 1:27-81",
            "15:0-9 5:9-27 1:27-81",
            "8:0-27 2:27-81",
            "5:0-81");
    assertThat(TrialGroups.of(search).groups().get(5).name()).isEqualTo("b.1");
  }

  @ParameterizedTest
  @CsvSource({"243, 3, 6", "1000, 10, 4", "242, 3, 5", "999, 10, 3", "1, 2, 1", "100, 3, 5"})
  void countsBracketsInIntegers(int max, int eta, int brackets) {
    Search search = search(Algorithm.HYPERBAND, 1, eta, 1, max, Map.of("x", ANY));

    List<Chain> chains = TrialGroups.of(search).chains();
    assertThat(chains).hasSize(brackets);
    for (int i = 0; i < brackets; i++) {
      List<TrialGroup> groups = chains.get(i).groups();
      assertThat(groups.size()).isLessThanOrEqualTo(brackets - i);
      assertThat(groups.get(groups.size() - 1).toUnit()).isEqualTo(max);
    }
  }

  @Test
  void namesSingleBracketLikeSingleChain() {
    Search search = search(Algorithm.HYPERBAND, 1, 3, 2, 4, Map.of("x", ANY));

    assertThat(TrialGroups.of(search).groups()).extracting(TrialGroup::name).containsExactly("1");
  }

  @Test
  void buildsOneGroupForRandomAndGrid() {
    assertThat(
            text(
                TrialGroups.of(search(Algorithm.RANDOM, 9, 2, 1, 4, Map.of("x", ANY)))
                    .chains()
                    .get(0)))
        .isEqualTo("9:0-4");
    Map<String, Dimension> space =
        Map.of(
            "coin", COIN,
            "x", new Dimension.Uniform(0, 1, Optional.of(3)),
            "n", new Dimension.Int(2, 5, false, Optional.empty()));
    assertThat(text(TrialGroups.of(search(Algorithm.GRID, 1, 2, 1, 4, space)).chains().get(0)))
        .isEqualTo("24:0-4");
  }

  @ParameterizedTest
  @CsvSource({
    "SEQUENTIAL, false, true",
    "AUTO, true, true",
    "AUTO, false, false",
    "SEPARATE, false, false",
  })
  void runsBracketsOneAfterTheOther(Brackets brackets, boolean proposes, boolean sequential) {
    Search search = search(Algorithm.HYPERBAND, 1, 3, 1, 9, Map.of("lr", ANY));
    Workload workload =
        TrialGroups.of(
            SearchBuilder.builder(search)
                .sampler(proposes ? Optional.of(OPTUNA) : Optional.empty())
                .brackets(Optional.of(brackets))
                .build());

    assertThat(workload.chains()).hasSize(sequential ? 1 : 3);
    assertThat(workload.trials()).isEqualTo(17);
    assertThat(workload.groups().stream().map(TrialGroup::name))
        .containsExactly("a.1", "a.2", "a.3", "b.1", "b.2", "c.1");
    if (sequential) {
      assertThat(text(workload.chains().get(0))).isEqualTo("9:0-1 3:1-3 1:3-9 5:0-3 1:3-9 3:0-9");
    }
  }

  @Test
  void rejectsGridWithoutSteps() {
    assertThatThrownBy(() -> TrialGroups.of(search(Algorithm.GRID, 1, 2, 1, 4, Map.of("lr", ANY))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("search.space.lr needs steps");
  }

  private static Search search(
      Algorithm algorithm, int trials, int eta, int min, int max, Map<String, Dimension> space) {
    return Search.builder()
        .algorithm(algorithm)
        .metric(new Metric("acc", Metric.Goal.MAXIMIZE))
        .trials(trials)
        .eta(eta)
        .resource(new TrainingResource("epoch", min, max))
        .space(space)
        .seed(1)
        .build();
  }

  private static String text(Chain chain) {
    return String.join(
        " ",
        chain.groups().stream()
            .map(group -> group.trials() + ":" + group.fromUnit() + "-" + group.toUnit())
            .toList());
  }
}

package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.PopulationRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests how {@code status} shows which trials of a population continue which others. */
class PopulationStatusTest {
  private static final String RUN = "small-20261123-aaaa";

  @TempDir Path folder;

  /** Trial 3 fails. At the barrier, a copy of trial 4, which is the best one, takes its place. */
  @Test
  void namesParentsOfTrialsInProgress() {
    Path home = folder.resolve("home");
    InProcessCli cli = new InProcessCli(folder);
    try (ScriptedRun run =
        new ScriptedRun(home, RUN, SmallTestJob.meta(), PopulationStatusTest::ofPopulation)) {
      run.until(8);
      assertThat(cli.run("status", RUN).out()).doesNotContain("parents");
      assertThat(cli.run("status", RUN, "--json").json().has("parents")).isFalse();

      run.until(18);
      assertThat(cli.run("status", RUN).out()).contains("\n parents    5 from 4\n");
      JsonNode parents = cli.run("status", RUN, "--json").json().path("parents");
      assertThat(parents.toString()).isEqualTo("[{\"trial\":5,\"parent\":4,\"unit\":1}]");

      run.toTheEnd();
      assertThat(cli.run("status", RUN).out()).doesNotContain("parents");
    }
    assertThat(cli.run("report", RUN, "--json").json().path("trial_results").toString())
        .contains("\"parent\":{\"trial\":4,\"unit\":1}");
  }

  private static RunDefinition ofPopulation(RunDefinition small) {
    Chain chain =
        new Chain("", List.of(new TrialGroup("1", 4, 0, 1), new TrialGroup("2", 4, 1, 3)));
    return RunDefinitionBuilder.builder(small)
        .workload(Workload.of(chain, new PopulationRule(0.25, 1)))
        .build();
  }
}

package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.executor.journal.RunMeta;
import io.elastune.simulator.Contributions;
import io.elastune.simulator.Contributions.GroupTime;
import io.elastune.simulator.Contributions.Saving;
import io.elastune.simulator.DelayCause;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExplainTest {
  private static final String RUN = "small-20261123-aaaa";

  @TempDir Path folder;

  @Test
  void showsEveryDecisionWithReason() {
    try (ScriptedRun run = new ScriptedRun(folder.resolve("home"), RUN, SmallTestJob.meta())) {
      run.toTheEnd();
    }
    InProcessCli inProcessCli = new InProcessCli(folder);
    assertThat(
            inProcessCli.run("explain", RUN).out().lines().map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            " at decision reason numbers",
            " 0s start group 1 4 trials to unit 1 on 2 x local/duo/on-demand"
                + " instances=2 requested=2 trials=4",
            " 15s release small-20261123-aaaa-1: idle, and not needed by the next group",
            " 15s promote 2 of 3 trials of group 1 continue: 2 with 0.21, 4 with 0.41;"
                + " next best 0.11 alive=3 kept=2",
            " 15s start group 2 2 trials to unit 3 on 1 x local/duo/on-demand"
                + " instances=1 requested=0 trials=2",
            " 35s release small-20261123-aaaa-2: idle, and not needed by the next group");
    JsonNode decisions = inProcessCli.run("explain", RUN, "--json").json();
    assertThat(decisions.isArray()).isTrue();
    assertThat(decisions)
        .allSatisfy(
            decision ->
                assertThat(decision.propertyNames())
                    .containsExactly("at_s", "decision", "reason", "numbers"));
    assertThat(decisions.path(2).path("at_s").asDouble()).isEqualTo(15);
    assertThat(decisions.path(2).path("numbers").path("kept").asInt()).isEqualTo(2);
  }

  @Test
  void startsWithPlanAndSavings() {
    Contributions contributions =
        new Contributions(
            1000,
            List.of(new GroupTime("1", 5, 10, 2, 20, 3)),
            40,
            List.of(new Saving(DelayCause.BOOT, 9), new Saving(DelayCause.STARTUP, 0.1)));
    Map<String, String> rows = new LinkedHashMap<>(SmallTestJob.meta().rows());
    List<Map<String, Object>> kept =
        PlanDecision.of(SmallTestJob.meta().estimate().orElseThrow(), contributions, Map.of(), "~");
    rows.put("plan", JsonMapper.shared().writeValueAsString(Map.of(PlanDecision.FIELD, kept)));
    try (ScriptedRun run = new ScriptedRun(folder.resolve("home"), RUN, RunMeta.of(rows))) {
      run.toTheEnd();
    }
    JsonNode decisions = new InProcessCli(folder).run("explain", RUN, "--json").json();

    for (int i = 0; i < 3; i++) {
      assertThat(decisions.path(i).path("at_s").asDouble()).isZero();
      assertThat(decisions.path(i).path("decision").asString()).isEqualTo("plan");
    }
    assertThat(decisions.valueStream().limit(4).map(node -> node.path("reason").asString()))
        .containsExactly(
            "approved: finish ~40s, cost ~$0.60",
            "where the time goes: training ~50% · boot ~25% · queueing ~13% · stragglers ~8% ·"
                + " start-up ~5% of the critical path, 1,000 samples",
            "what would help: without boot ~9s faster",
            "4 trials to unit 1 on 2 x local/duo/on-demand");
    assertThat(decisions.path(0).path("numbers").path("in_budget").asDouble()).isEqualTo(1);
    assertThat(decisions.path(1).path("numbers").path("boot_s").asDouble()).isEqualTo(10);
    assertThat(decisions.path(2).path("numbers").path("without_boot_s").asDouble()).isEqualTo(9);
    assertThat(decisions.path(2).path("numbers").path("without_start_up_s").asDouble())
        .isEqualTo(0.1);
  }

  /** Differences of equal times were shown as -4.35E-14 seconds. */
  @Test
  void whatEqualTimesLeaveOverIsZero() {
    List<Map<String, Object>> rows =
        PlanDecision.of(
            SmallTestJob.meta().estimate().orElseThrow(),
            new Contributions(
                1000,
                List.of(new GroupTime("1", 1e-15, 10, 2, 20, -4.35e-14)),
                40,
                List.of(new Saving(DelayCause.BOOT, 9))),
            Map.of(),
            "");

    assertThat(JsonMapper.shared().writeValueAsString(rows))
        .contains("\"straggling_s\":0.0", "\"boot_s\":10.0")
        .doesNotContain("E-");
  }

  @Test
  void reportsThatNoDecisionExists() {
    try (ScriptedRun run = new ScriptedRun(folder.resolve("home"), RUN, SmallTestJob.meta())) {
      InProcessCli.Result result = new InProcessCli(folder).run("explain");
      assertThat(run.folder().exists()).isTrue();
      assertThat(result.exit()).isZero();
      assertThat(result.out()).isEqualTo(RUN + " has made no decision yet.\n");
    }
  }
}

package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.executor.journal.RunFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests the results of single trials in {@code report --json} and {@code report --csv}. */
class TrialResultsTest {
  private static final String RUN = "small-20261123-aaaa";

  @TempDir Path folder;
  private Path home = Path.of("");
  private Path store = Path.of("");
  private InProcessCli cli = new InProcessCli(Path.of(""));

  @BeforeEach
  void world() {
    home = folder.resolve("home");
    store = folder.resolve("checkpoints");
    cli = new InProcessCli(folder);
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta("checkpoints", store))) {
      run.toTheEnd();
    }
  }

  @Test
  void jsonListsEveryTrial() throws Exception {
    Files.createDirectories(store.resolve("trial-4").resolve("3"));
    JsonNode report = cli.run("report", "--json").json();
    JsonNode trials = report.path("trial_results");

    assertThat(trials.size()).isEqualTo(4);
    JsonNode best = trials.path(3);
    assertThat(best.propertyNames())
        .containsExactly(
            "trial",
            "chain",
            "status",
            "units",
            "metric",
            "reported_unit",
            "metrics",
            "duration_s",
            "cost_usd",
            "config",
            "attempts",
            "failures",
            "checkpoint");
    assertThat(best.path("status").asString()).isEqualTo("completed");
    assertThat(best.path("units").asInt()).isEqualTo(3);
    assertThat(best.at("/metrics/acc").asDouble()).isEqualTo(best.path("metric").asDouble());
    assertThat(best.path("duration_s").asDouble()).isEqualTo(30);
    assertThat(best.path("checkpoint").asString()).isEqualTo(store + "/trial-4/3");
    assertThat(report.at("/best/checkpoint").asString()).isEqualTo(store + "/trial-4/3");
    assertThat(trials.path(0).path("checkpoint").isNull()).isTrue();
    assertThat(trials.path(2).path("metric").isNull()).isTrue();
    assertThat(trials.path(2).path("status").asString()).isEqualTo("failed");
    assertThat(trials.path(2).path("attempts").asInt()).isEqualTo(2);
  }

  /** Profiling is not allocated; all instances had workers. */
  @Test
  void costsAddUpToTheCostOfTheRun() {
    JsonNode report = cli.run("report", "--json").json();
    double allocated =
        report
            .path("trial_results")
            .valueStream()
            .mapToDouble(t -> t.path("cost_usd").asDouble())
            .sum();

    assertThat(report.path("unallocated_usd").asDouble()).isEqualTo(0.05, within(1e-9));
    assertThat(allocated + report.path("unallocated_usd").asDouble())
        .isEqualTo(report.path("cost_usd").asDouble(), within(1e-9));
    assertThat(report.path("trial_results").valueStream())
        .allMatch(trial -> trial.path("cost_usd").asDouble() > 0);
  }

  @Test
  void csvHasOneRowPerTrialAndOneColumnPerParameterAndMetric() throws Exception {
    Path file = folder.resolve("trials.csv");
    InProcessCli.Result result = cli.run("report", "--csv", file.toString());
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("4 trials saved as " + file + "; $0.0500 of the cost is not allocated");

    String csv = Files.readString(file);
    assertThat(csv).endsWith("\r\n");
    List<String> lines = csv.lines().toList();
    assertThat(lines).hasSize(5);
    assertThat(lines.get(0))
        .isEqualTo(
            "run,simulated,trial,chain,status,units,reported_unit,duration_s,cost_usd,attempts,"
                + "failures,checkpoint,origin,parent,bracket,config.lr,config.batch,metric.acc");
    assertThat(lines.get(4))
        .startsWith(RUN + ",false,4,,completed,3,3,30.0,")
        .contains(",0.004,128,0.43");
    assertThat(lines.get(3)).contains(",3,,failed,0,").endsWith(",0.003,96,");
    assertThat(cli.run("report", "--csv", "-").out()).isEqualTo(csv);
  }

  /** Texts of the user's job and program must neither break the table nor run as formulas. */
  @Test
  void csvQuotesTextsAndDisarmsFormulas() throws Exception {
    String journal = "jdbc:sqlite:" + RunFolder.of(home, RUN).journal();
    try (Connection connection = DriverManager.getConnection(journal);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "UPDATE trial SET config = '{\"lr\": -0.5, \"opt\": \"=1+1\", \"a,b\": \"say"
              + " \\\"hi\\\"\\n"
              + "\", \"on\": true, \"sizes\": [1, null], \"none\": null}' WHERE trial = 1");
    }
    String csv = cli.run("report", "--csv", "-").out();

    assertThat(csv.lines().findFirst().orElseThrow())
        .endsWith(
            "config.lr,config.opt,\"config.a,b\",config.on,config.sizes,config.none,config.batch,metric.acc");
    assertThat(csv).contains(",-0.5,'=1+1,\"say \"\"hi\"\"\n\",true,\"[1,null]\",null,,0.11\r\n");
  }

  @Test
  void refusesTwoFormatsAtOnce() {
    InProcessCli.Result both = cli.run("report", "--csv", "a.csv", "--html", "a.html");
    assertThat(both.exit()).isEqualTo(2);
    assertThat(both.err()).contains("--csv: cannot be combined with --html");
  }
}

package io.elastune.cli.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.LauncherBuild;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import io.elastune.executor.journal.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests {@code --host} through OpenSSH's client and server. */
@Execution(ExecutionMode.CONCURRENT)
@Order(2) // long, and unaffected by a busy machine
class HostIT {
  private static final String CONTROL_C = "\003";

  @TempDir Path folder;
  private Path remoteHome;
  private LocalSshServer server;
  private LauncherProcess elastune;

  @BeforeEach
  void start() throws Exception {
    remoteHome = folder.resolve("remote-home");
    server =
        new LocalSshServer(
            folder.resolve("ssh"),
            Map.of(
                "ELASTUNE_HOME",
                remoteHome.toString(),
                "JAVA_HOME",
                System.getProperty("java.home"),
                "JDK_JAVA_OPTIONS",
                LauncherProcess.FAST_JVM));
    elastune = LauncherProcess.in(folder).with("ELASTUNE_SSH", server.client().toString());
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static String[] on(String host, String... arguments) throws IOException {
    List<String> all =
        new ArrayList<>(List.of("--host", host, "--remote-elastune", LauncherBuild.launcher()));
    all.addAll(List.of(arguments));
    return all.toArray(String[]::new);
  }

  private String job(int units) throws Exception {
    new TinyJob("remote")
        .search("{algorithm: random, trials: 2, ", "max: " + units)
        .trial("0.2", "gpus: 1")
        .profile("[{gpus: 1, seconds: 0.2}]")
        .instanceTypes("duo")
        .with("deadline", "30m")
        .write(folder.resolve("the job's folder"));
    return "the job's folder/job.yaml";
  }

  private String onlyRun() {
    List<RunFolder> runs = RunFolder.all(remoteHome);
    assertThat(runs).hasSize(1);
    return runs.get(0).run();
  }

  @Test
  void runSurvivesBrokenConnection() throws Exception {
    RunningCommand run = elastune.start(on("controller", "run", job(25), "-y", "--json"));
    run.awaitOutput("\"ready\"");
    assertThat(server.cutConnections()).isPositive();
    run.awaitOutput("The connection to controller was lost");

    CommandResult end = run.awaitExit().assertExit(0);

    assertThat(end.lastLine().path("exit").asInt(-1)).isZero();
    assertThat(end.lines().stream().filter(line -> line.path("event").asString().equals("started")))
        .hasSize(1);
    String id = onlyRun();
    Path report = folder.resolve("elastune-reports").resolve(id);
    assertThat(report.resolve("report.json")).content().contains("\"run\" : \"" + id + "\"");
    assertThat(report.resolve("report.html")).content().contains(id);
    assertThat(remoteHome.resolve("remote/sessions")).isEmptyDirectory();
    elastune.inProcess(on("controller", "attach", id)).assertExit(0);
    Leftovers.assertNone(remoteHome, id);
    assertThat(folder.resolve("home/runs")).doesNotExist();
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void interruptStopsRun() throws Exception {
    RunningCommand run = elastune.start(on("controller", "run", job(3000), "-y", "--json"));
    CommandResult end = run.awaitOutput("\"ready\"").signal("INT").awaitExit().assertExit(130);

    assertThat(end.lastLine().path("exit").asInt()).isEqualTo(130);
    assertThat(end.err()).contains("stopped by Ctrl-C");
    Leftovers.assertNone(remoteHome, onlyRun());
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void logsAndPageContinueAfterBrokenConnection() throws Exception {
    Path resumed = folder.resolve("resumed"); // the trials wait for it
    new TinyJob("remote")
        .search("{algorithm: random, trials: 2, ", "max: 1")
        .script(
            "lines.sh",
            """
            . ./lib.sh
            i=0
            while [ "$i" -lt 400 ]; do
              i=$((i + 1))
              echo "line $i of $(field trial)"
              sleep 0.01
              while [ "$i" = 300 ] && [ ! -e '%s' ]; do sleep 0.05; done
            done
            save 1
            report 1 1
            """
                .formatted(resumed),
            "")
        .profile("[{gpus: 1, seconds: 20}]")
        .instanceTypes("duo")
        .with("deadline", "30m")
        .write(folder.resolve("job"));
    elastune.inProcess(on("controller", "run", "job/job.yaml", "-yd")).assertExit(0);
    Path page = folder.resolve("page.html");
    RunningCommand report =
        elastune.start(on("controller", "report", "--html", page.toString(), "--watch"));
    RunningCommand logs = elastune.start(on("controller", "logs", "-f"));
    RunningCommand json = elastune.start(on("controller", "logs", "-f", "--json"));
    logs.awaitOutput("line 30 of 1");
    json.awaitOutput("line 30 of 2");
    report.awaitOutput("until the run is over");
    assertThat(server.cutConnections()).isPositive();
    logs.awaitOutput("The connection to controller was lost");
    json.awaitOutput("The connection to controller was lost");
    report.awaitOutput("The connection to controller was lost");
    while (!Files.exists(page)) { // copied before or after the connection was lost
      assertThat(report.process().isAlive()).as("the report").isTrue();
      Thread.sleep(50);
    }
    assertThat(page).content().contains("http-equiv=\"refresh\"");
    Files.createFile(resumed);

    List<String> lines = logs.awaitExit().assertExit(0).out().lines().toList();
    List<String> documents = json.awaitExit().assertExit(0).out().lines().toList();
    report.awaitExit().assertExit(0);
    assertThat(page).content().doesNotContain("http-equiv=\"refresh\"");
    for (int trial = 1; trial <= 2; trial++) {
      String end = " of " + trial;
      List<String> expected =
          IntStream.rangeClosed(1, 400).mapToObj(i -> "line " + i + end).toList();
      assertThat(lines.stream().filter(line -> line.endsWith(end)).toList()).isEqualTo(expected);
      assertThat(documents.stream().filter(line -> line.contains(end + "\"")).toList())
          .hasSameSizeAs(expected)
          .doesNotHaveDuplicates();
    }
    Leftovers.assertNone(remoteHome, onlyRun());
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void scheduleUsesTheSentFilesUntilItIsRemoved() throws Exception {
    Path table = folder.resolve("ssh/table");
    server.addProgram(
        "crontab", "[ \"$1\" = - ] || { cat '" + table + "'; exit; }", "exec cat >'" + table + "'");
    Files.writeString(table, "");
    String job = job(2);
    CommandResult added =
        elastune
            .inProcess(
                on(
                    "controller",
                    "schedule",
                    "add",
                    job,
                    "--crontab",
                    "--cron",
                    "0 2 * * *",
                    "--",
                    "--profile",
                    folder.resolve("the job's folder/profile.yaml").toString()))
            .assertExit(0);
    assertThat(added.out()).contains("Schedule remote added to crontab: 0 2 * * * env ");
    assertThat(table).content().contains("'schedule' 'start' 'remote'");
    Files.writeString(folder.resolve("the job's folder/trial.sh"), "exit 1\n");
    elastune.inProcess(on("controller", "check", job));

    elastune.inProcess(on("controller", "schedule", "start", "remote")).assertExit(0);
    assertThat(elastune.inProcess(on("controller", "schedule", "list")).out())
        .contains("0 2 * * *");
    assertThat(elastune.inProcess(on("controller", "schedule", "log", "remote")).out())
        .contains("ended with exit code 0, ", onlyRun());
    elastune.inProcess(on("controller", "schedule", "rm", "remote")).assertExit(0);
    assertThat(table).isEmptyFile();
    Leftovers.assertNone(remoteHome, onlyRun());
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void startOfAScheduleSurvivesBrokenConnection() throws Exception {
    Path table = Files.writeString(folder.resolve("ssh/table"), "");
    server.addProgram(
        "crontab", "[ \"$1\" = - ] || { cat '" + table + "'; exit; }", "exec cat >'" + table + "'");
    String[] add = {"schedule", "add", job(25), "--crontab", "--cron", "0 2 * * *"};
    elastune.inProcess(on("controller", add)).assertExit(0);
    RunningCommand start = elastune.start(on("controller", "schedule", "start", "remote"));
    start.awaitOutput(" ready");
    assertThat(server.cutConnections()).isPositive();

    CommandResult lost = start.awaitExit().assertExit(20);

    assertThat(lost.err())
        .contains("a start that has begun continues there")
        .contains("elastune --host controller attach")
        .contains("elastune --host controller schedule log remote");
    elastune.inProcess(on("controller", "attach")).assertExit(0);
    String log = "";
    while (!log.contains("ended with exit code 0")) {
      log = elastune.inProcess(on("controller", "schedule", "log", "remote")).assertExit(0).out();
      assertThat(log).doesNotContain("killed");
    }
    assertThat(log).contains(onlyRun());
    Leftovers.assertNone(remoteHome, onlyRun());
  }

  /** Messages name files of this machine, where they are when the command has ended. */
  @Test
  @Tag(Tier.NIGHTLY)
  void messagesNameWrittenFiles() throws Exception {
    String job = job(2);
    CommandResult plan =
        elastune
            .inProcess(on("controller", "plan", job, "-o", "a plan.json", "--svg", "chart.svg"))
            .assertExit(0);
    assertThat(plan.out())
        .contains("Plan saved to a plan.json.", "Chart saved to chart.svg.")
        .doesNotContain("sessions");
    CommandResult graph =
        elastune
            .inProcess(on("controller", "simulate", job, "a plan.json", "--dot", "graph.dot"))
            .assertExit(0);
    assertThat(graph.out() + graph.err())
        .contains("Graph saved to graph.dot. Draw it with 'dot -Tsvg graph.dot -o dag.svg'.");
    elastune.inProcess(on("controller", "run", job, "-y")).assertExit(0);
    Path page = folder.resolve("other/page.html");
    Files.createDirectories(page.resolveSibling(""));
    assertThat(elastune.inProcess(on("controller", "report", "--html", page.toString())).out())
        .contains("Report saved as other/page.html.");
    assertThat(elastune.inProcess(on("controller", "report", "--csv", "trials.csv")).out())
        .contains("trials saved as trials.csv;");
    for (String file :
        List.of("a plan.json", "chart.svg", "graph.dot", "other/page.html", "trials.csv")) {
      assertThat(folder.resolve(file)).isNotEmptyFile();
    }
    elastune.inProcess(on("controller", "stop", onlyRun())).assertExit(0);
    Leftovers.assertNone(remoteHome, onlyRun());
  }

  @Test
  void terminalIsPassedOn() throws Exception {
    assumeTrue(ExternalPrograms.isInstalled("python3"), "python3 makes the terminal");
    List<String> script =
        List.of(
            "Type 'yes' to confirm: ",
            "yes\n",
            "attached to run",
            CONTROL_C,
            "Stop this run?",
            "stop\n");
    CommandResult end =
        elastune.runInTerminal(script, on("controller", "run", job(3000))).assertExit(130);

    assertThat(end.out()).contains("Ctrl-C asks whether to stop it", "Report copied from");
    Leftovers.assertNone(remoteHome, onlyRun());
  }

  /** The configurations of docs/laptop.md, with programs that require the documented arguments. */
  @Test
  @Tag(Tier.NIGHTLY)
  void proxyCommandsOfTheDocumentation() throws Exception {
    List<String> configurations =
        Pattern.compile("```ssh-config\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(ExampleFiles.REPOSITORY.resolve("docs/laptop.md")))
            .results()
            .map((MatchResult match) -> match.group(1))
            .toList();
    assertThat(configurations).hasSize(2);
    server.addProxy(
        configurations.get(0),
        "aws",
        "ssm start-session --target i-0123456789abcdef0 --document-name AWS-StartSSHSession"
            + " --parameters portNumber=22");
    server.addProxy(
        configurations.get(1),
        "gcloud",
        "compute start-iap-tunnel controller-elastune 22 --listen-on-stdin --zone us-central1-a"
            + " --verbosity warning");
    for (String host : List.of("i-0123456789abcdef0", "controller-elastune")) {
      CommandResult list = elastune.inProcess(on(host, "runs", "list", "--json")).assertExit(0);
      assertThat(list.json().isEmpty()).as(list.out()).isTrue();
    }
  }
}

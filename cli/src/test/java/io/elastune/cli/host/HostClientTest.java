package io.elastune.cli.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.env.Version;
import io.elastune.cli.remote.RemoteProtocol;
import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.InProcessCli;
import io.elastune.cli.testing.TinyJob;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests {@code --host} with a strict substitute for ssh, and for Elastune on the other machine. */
@DisabledOnOs(OS.WINDOWS)
class HostClientTest {
  private static final String JOB = "my job's/job.yaml";

  @TempDir Path folder;
  private Path fake;
  private Path local;
  private Path remoteHome;

  @BeforeEach
  void install() throws IOException {
    fake = folder.resolve("other machine's");
    local = folder.resolve("local");
    remoteHome = Files.createDirectories(fake.resolve("home"));
    Files.createDirectories(local);
    install("ssh.sh", fake.resolve("ssh"));
    install("elastune.sh", fake.resolve("bin/elastune"));
  }

  private static void install(String resource, Path program) throws IOException {
    Files.createDirectories(program.resolveSibling(""));
    try (InputStream in = HostClientTest.class.getResourceAsStream("/host/" + resource)) {
      Files.copy(in, program);
    }
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  private InProcessCli.Result host(String... arguments) {
    Map<String, String> environment =
        Map.of(
            "ELASTUNE_HOME",
            folder.resolve("local-home").toString(),
            "ELASTUNE_SSH",
            fake.resolve("ssh").toString(),
            "FAKE",
            fake.toString(),
            "PATH",
            System.getenv("PATH"),
            "WANDB_API_KEY",
            "local-secret");
    List<String> all = new ArrayList<>(List.of("--host", "ana@controller"));
    all.addAll(Arrays.asList(arguments));
    return new InProcessCli(local, environment).run(all.toArray(String[]::new));
  }

  private void writeJob() throws IOException {
    Path job = local.resolve("my job's");
    new TinyJob("tiny").write(job);
    Files.writeString(job.resolve(".gitignore"), "data\n");
    Files.writeString(job.resolve("data"), "large");
    Files.createDirectories(job.resolve("src dir"));
    Files.writeString(job.resolve("src dir/it's.py"), "print(1)\n");
  }

  private List<String> requests() throws IOException {
    return Files.readAllLines(remoteHome.resolve("requests"));
  }

  private JsonNode request(String action) throws IOException {
    String line =
        requests().stream().filter(some -> some.startsWith(action + " ")).findFirst().orElseThrow();
    return JsonMapper.shared().readTree(line.substring(action.length() + 1));
  }

  private List<String> executed() throws IOException {
    List<String> words = new ArrayList<>();
    request("exec").path("arguments").forEach(word -> words.add(word.asString()));
    return words;
  }

  private void respond(String action, String response) throws IOException {
    Files.writeString(remoteHome.resolve(action), response + "\n");
  }

  private void instead(String action, String script) throws IOException {
    Files.writeString(fake.resolve("on-" + action), script + "\n");
  }

  @Test
  void sendsJobOnceAndPassesOnStreamsAndExitCode() throws Exception {
    writeJob();
    InProcessCli.Result first = host("check", JOB, "--infra", "local,simulated");

    assertThat(first.exit()).as(first.err()).isEqualTo(13);
    assertThat(first.out()).isEqualTo("to standard output\n");
    assertThat(first.err())
        .contains("Sending 10 files, ", " to ana@controller; not sent, because ignored: data\n")
        .endsWith("to standard error\n");
    String hash = request("hello").path("archive").asString();
    assertThat(ExternalPrograms.sha256(remoteHome.resolve("job.tar"))).isEqualTo(hash);
    assertThat(
            ExternalPrograms.output(remoteHome, Map.of(), "tar", "-tf", "job.tar")
                .lines()
                .filter(path -> !path.endsWith(".sh")))
        .containsExactly(
            "tree/",
            "tree/.gitignore",
            "tree/job.yaml",
            "tree/offers.yaml",
            "tree/profile.yaml",
            "tree/src dir/it's.py");
    assertThat(executed()).containsExactly("check", "--infra=local,simulated", "job.yaml");
    assertThat(request("exec").path("archive").asString()).isEqualTo(hash);
    assertThat(request("exec").path("job").asString()).startsWith("job-my_job_s-");

    InProcessCli.Result second = host("check", JOB);
    assertThat(second.exit()).isEqualTo(13);
    assertThat(second.err()).isEqualTo("to standard error\n");
    assertThat(requests().stream().map(line -> line.split(" ", 2)[0]))
        .containsExactly("hello", "receive", "exec", "hello", "exec");
    assertThat(Files.readAllLines(fake.resolve("log"))).containsExactly("closed", "closed");
    assertThat(String.join("\n", requests())).doesNotContain("local-secret");
  }

  @Test
  void changedCodeIsSentAgainToTheSameFolder() throws Exception {
    writeJob();
    host("check", JOB);
    JsonNode before = request("exec");
    Files.delete(remoteHome.resolve("job.tar"));
    Files.delete(remoteHome.resolve("requests"));
    Files.writeString(local.resolve("my job's/src dir/it's.py"), "print(2)\n");
    host("check", JOB);

    assertThat(request("exec").path("archive")).isNotEqualTo(before.path("archive"));
    assertThat(request("exec").path("job")).isEqualTo(before.path("job"));
  }

  @Test
  void runFollowsInBackgroundAndReplacesFiles() throws Exception {
    writeJob();
    Files.writeString(local.resolve("p.yaml"), "given");
    respond("result", "elastune-remote: {\"files\":{}}");
    host("run", "-y", "--budget", "5", JOB, "--profile=p.yaml", "--gpu", "A10G,L4");

    String given = "/e/jobs/" + request("exec").path("job").asString() + "/given/0-p.yaml";
    assertThat(executed())
        .containsExactly(
            "run",
            "--yes",
            "--budget=5",
            "--profile=" + given,
            "--gpu=A10G,L4",
            "--follow",
            "job.yaml");
  }

  @Test
  void detachedRunIsNotFollowed() throws Exception {
    writeJob();
    host("run", JOB, "-yd");
    assertThat(executed()).containsExactly("run", "--yes", "--detach", "job.yaml");
    assertThat(requests()).noneMatch(line -> line.startsWith("result"));
  }

  @Test
  void copiesWrittenFilesBack() throws Exception {
    String page = Base64.getEncoder().encodeToString("<p>é</p>".getBytes(StandardCharsets.UTF_8));
    respond("result", "elastune-remote: {\"files\":{\"0-a_page.html\":\"" + page + "\"}}");
    InProcessCli.Result result = host("report", "tiny", "--html", "a page.html");

    assertThat(result.err()).contains("Copied from ana@controller: a page.html");
    assertThat(local.resolve("a page.html")).hasContent("<p>é</p>");
    String session = request("exec").path("session").asString();
    assertThat(executed())
        .containsExactly("report", "--html=/e/sessions/" + session + "/out/0-a_page.html", "tiny");
    assertThat(request("result").path("session").asString()).isEqualTo(session);
  }

  /** Messages name the files of this machine, not the temporary ones of the other machine. */
  @Test
  void sendsTheNamesOfFiles() throws Exception {
    writeJob();
    Path profile = local.resolve("my job's/profile.yaml");
    host("plan", JOB, "--profile", profile.toString(), "-o", "my plan.json", "--svg", "/tmp/a.svg");

    JsonNode names = request("exec").path("file_names");
    List<String> words = executed();
    assertThat(names.path(word(words, "--output")).asString()).isEqualTo("my plan.json");
    assertThat(names.path(word(words, "--svg")).asString()).isEqualTo("/tmp/a.svg");
    assertThat(names.path(word(words, "--profile")).asString()).isEqualTo("my job's/profile.yaml");
  }

  private static String word(List<String> words, String option) {
    return words.stream()
        .filter(word -> word.startsWith(option + "="))
        .findFirst()
        .orElseThrow()
        .substring(option.length() + 1);
  }

  /** One profile for each GPU model is written beside the named file. */
  @Test
  void copiesEachProfileOfSeveralGpuModels() throws Exception {
    writeJob();
    respond(
        "result",
        "elastune-remote:"
            + " {\"files\":{\"0-p.yaml\":\"YQ==\",\"0-p-A10G.yaml\":\"Yg==\",\"1-x\":\"Yw==\"}}");
    InProcessCli.Result result = host("estimate", JOB, "-o", "p.yaml");

    assertThat(result.err())
        .contains("Copied from ana@controller: p.yaml", "Copied from ana@controller: p-A10G.yaml");
    assertThat(local.resolve("p.yaml")).hasContent("a");
    assertThat(local.resolve("p-A10G.yaml")).hasContent("b");
    assertThat(local.resolve("1-x")).doesNotExist();
  }

  @Test
  void copiesReportOfEndedRun() throws Exception {
    respond(
        "result",
        "elastune-remote: {\"run\":\"tiny-1\",\"report\":\"{}\",\"page\":\"<html>\",\"files\":{}}");
    InProcessCli.Result result = host("attach", "tiny-1");

    assertThat(result.exit()).isEqualTo(13);
    assertThat(result.err()).contains("elastune-reports/tiny-1/report.html and report.json");
    assertThat(local.resolve("elastune-reports/tiny-1/report.html")).hasContent("<html>");
    assertThat(local.resolve("elastune-reports/tiny-1/report.json")).hasContent("{}");
    assertThat(local.resolve("elastune-reports/.gitignore")).hasContent("*");
  }

  @Test
  void failureToCopyKeepsTheExitCode() throws Exception {
    instead("result", "echo 'Connection reset by peer' >&2; exit 255");
    InProcessCli.Result result = host("attach");
    assertThat(result.exit()).isEqualTo(13);
    assertThat(result.err()).contains("Connection reset by peer", "The results were not copied");
  }

  @Test
  void reconnectsAndPrintsNoLineTwice() throws Exception {
    respond("result", "elastune-remote: {\"files\":{}}");
    instead("exec", "echo '{\"event\":\"started\"}'; echo 'reset' >&2; exit 255");
    InProcessCli.Result result = host("resume", "tiny", "--json", "-y");

    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out()).isEqualTo("{\"event\":\"started\"}\n{\"event\":\"finished\"}\n");
    assertThat(result.err())
        .contains("The connection to ana@controller was lost. A run that has started continues")
        .contains("elastune --host ana@controller attach");
    assertThat(request("follow").path("json").asBoolean()).isTrue();
  }

  @Test
  void sendsJobAndOptionsOfASchedule() throws Exception {
    writeJob();
    Files.writeString(local.resolve("p.yaml"), "given");
    host(
        "schedule",
        "add",
        JOB,
        "--cron",
        "0 2 * * *",
        "--monthly-usd=9",
        "--",
        "--profile",
        "p.yaml",
        "--deadline=2h");

    JsonNode exec = request("exec");
    String place = exec.path("job").asString();
    assertThat(place)
        .startsWith("schedule-my_job_s-")
        .endsWith("-" + exec.path("archive").asString().substring(0, 12));
    assertThat(executed())
        .containsExactly(
            "schedule",
            "add",
            "--cron=0 2 * * *",
            "--monthly-usd=9",
            "job.yaml",
            "--",
            "--profile=/e/jobs/" + place + "/given/0-p.yaml",
            "--deadline=2h");
    assertThat(exec.path("results").asBoolean()).isFalse();
    assertFailure(2, "run options: ", "schedule", "add", JOB, "--cron=0 2 * * *", "--", "--x");
  }

  @Test
  void otherCommandsOfSchedulesSendNothing() throws Exception {
    host("schedule", "log", "nightly", "--json");
    assertThat(executed()).containsExactly("schedule", "log", "--json", "nightly");
    assertThat(request("exec").has("archive")).isFalse();
  }

  @Test
  void logsContinueAtTheLastMarkAfterALostConnection() throws Exception {
    String version = Version.text();
    respond(
        "hello",
        "elastune-remote: {\"protocol\":2,\"version\":\""
            + version
            + "\",\"folder\":\"/e\",\"run\":\"tiny-1\"}");
    instead(
        "exec",
        """
        echo one
        echo "elastune-mark-$TOKEN "'{"position":{"bytes":{"trial-1.log":4}}}'
        echo "elastune-mark-$TOKEN {"
        echo 'elastune-mark-0 {"position":7}'
        printf 'two\ncu'
        exit 255\
        """);
    InProcessCli.Result result = host("logs", "-f");

    assertThat(result.out()).isEqualTo("one\nto standard output\n");
    assertThat(result.err()).contains("The connection to ana@controller was lost.");
    assertThat(request("exec").path("arguments").toString())
        .isEqualTo("[\"logs\",\"--follow\",\"tiny-1\"]");
    assertThat(request("exec").path("position").path("bytes").path("trial-1.log").asInt())
        .isEqualTo(4);
    assertThat(request("exec").path("marks").asBoolean()).isTrue();
  }

  @Test
  void statusReconnectsToTheSameRun() throws Exception {
    instead("exec", "echo first; exit 255");
    InProcessCli.Result result = host("status", "tiny", "--watch");
    assertThat(result.exit()).isEqualTo(13);
    assertThat(result.out()).isEqualTo("first\nto standard output\n");
  }

  @Test
  void changedPageIsWrittenBeforeTheEnd() throws Exception {
    Path page = local.resolve("a page.html");
    instead(
        "exec",
        """
        mark() {
          printf 'elastune-mark-%s {"file":"%s","gzip":"%s"}\\n' "$TOKEN" "$1" "$2"
        }
        content=$(printf '<p>1</p>' | gzip -c | base64 | tr -d '\\n')
        mark 0-a_page.html '!'
        mark 0-a_page.html AAAA
        mark ../other "$content"
        mark 0-a_page.html "$content"
        checks=0
        until [ -f 'PAGE' ] || [ "$checks" = 200 ]; do
          checks=$((checks + 1))
          sleep 0.05
        done
        [ ! -f 'PAGE' ] || echo seen\
        """
            .replace("PAGE", page.toString()));
    respond("result", "elastune-remote: {\"files\":{}}");
    InProcessCli.Result result = host("report", "--html", "a page.html", "--watch");
    assertThat(result.out()).isEqualTo("seen\n");
    assertThat(page).hasContent("<p>1</p>");
    assertThat(folder.resolve("other")).doesNotExist();
  }

  @Test
  void startOfAScheduleContinuesWithoutItsConnection() throws Exception {
    instead("exec", "echo 'reset' >&2; exit 255");
    InProcessCli.Result result = host("schedule", "start", "my night");
    assertThat(result.exit()).isEqualTo(20);
    assertThat(result.err())
        .contains("a start that has begun continues there")
        .contains("elastune --host ana@controller attach")
        .contains("elastune --host ana@controller schedule log 'my night'");
  }

  @Test
  void lostConnectionOfOtherCommandsIsReported() throws Exception {
    instead("exec", "echo 'reset' >&2; exit 255");
    InProcessCli.Result result = host("stop", "tiny");
    assertThat(result.exit()).isEqualTo(20);
    assertThat(result.err()).contains("it is unknown whether 'stop' has finished there");
  }

  @Test
  void explainsFailedConnections() throws Exception {
    instead("hello", "echo 'ssh: Could not resolve hostname controller' >&2; exit 255");
    assertFailure(2, "Could not resolve hostname controller; nothing was started");
    instead("hello", "echo 'ana@controller: Permission denied (publickey).' >&2; exit 255");
    assertFailure(15, "Permission denied (publickey).; nothing was started");
    instead("hello", "echo 'remote: is not a command of elastune' >&2; exit 2");
    assertFailure(2, "is too old for --host");
  }

  @Test
  void namesRemedyIfElastuneIsMissing() throws Exception {
    Files.delete(fake.resolve("bin/elastune"));
    assertFailure(2, "'elastune' was not found on ana@controller");
    assertFailure(2, "or name the program: --remote-elastune PATH");
  }

  @Test
  void startsNamedProgram() throws Exception {
    Path program = folder.resolve("an other's/$HOME/elastune");
    install("elastune.sh", program);
    Files.delete(fake.resolve("bin/elastune"));
    assertThat(host("--remote-elastune", program.toString(), "status").exit()).isEqualTo(13);
  }

  @Test
  void reportsOtherVersionAndRefusesIncompatibleOne() throws Exception {
    String hello = "elastune-remote: {\"protocol\":%d,\"version\":\"9.1\",\"folder\":\"/e\"}";
    respond("hello", hello.formatted(RemoteProtocol.NUMBER));
    InProcessCli.Result other = host("status");
    assertThat(other.exit()).isEqualTo(13);
    assertThat(other.err())
        .startsWith("elastune is 9.1 on ana@controller, where the command runs, and ");

    respond("hello", hello.formatted(1));
    assertFailure(2, "elastune 9.1 on ana@controller and elastune " + Version.text() + " here");
  }

  @Test
  void refusesWhatCannotWork() throws Exception {
    assertThat(host("init").err()).contains("'init' works only on this machine");
    assertThat(host("status", "--jsn").err()).contains("did you mean --json?");
    assertThat(host("plan", "absent.yaml").err()).contains("absent.yaml");
    assertThat(host("plan", "--help").out()).contains("elastune plan");
    InProcessCli cli = new InProcessCli(local);
    assertThat(cli.run("status", "--host", "x").err()).contains("--host: precedes the command");
    assertThat(cli.run("--host", "-oProxyCommand=x", "status").err())
        .contains("'-oProxyCommand=x' is not an ssh destination");
    assertThat(cli.run("--host").err()).contains("--host");
    assertThat(remoteHome.resolve("requests")).doesNotExist();
  }

  @Test
  void refusesAbsolutePathsAndTooMuchCode() throws Exception {
    Path job = local.resolve("my job's");
    new TinyJob("tiny").with("profile", "{file: /etc/profile.yaml}").write(job);
    assertFailure(2, "profile.file: /etc/profile.yaml is an absolute path", "plan", JOB);
    new TinyJob("tiny").trial("0", "gpus: 1, max_code_size: 1kB").write(job);
    Files.write(job.resolve("big.bin"), new byte[5000]);
    assertFailure(2, "largest: big.bin", "plan", JOB);
    assertThat(remoteHome.resolve("requests")).doesNotExist();
  }

  private void assertFailure(int exit, String message, String... arguments) {
    InProcessCli.Result result = arguments.length == 0 ? host("status") : host(arguments);
    assertThat(result.err()).contains(message);
    assertThat(result.exit()).isEqualTo(exit);
  }
}

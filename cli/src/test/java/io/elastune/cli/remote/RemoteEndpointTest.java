package io.elastune.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Version;
import io.elastune.cli.execute.StartedRunFile;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.LogMarks;
import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.executor.code.TarWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tests the requests of {@code --host} on the controller machine. */
class RemoteEndpointTest {
  private static final Instant NOW = Instant.parse("2026-11-23T08:00:00Z");

  @TempDir Path folder;
  private final List<CliEnvironment> environments = new ArrayList<>();
  private final List<List<String>> commands = new ArrayList<>();
  private int exit;

  private Path remote() {
    return folder.resolve("home/remote");
  }

  private JsonNode answer(String action, JsonNode request, InputStream in) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code = endpoint(out, in, NOW).answer(action, request);
    assertThat(code).isZero();
    return RemoteProtocol.response(out.toString(StandardCharsets.UTF_8)).orElseThrow();
  }

  private RemoteEndpoint endpoint(ByteArrayOutputStream out, InputStream in, Instant now) {
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    CliEnvironment environment =
        new CliEnvironment(
            stream,
            stream,
            in,
            Map.of("ELASTUNE_HOME", folder.resolve("home").toString()),
            folder,
            InstantSource.fixed(now),
            false);
    return new RemoteEndpoint(environment, this::run);
  }

  private int run(CliEnvironment environment, List<String> arguments) {
    environments.add(environment);
    commands.add(arguments);
    try {
      if (arguments.contains("write")) {
        Files.writeString(remote().resolve("sessions/s1/out/0-x"), "result");
      }
      if (arguments.contains("start")) {
        Files.writeString(
            Path.of(environment.variable(StartedRunFile.VARIABLE).orElseThrow()), "tiny-1");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return exit;
  }

  /** A connection that stays open: its end would be a hang-up of this process. */
  private static InputStream open() {
    return new InputStream() {
      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return read();
      }

      @Override
      public int read() throws IOException {
        try {
          new CountDownLatch(1).await();
          return -1;
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException(e);
        }
      }
    };
  }

  private Path archive(String content) throws IOException {
    Path source = Files.writeString(folder.resolve("source"), content);
    Path tar = folder.resolve("source.tar");
    try (TarWriter writer = new TarWriter(Files.newOutputStream(tar))) {
      writer.addFolder("tree");
      writer.addFile("tree/it's a job.yaml", source, true);
      writer.addLink("tree/link", "it's a job.yaml");
    }
    return tar;
  }

  private static ObjectNode named(String archive) {
    return RemoteProtocol.document().put("archive", archive);
  }

  private String store(String content) throws Exception {
    Path tar = archive(content);
    String hash = ExternalPrograms.sha256(tar);
    assertThat(answer("hello", named(hash), open()).path("stored").asBoolean()).isFalse();
    try (InputStream in = Files.newInputStream(tar)) {
      answer("receive", named(hash), in);
    }
    return hash;
  }

  private ObjectNode exec(String archive, String... arguments) {
    ObjectNode request =
        named(archive).put("session", "s1").put("job", "job-x").put("results", true);
    var words = request.putArray("arguments");
    List.of(arguments).forEach(words::add);
    return request;
  }

  private int execute(ObjectNode request) {
    return endpoint(new ByteArrayOutputStream(), open(), NOW).answer("exec", request);
  }

  @Test
  void storesArchivePrivately() throws Exception {
    String hash = store("v1");

    JsonNode hello = answer("hello", named(hash), open());
    assertThat(hello.path("stored").asBoolean()).isTrue();
    assertThat(hello.path("protocol").asInt()).isEqualTo(RemoteProtocol.NUMBER);
    assertThat(hello.path("version").asString()).isEqualTo(Version.text());
    assertThat(hello.path("folder").asString()).isEqualTo(remote().toString());
    Path job = remote().resolve("archives").resolve(hash).resolve("tree/link");
    assertThat(job).hasContent("v1");
    assertThat(Files.isExecutable(job)).isTrue();
    assertThat(Files.getPosixFilePermissions(remote()))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void messagesNameFilesOfTheOtherMachine() throws Exception {
    ObjectNode request = exec(store("v1"), "plan", "job.yaml");
    request.putObject("file_names").put(remote() + "/sessions/s1/out/0-p.yaml", "my p.yaml");
    execute(request);

    CliEnvironment inner = environments.get(0);
    Path out = remote().resolve("sessions/s1/out");
    assertThat(inner.displayFile(out.resolve("0-p.yaml").toString())).isEqualTo("my p.yaml");
    assertThat(inner.displayPath(out.resolve("0-p-A10G.yaml"))).isEqualTo("my p-A10G.yaml");
    assertThat(inner.displayFile("other.yaml")).isEqualTo("other.yaml");
  }

  @Test
  void rejectsIncompleteArchive() throws Exception {
    Path tar = archive("v1");
    String hash = ExternalPrograms.sha256(tar);
    answer("hello", named(hash), open());
    byte[] part = new byte[700];
    assertThatThrownBy(
            () ->
                endpoint(new ByteArrayOutputStream(), new ByteArrayInputStream(part), NOW)
                    .answer("receive", named(hash)))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("the job was received incompletely: 700 bytes");
    assertThat(remote().resolve("archives")).isEmptyDirectory();
  }

  @Test
  void runsCommandInLatestVersionOfTheJob() throws Exception {
    String first = store("v1");
    exit = 13;
    assertThat(execute(exec(first, "plan", "job's.yaml"))).isEqualTo(13);
    Path working = environments.get(0).folder();
    assertThat(working).isEqualTo(remote().resolve("jobs/job-x/tree"));
    assertThat(working.resolve("it's a job.yaml")).hasContent("v1");
    assertThat(environments.get(0).variable("NO_COLOR")).hasValue("1");
    assertThat(commands).containsExactly(List.of("plan", "job's.yaml"));

    execute(exec(store("v2"), "plan").put("colors", true));
    assertThat(working.resolve("it's a job.yaml")).hasContent("v2");
    assertThat(environments.get(1).variable("NO_COLOR")).isEmpty();
  }

  @Test
  void commandWithoutResultsLeavesNoSession() throws Exception {
    execute(exec(store("v1"), "status").put("results", false));
    assertThat(commands).containsExactly(List.of("status"));
    assertThat(remote().resolve("sessions")).isEmptyDirectory();
  }

  @Test
  void removesReplacedArchivesAfterAMonth() throws Exception {
    String first = store("v1");
    execute(exec(first, "plan"));
    String second = store("v2");
    execute(exec(second, "plan"));
    Path archives = remote().resolve("archives");
    for (String hash : List.of(first, second)) {
      FileTime old = FileTime.from(NOW.minus(Duration.ofDays(31)));
      Files.setLastModifiedTime(archives.resolve(hash), old);
    }
    answer("hello", RemoteProtocol.document(), open());
    assertThat(archives.resolve(first)).doesNotExist();
    assertThat(archives.resolve(second)).isDirectory();
  }

  @Test
  void removesArchivesOfRemovedSchedules() throws Exception {
    String used = store("v1");
    String unused = store("v2");
    execute(exec(used, "schedule").put("job", "schedule-x-1"));
    execute(exec(unused, "schedule").put("job", "schedule-x-2"));
    Path schedules = Files.createDirectories(folder.resolve("home/schedules"));
    Files.writeString(schedules.resolve("a.json"), "{\"job\":\"/h/jobs/schedule-x-1/tree/j\"");
    FileTime old = FileTime.from(NOW.minus(Duration.ofDays(31)));
    for (String hash : List.of(used, unused)) {
      Files.setLastModifiedTime(remote().resolve("archives").resolve(hash), old);
    }
    for (String link : List.of("schedule-x-1", "schedule-x-2")) {
      ExternalPrograms.output(
          remote().resolve("jobs"), Map.of(), "touch", "-h", "-d", "2026-10-01", link);
    }
    answer("hello", RemoteProtocol.document(), open());
    assertThat(remote().resolve("jobs/schedule-x-1/tree")).isDirectory();
    assertThat(remote().resolve("archives").resolve(used)).isDirectory();
    assertThat(remote().resolve("archives").resolve(unused)).doesNotExist();
  }

  @Test
  void passesOnPositionAndMarks() throws Exception {
    ObjectNode request = exec(store("v1"), "logs").put("marks", true);
    request.putObject("position").put("last", "trial 1");
    execute(request);
    assertThat(environments.get(0).variable(LogMarks.PREFIX)).hasValue("elastune-mark-s1 ");
    assertThat(environments.get(0).variable(LogMarks.POSITION)).hasValue("{\"last\":\"trial 1\"}");
  }

  @Test
  void returnsWrittenFilesAndRemovesSession() throws Exception {
    String hash = store("v1");
    execute(exec(hash, "report", "write"));
    JsonNode result = answer("result", RemoteProtocol.document().put("session", "s1"), open());
    assertThat(result.path("files").path("0-x").asString()).isEqualTo("cmVzdWx0");
    assertThat(result.has("run")).isFalse();
    assertThat(remote().resolve("sessions")).isEmptyDirectory();
  }

  @Test
  void lostConnectionBeforeTheStartOfARunIsReported() throws Exception {
    exit = 10;
    execute(exec(store("v1"), "run", "job.yaml"));
    ObjectNode request = RemoteProtocol.document().put("session", "s1");
    assertThatThrownBy(
            () -> endpoint(new ByteArrayOutputStream(), open(), NOW).answer("follow", request))
        .isInstanceOfSatisfying(
            CommandFailure.class,
            failure -> assertThat(failure.exit()).isEqualTo(ExitCode.NOT_CONFIRMED))
        .hasMessageContaining("before the command started a run; it ended with exit code 10");
  }

  @Test
  void knowsTheStartedRun() throws Exception {
    execute(exec(store("v1"), "run", "start"));
    assertThat(remote().resolve("sessions/s1/run")).hasContent("tiny-1");
  }

  @Test
  void namesCannotLeadElsewhere() throws Exception {
    store("v1");
    ObjectNode request = RemoteProtocol.document().put("session", "../../x");
    assertThatThrownBy(
            () -> endpoint(new ByteArrayOutputStream(), open(), NOW).answer("result", request))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void unknownRequestNamesTheVersion() {
    assertThatThrownBy(
            () ->
                endpoint(new ByteArrayOutputStream(), open(), NOW)
                    .answer("dance", RemoteProtocol.document()))
        .hasMessageContaining("'dance' is unknown to elastune " + Version.text());
  }
}

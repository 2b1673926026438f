package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContract;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.PreparationFailed;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.ImageTime;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.NodePreparation;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.SecretMask;
import io.elastune.provisioner.process.HostTools;
import io.elastune.provisioner.process.InstanceFolder;
import io.elastune.provisioner.process.OwnedProcesses;
import io.elastune.provisioner.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the local cloud with real processes. */
class LocalCloudIT extends CloudContract {
  @TempDir private Path home;

  @Override
  protected Cloud open(Consumer<CloudEvent> consumer) {
    return new LocalCloud(home, InstantSource.system(), consumer);
  }

  @Override
  protected Optional<Cloud> openWithFaults(Runnable beforeTask, Consumer<CloudEvent> consumer) {
    return Optional.of(
        new LocalCloud(
            home,
            InstantSource.system(),
            consumer,
            MachineDevices.ofThisMachine(),
            beforeTask::run));
  }

  @Override
  protected void advance(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected String infra() {
    return "local";
  }

  @Override
  protected NodeSetup setup(String output, int exit) {
    return setup("echo '" + output + "'; exit " + exit);
  }

  private NodeSetup setup(String command) {
    return new NodeSetup(
        command, home.toString(), Map.of("SECRET", "s3cret"), home.resolve("setup.log").toString());
  }

  @Test
  void setupUsesFolderEnvironmentAndLog() throws IOException {
    String command = "echo $SECRET $ELASTUNE_RUN $ELASTUNE_LEASE; pwd; echo oops >&2";
    cloud.request(request(LEASE, 0, 0, Optional.of(setup(command))));
    until(() -> events.has(Ready.class, LEASE));

    assertThat(Files.readAllLines(home.resolve("setup.log")))
        .containsExactly("s3cret " + RUN + " " + LEASE, home.toRealPath().toString(), "oops");
  }

  @Test
  void failingLineOfSetupIsAnError() throws IOException {
    cloud.request(
        request(LEASE, 0, 0, Optional.of(setup(". ./no-venv/bin/activate\necho activated"))));
    until(() -> events.has(PreparationFailed.class, LEASE));

    assertThat(events.first(PreparationFailed.class, LEASE).message())
        .contains("exit ", "no-venv/bin/activate");
    assertThat(home.resolve("setup.log")).content().doesNotContain("activated");
  }

  @Test
  void setupThatFailsOnceIsRepeated() {
    cloud.request(
        request(LEASE, 0, 0, Optional.of(setup("[ -e tried ] || { touch tried; exit 3; }"))));
    until(() -> events.has(Ready.class, LEASE));

    assertThat(events.types(LEASE)).containsExactly(Running.class, Ready.class);
  }

  @Test
  void setupUsesBash() throws IOException {
    assumeThat(HostTools.shell("").get(0)).endsWith("bash");
    Files.writeString(home.resolve("activate"), "NAME=venv");
    cloud.request(
        request(
            LEASE, 0, 0, Optional.of(setup("source ./activate; [[ $NAME == v* ]]; echo $NAME"))));
    until(() -> events.has(Ready.class, LEASE));

    assertThat(home.resolve("setup.log")).hasContent("venv");
  }

  @Test
  void pipelineOfSetupMayEndEarly() {
    cloud.request(request(LEASE, 0, 0, Optional.of(setup("yes | head -n 1; echo after"))));
    until(() -> events.has(Ready.class, LEASE));

    assertThat(home.resolve("setup.log")).hasContent("y\nafter");
  }

  @Test
  void timeForTheImageIsThatOfTheLog() {
    cloud.request(request(LEASE, 0, 0, Optional.of(setup(ImageTime.printed("sleep 0.1")))));
    cloud.request(request(RUN + "-2", 0, 0, Optional.empty()));
    until(() -> events.has(Ready.class, LEASE) && events.has(Ready.class, RUN + "-2"));

    NodePreparation prepared = events.first(Ready.class, LEASE).preparation();
    assertThat(prepared.imageS().orElseThrow())
        .isBetween(0.0, Math.ceil(prepared.setupS().orElseThrow()));
    assertThat(events.first(Ready.class, RUN + "-2").preparation())
        .isEqualTo(NodePreparation.withoutSetup(Optional.empty()));
  }

  @Test
  void setupWithBackgroundProcessEnds() {
    cloud.request(request(LEASE, 0, 0, Optional.of(setup("sleep 1000 & echo started"))));
    until(() -> events.has(Ready.class, LEASE));

    assertThat(home.resolve("setup.log")).hasContent("started");
  }

  /** They belong to the instance, and end with it. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void processesOfASetupEndWithTheInstance() throws IOException {
    String hidden = "env -i setsid sh -c 'echo $$ > pid; exec sleep 1000' <&- >/dev/null 2>&1 & ";
    String started = "while ! [ -s pid ]; do sleep 0.02; done";
    cloud.request(request(LEASE, 0, 0, Optional.of(setup(hidden + started))));
    until(() -> events.has(Ready.class, LEASE));
    long pid = Long.parseLong(Files.readString(home.resolve("pid")).strip());
    assertThat(ProcessHandle.of(pid)).isPresent();
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));

    assertThat(ProcessTable.read()).noneMatch(entry -> entry.pid() == pid);
  }

  @Test
  void setupOutputHidesSecrets() throws IOException {
    NodeSetup plain = setup("echo \"key=$KEY\"; echo \"$KEY\" >&2; exit 3");
    NodeSetup secret =
        new NodeSetup(
            plain.command(),
            plain.workdir(),
            Map.of("KEY", "very-secret"),
            plain.log(),
            SecretMask.of(List.of("very-secret")));
    cloud.request(request(LEASE, 0, 0, Optional.of(secret)));
    until(() -> events.has(PreparationFailed.class, LEASE));

    assertThat(home.resolve("setup.log")).hasContent("key=***\n***\nkey=***\n***");
    assertThat(events.toString()).doesNotContain("very-secret");
  }

  @Test
  void filesOfInstanceArePrivate() throws IOException {
    Path log = Files.createFile(home.resolve("setup.log"));
    Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-r--r--"));
    Path instances = Files.createDirectory(InstanceFolder.parentOf(home));
    Files.setPosixFilePermissions(instances, PosixFilePermissions.fromString("rwxr-xr-x"));
    cloud.request(request(LEASE, 0, 0, Optional.of(setup("true"))));
    until(() -> events.has(Ready.class, LEASE));

    try (Stream<Path> paths = Files.walk(home)) {
      for (Path path : paths.toList()) {
        assertThat(Files.getPosixFilePermissions(path))
            .as(path.toString())
            .isSubsetOf(PosixFilePermissions.fromString("rwx------"));
      }
    }
  }

  @Test
  void setupInMissingFolderFails() {
    NodeSetup nowhere = new NodeSetup("true", home + "/nowhere", Map.of(), home + "/setup.log");
    cloud.request(request(LEASE, 0, 0, Optional.of(nowhere)));
    until(() -> events.has(PreparationFailed.class, LEASE));

    assertThat(events.first(PreparationFailed.class, LEASE).message()).contains("nowhere");
  }

  @Test
  void setupsOfOneFolderRunInSequence() throws IOException {
    NodeSetup slow = setup("echo in; sleep 0.2; echo out");
    for (int i = 1; i <= 3; i++) {
      cloud.request(request(RUN + "-" + i, 0, 0, Optional.of(slow)));
    }
    until(() -> Set.of(1, 2, 3).stream().allMatch(i -> events.has(Ready.class, RUN + "-" + i)));

    assertThat(Files.readAllLines(home.resolve("setup.log")))
        .containsExactly("in", "out", "in", "out", "in", "out");
  }

  @Test
  void releaseEndsHungSetup() {
    cloud.request(request(LEASE, 0, 0, Optional.of(setup("trap '' TERM; sleep 1000; sleep 999"))));
    until(() -> !InstanceFolder.of(home, LEASE).registered().isEmpty());
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));

    assertThat(events.types(LEASE)).containsExactly(Running.class, Terminated.class);
    assertThat(family(LEASE).isAlive()).isFalse();
    assertThat(InstanceFolder.of(home, LEASE).path()).doesNotExist();
  }

  @Test
  void releaseLeavesNoProcessAndNoFolder() throws IOException {
    ready();
    startWorker(LEASE, "sleep 1000");
    startWorker(LEASE, "trap '' TERM; while true; do sleep 1; done");
    startWorker(LEASE, "setsid sleep 1000 & (setsid sleep 1000 &) ; exec sleep 1000");
    until(() -> family(LEASE).members().size() >= 5);
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));

    assertThat(family(LEASE).isAlive()).isFalse();
    assertThat(InstanceFolder.of(home, LEASE).path()).doesNotExist();
  }

  @Test
  void findsUnmarkedWorkerByItsGroup() throws IOException {
    ready();
    String seconds = "1" + UUID.randomUUID().toString().replaceAll("\\D", "").substring(0, 6);
    Process worker = startWorker(LEASE, "env -i sleep " + seconds + " & env -i sleep " + seconds);
    until(() -> family(LEASE, worker.pid()).members().size() >= 3);
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));

    assertThat(family(LEASE, worker.pid()).isAlive()).isFalse();
  }

  @Test
  void instanceWithoutGuardIsLostAndCleanedUp() throws IOException {
    ready();
    startWorker(LEASE, "sleep 1000");
    guard().destroyForcibly();
    until(() -> events.has(Lost.class, LEASE));
    assertThat(events.first(Lost.class, LEASE).loss()).isEqualTo(LossReason.FAILED);

    cloud.release(LEASE);
    until(() -> events.count(Terminated.class, LEASE) >= 1);
    assertThat(family(LEASE).isAlive()).isFalse();
    assertThat(list()).isEmpty();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void hungGuardIsKilled() throws IOException {
    ready();
    new ProcessBuilder("kill", "-STOP", Long.toString(guard().pid())).inheritIO().start();
    startWorker(LEASE, "sleep 1000");
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));

    assertThat(family(LEASE).isAlive()).isFalse();
  }

  @Test
  void guardHasItsOwnProcessGroup() throws IOException {
    ready();
    long guard = guard().pid();
    until(
        () ->
            ProcessTable.read().stream()
                .anyMatch(entry -> entry.pid() == guard && entry.group() == guard));
  }

  @Test
  void closeEndsInstancesWithinDeadManTime() throws IOException {
    ready();
    startWorker(LEASE, "trap '' TERM; while true; do sleep 1; done");
    cloud.close();
    until(() -> !family(LEASE).isAlive());

    cloud = open(events);
    assertThat(list()).isEmpty();
  }

  @Test
  void listsAndReleasesOtherControllersInstance() throws IOException {
    ready();
    startWorker(LEASE, "sleep 1000");
    try (Cloud other = open(events)) {
      other.list(RUN);
      until(() -> events.lists().size() == 1);
      assertThat(events.lists().get(0).instances())
          .extracting(InstanceInfo::lease)
          .containsExactly(LEASE);
      other.release(LEASE);
      until(() -> events.has(Terminated.class, LEASE));
    }
    assertThat(family(LEASE).isAlive()).isFalse();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void listsProcessWithoutInstanceFolder() throws IOException {
    Process stray = startWorker(LEASE, "exec sleep 1000");
    until(() -> family(LEASE).isAlive());

    assertThat(list()).extracting(InstanceInfo::lease).containsExactly(LEASE);
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));
    assertThat(stray.isAlive()).isFalse();
  }

  @Test
  void refusesInvalidFolderName() {
    cloud.request(request("../evil", 0, 0, Optional.empty()));
    until(() -> events.has(Refused.class, "../evil"));
  }

  @Test
  void manyInstancesLeaveNothing() throws IOException {
    List<String> leases = Stream.of(1, 2, 3, 4, 5, 6).map(i -> RUN + "-" + i).toList();
    leases.forEach(lease -> cloud.request(request(lease, 0, 0, Optional.empty())));
    until(() -> leases.stream().allMatch(lease -> events.has(Ready.class, lease)));
    leases.forEach(cloud::release);
    until(() -> leases.stream().allMatch(lease -> events.has(Terminated.class, lease)));

    try (Stream<Path> left = Files.list(InstanceFolder.parentOf(home))) {
      assertThat(left).isEmpty();
    }
  }

  private void ready() {
    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    until(() -> events.has(Ready.class, LEASE));
  }

  private ProcessHandle guard() throws IOException {
    List<String> lines =
        Files.readAllLines(InstanceFolder.of(home, LEASE).path().resolve("guard.properties"));
    String pid = lines.stream().filter(line -> line.startsWith("pid=")).findFirst().orElseThrow();
    return ProcessHandle.of(Long.parseLong(pid.substring(4))).orElseThrow();
  }

  /** Starts a worker as an engine does. */
  private Process startWorker(String lease, String command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(HostTools.detached(List.of("sh", "-c", command))).inheritIO();
    builder.environment().put("ELASTUNE_LEASE", lease);
    builder.environment().put("ELASTUNE_RUN", RUN);
    Process process = builder.start();
    InstanceFolder.of(home, lease).register(process.pid());
    return process;
  }

  private static OwnedProcesses family(String lease, Long... leaders) {
    assertThat(ProcessTable.read()).isNotEmpty();
    return new OwnedProcesses("ELASTUNE_LEASE", lease, Set.of(leaders));
  }
}

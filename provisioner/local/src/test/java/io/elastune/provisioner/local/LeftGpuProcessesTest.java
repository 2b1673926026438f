package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.process.InstanceFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the question to the driver with a fake of nvidia-smi and a real process. */
class LeftGpuProcessesTest {
  private static final String GPU = "GPU-a0";
  private static final String LEASE = "run-1";

  @TempDir private Path home;
  private Process process;
  private Instant began;
  private TerminatedInstanceStore terminated;

  @BeforeEach
  void startProcess() throws IOException {
    process = new ProcessBuilder("sleep", "1000").start();
    began = process.info().startInstant().orElseThrow();
    terminated = new TerminatedInstanceStore(home);
  }

  @AfterEach
  void endProcess() {
    process.destroyForcibly();
  }

  @Test
  void processThatBeganWhileAnInstanceHadTheGpuKeepsIt() throws IOException {
    LeftGpuProcesses left = usedSince(began.minusSeconds(10));
    end(began.plusSeconds(10));
    List<DeviceHold> found = left.find(List.of());

    assertThat(found).hasSize(1);
    assertThat(found.get(0).gpus()).containsExactly(GPU);
    assertThat(found.get(0).run())
        .isEqualTo("run, whose process " + process.pid() + " (sleep) still uses GPU " + GPU);
  }

  @Test
  void endedRunNamesWhatItHasLeft() throws IOException {
    LeftGpuProcesses left = usedSince(began.minusSeconds(10));
    end(began.plusSeconds(10));

    assertThat(left.of("run"))
        .containsExactly("process " + process.pid() + " (sleep) still uses GPU " + GPU);
    assertThat(left.of("other")).isEmpty();
  }

  @Test
  void otherProgramsDoNotKeepIt() throws IOException {
    LeftGpuProcesses before = usedSince(began.plusSeconds(10));
    assertThat(before.find(List.of())).isEmpty();

    LeftGpuProcesses after = usedSince(began.minusSeconds(20));
    end(began.minusSeconds(10));
    assertThat(after.find(List.of())).isEmpty();
  }

  @Test
  void processesOfRunningInstancesAreNotAskedFor() throws IOException {
    LeftGpuProcesses left = usedSince(began.minusSeconds(10));

    assertThat(left.find(List.of(new DeviceHold("run", List.of(), List.of(GPU))))).isEmpty();
  }

  @Test
  void gpuIsFreeOnceTheProcessHasEnded() throws Exception {
    LeftGpuProcesses left = usedSince(began.minusSeconds(10));
    process.destroyForcibly().waitFor();

    assertThat(left.find(List.of())).isEmpty();
  }

  @Test
  void gpuThatNoInstanceHadIsNotAskedFor() throws IOException {
    assertThat(at(Instant.now()).find(List.of())).isEmpty();
    assertThat(home.resolve("asked")).doesNotExist();
  }

  @Test
  void failingDriverKeepsNothing() throws IOException {
    var unused = usedSince(began.minusSeconds(10));
    Path tool = tool("exit 9");

    assertThat(
            new LeftGpuProcesses(
                    home, terminated, InstantSource.system(), Optional.of(tool.toString()))
                .find(List.of()))
        .isEmpty();
  }

  private LeftGpuProcesses usedSince(Instant since) throws IOException {
    LeftGpuProcesses left = at(since);
    InstanceFolder folder = InstanceFolder.of(home, LEASE);
    Files.createDirectories(folder.path());
    left.assigned(folder, "run", List.of(GPU));
    return left;
  }

  private LeftGpuProcesses at(Instant now) throws IOException {
    Path tool = tool("touch '%s/asked'; echo '%s, %d, sleep'".formatted(home, GPU, process.pid()));
    return new LeftGpuProcesses(
        home, terminated, InstantSource.fixed(now), Optional.of(tool.toString()));
  }

  private void end(Instant at) {
    terminated.store(
        LEASE,
        new TerminatedInstanceStore.TerminatedInstance(
            Optional.of(at.minus(Duration.ofHours(1))), at));
  }

  private Path tool(String script) throws IOException {
    Path tool = home.resolve("nvidia-smi");
    Files.writeString(tool, "#!/bin/sh\n" + script + "\n");
    return Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
  }
}

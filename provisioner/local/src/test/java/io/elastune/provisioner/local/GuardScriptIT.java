package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.process.InstanceFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the guard of a local instance removes its containers, with a fake of Docker. */
@EnabledOnOs(OS.LINUX)
class GuardScriptIT {
  private static final String DOCKER =
      "#!/bin/sh\necho \"$*\" >>\"${0%/*}/calls\"\n[ \"$1\" != ps ] || printf 'a1\\nb2\\n'\n";

  @TempDir Path home;

  @Test
  void removesContainersOfItsLease() throws Exception {
    InstanceFolder folder = InstanceFolder.of(home, "run-1");
    Files.createDirectories(folder.workersFolder());
    guard(folder);
    assertThat(home.resolve("bin/calls")).doesNotExist();

    folder.registerContainers();
    guard(folder);

    assertThat(home.resolve("bin/calls"))
        .hasContent("ps --all --quiet --filter=label=elastune-lease=run-1\nrm --force a1 b2\n");
  }

  /** Runs a guard whose controller has ended. */
  private void guard(InstanceFolder folder) throws IOException, InterruptedException {
    Path docker = Files.createDirectories(home.resolve("bin")).resolve("docker");
    Files.writeString(docker, DOCKER);
    Files.setPosixFilePermissions(docker, PosixFilePermissions.fromString("rwx------"));
    Path script = home.resolve("guard.sh");
    try (InputStream source = InstanceGuard.class.getResourceAsStream("guard.sh")) {
      Files.write(script, source.readAllBytes());
    }
    ProcessBuilder builder =
        new ProcessBuilder("sh", script.toString(), "run-1", folder.path().toString()).inheritIO();
    builder.redirectInput(ProcessBuilder.Redirect.PIPE);
    builder.environment().put("PATH", docker.getParent() + ":" + System.getenv("PATH"));
    Process guard = builder.start();
    guard.getOutputStream().close();

    assertThat(guard.waitFor()).isZero();
  }
}

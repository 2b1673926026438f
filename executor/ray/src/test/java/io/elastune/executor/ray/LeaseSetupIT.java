package io.elastune.executor.ray;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.code.CodeSnapshot;
import io.elastune.executor.code.CodeTree;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.PreparationFailure;
import io.elastune.provisioner.SecretMask;
import io.elastune.provisioner.process.EventLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the setup of a job on nodes that are folders of this machine. */
@EnabledOnOs(OS.LINUX)
class LeaseSetupIT {
  private static final String SECRET = "secret-value";

  /** Fails as apt 2.6 does, as often as a file has letters. */
  private static final String APT_GET =
      """
      #!/bin/sh
      [ -e locked ] || printf xxx >locked
      [ -s locked ] || exit 0
      printf %s "$(tail -c +2 locked)" >locked
      echo 'Reading package lists...'
      echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 812 (apt-get)' >&2
      echo 'E: Unable to lock directory /var/lib/apt/lists/' >&2
      exit 100
      """;

  @TempDir Path folder;
  private final EventLoop loop = new EventLoop("test");
  private RayLink link;
  private LeaseSetup setup;

  @BeforeEach
  void connect() throws IOException {
    link = new RayLink(RayTrials.loopback(folder, 1, "run"), loop, new Ignored());
    setup = new LeaseSetup(link, ForkJoinPool.commonPool(), new LeaseCode(link, Runnable::run));
    loop.execute(link::open);
    for (String lease : List.of("setup-1", "setup-2")) {
      var unused =
          link.onLoop(
                  () ->
                      link.request(
                          Request.of("attach", lease).with("create", true).with("ttl_s", 60)))
              .join();
    }
  }

  @AfterEach
  void disconnect() {
    loop.execute(link::close);
    loop.execute(loop::close);
  }

  private static final class Ignored implements RayLink.Listener {
    @Override
    public void connected() {}

    @Override
    public void event(Frame event) {}
  }

  @Test
  void runsOncePerInstanceInTheCodeOfTheRun() throws IOException {
    Path workdir = Files.createDirectories(folder.resolve("home/me/project"));
    Files.writeString(workdir.resolve("requirements.txt"), "torch\n");
    CodeSnapshot code =
        CodeSnapshot.take(CodeTree.of(workdir, Set.of()), Set.of(), folder.resolve("code"));
    String command = "cat requirements.txt; echo $KEY; printf built >> product";
    for (String lease : List.of("setup-1", "setup-1", "setup-2")) {
      assertThat(run(lease, command, code.folder())).isEmpty();
    }

    for (String lease : List.of("setup-1", "setup-2")) {
      assertThat(folder.resolve("logs/" + lease + ".log")).hasContent("torch\n***\n");
      assertThat(product(lease)).hasContent("built");
    }
  }

  @Test
  void failureHasExitCodeAndLastLines() {
    Optional<String> problem = run("setup-1", "echo no $KEY; exit 4; echo after", folder);

    assertThat(problem).hasValue("exit 4; last lines:\nno ***");
    assertThat(run("setup-1", "echo no $KEY; exit 4; echo after", folder)).isEqualTo(problem);
    assertThat(run("setup-1", "true", Path.of("/absent")).orElseThrow()).contains("/absent");
  }

  @Test
  void setupThatFailsOnceIsRepeated() {
    String command = "echo try; [ -e tried ] || { touch tried; exit 4; }";

    assertThat(run("setup-1", command, folder)).isEmpty();
    assertThat(folder.resolve("logs/setup-1.log")).hasContent("try\ntry\n");
  }

  /** The lock of the package lists, for which apt does not wait. */
  @Test
  void setupWaitsForLockOfPackageManager() throws IOException {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path apt = Files.writeString(bin.resolve("apt-get"), APT_GET);
    Files.setPosixFilePermissions(apt, PosixFilePermissions.fromString("rwx------"));
    LeaseSetup patient =
        new LeaseSetup(
            link,
            ForkJoinPool.commonPool(),
            new LeaseCode(link, Runnable::run),
            Collections.nCopies(4, Duration.ofMillis(20)));
    String command = "PATH=" + bin + ":$PATH; apt-get update; echo installed";

    assertThat(patient.run("setup-1", setup("setup-1", command, folder)).join()).isEmpty();
    assertThat(Files.readAllLines(folder.resolve("logs/setup-1.log")))
        .hasSize(10)
        .endsWith("installed");

    Files.writeString(folder.resolve("locked"), "xxxxxxxxx");
    PreparationFailure failure =
        patient.run("setup-2", setup("setup-2", command, folder)).join().orElseThrow();
    assertThat(failure.message()).contains("exit 100", "Could not get lock /var/lib/apt/lists");
    assertThat(folder.resolve("locked")).as("five calls").hasContent("xxxx");
  }

  @Test
  void bridgeThatEndsMeanwhileChangesNothing() throws IOException {
    Path begun = folder.resolve("begun");
    var problem =
        setup.run(
            "setup-1",
            setup("setup-1", "echo x >> begun; until [ -e go ]; do sleep 0.05; done", folder));
    while (!Files.exists(begun)) {
      Thread.onSpinWait();
    }
    link.onLoop(() -> CompletableFuture.completedFuture(link.bridgePid()))
        .join()
        .flatMap(ProcessHandle::of)
        .ifPresent(ProcessHandle::destroyForcibly);
    Files.createFile(folder.resolve("go"));

    assertThat(problem.join()).isEmpty();
  }

  private Optional<String> run(String lease, String command, Path workdir) {
    return setup.run(lease, setup(lease, command, workdir)).join().map(PreparationFailure::message);
  }

  private NodeSetup setup(String lease, String command, Path workdir) {
    return new NodeSetup(
        command,
        workdir.toString(),
        Map.of("KEY", SECRET),
        folder.resolve("logs/" + lease + ".log").toString(),
        SecretMask.of(List.of(SECRET)));
  }

  private Path product(String lease) throws IOException {
    try (var versions = Files.newDirectoryStream(folder.resolve("nodes/" + lease + "/code"))) {
      for (Path version : versions) {
        if (Files.isDirectory(version)) {
          return version.resolve("product");
        }
      }
    }
    throw new IllegalStateException("no code");
  }
}

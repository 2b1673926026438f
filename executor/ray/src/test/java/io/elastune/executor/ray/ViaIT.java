package io.elastune.executor.ray;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.elastune.core.properties.Tier;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineTestBase;
import io.elastune.executor.ray.link.BridgeSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests bridges that another command starts, as {@code via} in {@code clouds.yaml}, on this
 * machine.
 */
@EnabledOnOs(OS.LINUX)
@Execution(ExecutionMode.CONCURRENT)
class ViaIT extends EngineTestBase {
  private static final Path SSHD = Path.of("/usr/sbin/sshd");

  private int epoch;

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws IOException {
    return open(List.of(), consumer);
  }

  private Engine open(List<String> via, Consumer<EngineEvent> consumer) throws IOException {
    BridgeSettings plain = RayTrials.loopback(folder, ++epoch, run);
    List<String> command = new ArrayList<>(via);
    command.add("python3");
    return RayTrials.open(
        folder,
        new BridgeSettings(
            command,
            plain.address(),
            plain.root(),
            plain.run(),
            plain.epoch(),
            plain.log(),
            plain.environment(),
            plain.patience()),
        consumer);
  }

  @Override
  protected void advance(Duration time) {
    RayTrials.sleep(time);
  }

  @Override
  protected boolean isRunning(String attempt) {
    return RayTrials.processes(run, attempt).isAlive();
  }

  private Path script(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private void runsATrial(List<String> via) throws IOException {
    engine.close();
    engine = open(via, events);
    engine.start(spec(ATTEMPT, 0, 2, lib("train"), 1));

    assertThat(awaitEnd(ATTEMPT).checkpoint()).as(log()).hasValue(2);
    assertThat(events.reports(ATTEMPT)).hasSize(2);
  }

  private String log() throws IOException {
    Path log = folder.resolve("ray.log");
    return Files.exists(log) ? Files.readString(log) : "";
  }

  /** As {@code kubectl exec -i POD --}. */
  @Test
  void commandMayExecuteItsArguments() throws IOException {
    Path exec = script("exec", "#!/bin/sh\n[ \"$2\" = -- ] && shift 2 && exec \"$@\"\n");

    runsATrial(List.of("env", "-i", "PATH=" + System.getenv("PATH"), exec.toString(), "pod", "--"));
  }

  /** As {@code ssh HOST}, whatever the name of the command is. */
  @Test
  @Tag(Tier.NIGHTLY)
  void commandMayPassItsArgumentsToAShell() throws IOException {
    Path remote = script("remote", "#!/bin/sh\nshift\nexec sh -c \"$*\"\n");

    runsATrial(List.of(remote.toString(), "host"));
  }

  /** As on a node whose processors are busy: each start of a worker takes ten seconds. */
  @Test
  @Tag(Tier.NIGHTLY)
  void workersMayStartSlowly() throws Exception {
    Process python =
        new ProcessBuilder("python3", "-c", "import sys; print(sys.executable, end='')").start();
    String real = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String pause = "case \"$*\" in *shim.py*) sleep 10 ;; esac\n";
    Path slow =
        script("slow", "#!/usr/bin/env bash\n" + pause + "exec -a \"$0\" " + real + " \"$@\"\n");
    Path local = script("local", "#!/bin/sh\nshift\nexec " + slow + " \"$@\"\n");

    runsATrial(List.of(local.toString()));
    assertThat(events.of(ATTEMPT)).noneMatch(EngineEvent.Unreachable.class::isInstance);
  }

  /** The server is a child of the client, without a port. */
  @Test
  void connectsBySsh() throws Exception {
    assumeThat(SSHD).as("the server of ssh").isExecutable();
    boolean created = succeeds("mkdir", "/run/sshd"); // the server requires it
    try {
      runsATrialBySsh();
    } finally {
      if (created) {
        succeeds("rmdir", "/run/sshd");
      }
    }
  }

  private void runsATrialBySsh() throws Exception {
    for (String key : List.of("host", "user")) {
      succeeds("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder + "/" + key);
    }
    Path server =
        Files.writeString(
            folder.resolve("sshd_config"),
            String.join(
                "\n",
                "HostKey " + folder + "/host",
                "AuthorizedKeysFile " + folder + "/user.pub",
                "StrictModes no",
                "UsePAM no",
                "PidFile none",
                "SetEnv \"HOME=" + folder + "\"", // without the shell files of the user
                ""));
    Path client =
        Files.writeString(
            folder.resolve("ssh_config"),
            String.join(
                "\n",
                "Host node",
                "  ProxyCommand " + SSHD + " -i -f " + server,
                "  IdentityFile " + folder + "/user",
                "  IdentitiesOnly yes",
                "  BatchMode yes",
                "  StrictHostKeyChecking no",
                "  LogLevel ERROR",
                "  UserKnownHostsFile /dev/null",
                ""));
    assumeThat(succeeds("ssh", "-F", client.toString(), "node", "true"))
        .as("this user can log in to this machine by ssh")
        .isTrue();

    runsATrial(List.of("ssh", "-F", client.toString(), "node"));
  }

  private static boolean succeeds(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.getOutputStream().close();
    boolean ended = process.waitFor(20, TimeUnit.SECONDS);
    process.destroyForcibly();
    return ended && process.exitValue() == 0;
  }
}

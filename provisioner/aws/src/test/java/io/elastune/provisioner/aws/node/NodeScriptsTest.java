package io.elastune.provisioner.aws.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.remote.NodeReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs the scripts of a node. */
@DisabledOnOs(OS.WINDOWS)
class NodeScriptsTest {
  private final long now = InstantSource.system().instant().getEpochSecond();
  private static final long DAY = Duration.ofDays(1).toSeconds();
  private static final String SHUTDOWN = "shutdown -h now";

  @TempDir private Path folder;
  private Machine machine;

  @BeforeEach
  void start() throws IOException {
    machine = new Machine(folder);
  }

  @AfterEach
  void stop() {
    machine.close();
  }

  @Test
  void renewedNodeKeepsRunning() throws Exception {
    born(now - 3600, now - 1800);
    machine.expires(now + 1200);
    deadMan();
    assertThat(machine.called()).isEmpty();
  }

  @Test
  void expiredNodeShutsDown() throws Exception {
    born(now - 3600, now + 1200);
    machine.expires(now - 1);
    deadMan();
    assertThat(machine.called()).containsExactly(SHUTDOWN);
  }

  @Test
  void usesLastExpiryIfTagIsUnreadable() throws Exception {
    born(now - 3600, now - 1800);
    machine.expires(now + 100);
    deadMan();
    machine.tag("");
    deadMan();
    assertThat(machine.called()).isEmpty();

    machine.note("expires", now - 10);
    deadMan();
    assertThat(machine.called()).containsExactly(SHUTDOWN);
  }

  @Test
  void usesFirstBootExpiryIfTagWasNeverRead() throws Exception {
    born(now - 3600, now - 1);
    deadMan();
    assertThat(machine.called()).containsExactly(SHUTDOWN);
  }

  @Test
  void ignoresInvalidTag() throws Exception {
    born(now - 3600, now + 100);
    machine.tag("soon");
    deadMan();
    assertThat(machine.called()).isEmpty();
    machine.note("expires", now - 1);
    deadMan();
    assertThat(machine.called()).containsExactly(SHUTDOWN);
  }

  @Test
  void shutsDownAfterMaximumLifetime() throws Exception {
    born(now - DAY - 1, now + 1200);
    machine.expires(now + 10 * DAY);
    deadMan();
    assertThat(machine.called()).containsExactly(SHUTDOWN);
  }

  @Test
  void powersOffIfShutdownFails() throws Exception {
    machine.command("shutdown", "exit 1");
    born(now - 3600, now - 1);
    deadMan();
    assertThat(machine.called()).containsExactly(SHUTDOWN, "poweroff -f");
  }

  @Test
  void firstBootStartsTimerRunsSetupAndReports() throws Exception {
    String command = "echo \"it's $PWD\" > made; # a 'quoted' command";
    assertThat(boot(Optional.of(setup(command)))).isZero();

    assertThat(Console.report(machine.console())).contains(NodeReport.READY);
    assertThat(machine.called())
        .containsExactly(
            "systemctl daemon-reload", "systemctl enable --now elastune-dead-man.timer");
    assertThat(folder.resolve("work/made")).hasContent("it's " + folder.resolve("work"));
    assertThat(folder.resolve("etc/systemd/system/elastune-dead-man.service"))
        .content()
        .contains("ExecStart=" + machine.state().resolve("dead-man.sh"));
    assertThat(machine.state().resolve("dead-man.sh")).isExecutable();
  }

  @Test
  void installedDeadManScriptWorks() throws Exception {
    boot(Optional.empty());
    machine.expires(now - 1);
    machine.run(Files.readString(machine.state().resolve("dead-man.sh")));
    assertThat(machine.called()).endsWith(SHUTDOWN);
  }

  @Test
  void reportsFailedSetupWithOutput() throws Exception {
    boot(Optional.of(setup("echo no such wheel >&2; exit 3")));
    assertThat(Console.report(machine.console())).contains(new NodeReport(3, "no such wheel\n"));
  }

  @Test
  void shutsDownIfTimerCannotStart() throws Exception {
    machine.command("systemctl", "exit 1");
    boot(Optional.of(setup("touch made")));
    assertThat(machine.called()).endsWith(SHUTDOWN);
    assertThat(folder.resolve("work/made")).doesNotExist();
    assertThat(Console.report(machine.console())).contains(new NodeReport(1, ""));
  }

  @Test
  void nodeWithoutReportIsNotReady() {
    assertThat(Console.report("")).isEmpty();
    assertThat(Console.report("cloud-init: ELASTUNE-NODE ready, in a sentence")).isEmpty();
    assertThat(Console.report("[ 1.2] kernel\r\nELASTUNE-NODE ready\r\nlogin:"))
        .contains(NodeReport.READY);
  }

  @Test
  void scriptFitsIntoUserData() {
    String script = UserData.script(Optional.of(setup("x".repeat(6000))), now, Duration.ofDays(1));
    assertThat(script.getBytes(StandardCharsets.UTF_8).length).isLessThan(16 * 1024);
    assertThat(script).doesNotContain("@");
  }

  private NodeSetup setup(String command) {
    return new NodeSetup(command, folder.resolve("work").toString(), Map.of(), "");
  }

  private int boot(Optional<NodeSetup> setup) throws IOException, InterruptedException {
    return machine.run(UserData.script(setup, now + 1200, Duration.ofDays(1)));
  }

  private void born(long born, long expires) throws IOException {
    machine.note("born", born);
    machine.note("expires", expires);
    machine.note("longest", DAY);
  }

  private void deadMan() throws IOException, InterruptedException {
    machine.run(
        new String(
            UserData.class.getResourceAsStream("dead-man.sh").readAllBytes(),
            StandardCharsets.UTF_8));
  }
}

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
  private FakeNode fakeNode;

  @BeforeEach
  void start() throws IOException {
    fakeNode = new FakeNode(folder);
  }

  @AfterEach
  void stop() {
    fakeNode.close();
  }

  @Test
  void renewedNodeKeepsRunning() throws Exception {
    born(now - 3600, now - 1800);
    fakeNode.expires(now + 1200);
    deadMan();
    assertThat(fakeNode.recordedCalls()).isEmpty();
  }

  @Test
  void expiredNodeShutsDown() throws Exception {
    born(now - 3600, now + 1200);
    fakeNode.expires(now - 1);
    deadMan();
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN);
  }

  @Test
  void usesLastExpiryIfTagIsUnreadable() throws Exception {
    born(now - 3600, now - 1800);
    fakeNode.expires(now + 100);
    deadMan();
    fakeNode.tag("");
    deadMan();
    assertThat(fakeNode.recordedCalls()).isEmpty();

    fakeNode.writeMemory(now - 10);
    deadMan();
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN);
  }

  /** The expiry that was stored before the disk was full has passed. */
  @Test
  void renewedNodeKeepsRunningWithFullDisk() throws Exception {
    born(now - 3600, now - 1800);
    fakeNode.fillDisk("expires.new");
    fakeNode.expires(now + 1200);
    deadMan();
    fakeNode.tag("");
    deadMan();
    assertThat(fakeNode.recordedCalls()).isEmpty();

    fakeNode.expires(now - 1);
    deadMan();
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN);
  }

  @Test
  void usesFirstBootExpiryIfTagWasNeverRead() throws Exception {
    born(now - 3600, now - 1);
    deadMan();
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN);
  }

  @Test
  void ignoresInvalidTag() throws Exception {
    born(now - 3600, now + 100);
    fakeNode.tag("soon");
    deadMan();
    assertThat(fakeNode.recordedCalls()).isEmpty();
    fakeNode.writeState("expires", now - 1);
    deadMan();
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN);
  }

  @Test
  void shutsDownAfterMaximumLifetime() throws Exception {
    born(now - DAY - 1, now + 1200);
    fakeNode.expires(now + 10 * DAY);
    deadMan();
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN);
  }

  @Test
  void powersOffIfShutdownFails() throws Exception {
    fakeNode.command("shutdown", "exit 1");
    born(now - 3600, now - 1);
    deadMan();
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN, "poweroff -f");
  }

  @Test
  void firstBootStartsTimerRunsSetupAndReports() throws Exception {
    String command = "echo \"it's $PWD\" > made; # a 'quoted' command";
    assertThat(boot(Optional.of(setup(command)))).isZero();

    assertThat(ConsoleReport.report(fakeNode.console())).contains(NodeReport.READY);
    assertThat(fakeNode.recordedCalls())
        .containsExactly(
            "systemctl daemon-reload", "systemctl enable --now elastune-dead-man.timer");
    assertThat(folder.resolve("work/made")).hasContent("it's " + folder.resolve("work"));
    assertThat(folder.resolve("etc/systemd/system/elastune-dead-man.service"))
        .content()
        .contains("ExecStart=" + fakeNode.state().resolve("dead-man.sh"));
    assertThat(fakeNode.state().resolve("dead-man.sh")).isExecutable();
  }

  @Test
  void installedDeadManScriptWorks() throws Exception {
    boot(Optional.empty());
    fakeNode.expires(now - 1);
    fakeNode.run(Files.readString(fakeNode.state().resolve("dead-man.sh")));
    assertThat(fakeNode.recordedCalls()).endsWith(SHUTDOWN);
  }

  @Test
  void reportsFailedSetupWithOutput() throws Exception {
    boot(Optional.of(setup("echo no such wheel >&2; exit 3")));
    assertThat(ConsoleReport.report(fakeNode.console()))
        .contains(new NodeReport(3, "no such wheel\n"));
  }

  @Test
  void shutsDownIfTimerCannotStart() throws Exception {
    fakeNode.command("systemctl", "exit 1");
    boot(Optional.of(setup("touch made")));
    assertThat(fakeNode.recordedCalls()).endsWith(SHUTDOWN);
    assertThat(folder.resolve("work/made")).doesNotExist();
    assertThat(ConsoleReport.report(fakeNode.console())).contains(new NodeReport(1, ""));
  }

  @Test
  void nodeWithoutReportIsNotReady() {
    assertThat(ConsoleReport.report("")).isEmpty();
    assertThat(ConsoleReport.report("cloud-init: ELASTUNE-NODE ready, in a sentence")).isEmpty();
    assertThat(ConsoleReport.report("[ 1.2] kernel\r\nELASTUNE-NODE ready\r\nlogin:"))
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
    return fakeNode.run(UserData.script(setup, now + 1200, Duration.ofDays(1)));
  }

  private void born(long born, long expires) throws IOException {
    fakeNode.writeState("born", born);
    fakeNode.writeState("expires", expires);
    fakeNode.writeState("longest", DAY);
  }

  private void deadMan() throws IOException, InterruptedException {
    fakeNode.run(
        new String(
            UserData.class.getResourceAsStream("dead-man.sh").readAllBytes(),
            StandardCharsets.UTF_8));
  }
}

package io.elastune.provisioner.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.process.OwnedProcesses.Signal;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class OwnedProcessesTest {
  private final String mark = UUID.randomUUID().toString();
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void cleanUp() throws InterruptedException {
    for (Process process : started) {
      family(process.pid()).signal(Signal.KILL);
      process.waitFor();
    }
    untilGone();
  }

  @Test
  void detachedProcessLeadsItsOwnGroup() throws IOException {
    Process process = start("exec sleep 1000");

    assertThat(entry(ProcessTable.read(), process).group()).isEqualTo(process.pid());
  }

  @Test
  void psAgreesWithProc() throws IOException {
    Process process = start("exec sleep 1000");

    assertThat(entry(ProcessTable.fromPs(), process).group()).isEqualTo(process.pid());
  }

  @Test
  void findsMembersByGroupAndSignalsOnce() throws Exception {
    Process process =
        start("trap 'echo term' TERM; sleep 0.1 & echo ready; while true; do sleep 0.1; done");
    try (BufferedReader output = process.inputReader()) {
      assertThat(output.readLine()).isEqualTo("ready");
      family(process.pid()).signal(Signal.TERM);
      assertThat(output.readLine()).isEqualTo("term");
      Thread.sleep(300);
      family(process.pid()).signal(Signal.KILL);
      assertThat(output.readLine()).isNull();
    }
  }

  @Test
  void doesNotSignalChildrenOfHandlers() throws Exception {
    String handler = "sleep 0.5 && echo saved; exit";
    Process process =
        start("trap '" + handler + "' TERM; echo up; while true; do sleep 0.05; done");
    try (BufferedReader output = process.inputReader()) {
      assertThat(output.readLine()).isEqualTo("up");
      family(process.pid()).signal(Signal.TERM);
      assertThat(output.readLine()).isEqualTo("saved");
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void findsMembersByMarkerVariable() throws Exception {
    Process process = start("setsid sleep 1000 & exec sleep 1000");
    while (family().members().size() < 2) {
      Thread.sleep(10);
    }
    family().signal(Signal.KILL);
    process.waitFor();
    untilGone();
  }

  @Test
  void doesNotMatchPrefixOfMarkerValue() throws IOException {
    start("exec sleep 1000");

    assertThat(new OwnedProcesses("MARK", mark.substring(0, 8), Set.of()).isAlive()).isFalse();
  }

  @Test
  void endedProcessIsNoMember() throws Exception {
    Process process = start("true");
    process.waitFor();

    assertThat(family(process.pid()).isAlive()).isFalse();
    family(process.pid()).signal(Signal.TERM);
  }

  /** Waits until all processes are gone: SIGKILL takes a moment. */
  private void untilGone() throws InterruptedException {
    while (family().isAlive()) {
      Thread.sleep(10);
    }
  }

  private Process start(String command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(HostTools.detached(List.of("sh", "-c", command)));
    builder.environment().put("MARK", mark);
    Process process = builder.start();
    started.add(process);
    // Until setsid has run, the process is in this JVM's group.
    while (process.isAlive() && entry(ProcessTable.read(), process).group() != process.pid()) {
      Thread.onSpinWait();
    }
    return process;
  }

  private static ProcessTable.Entry entry(List<ProcessTable.Entry> entries, Process process) {
    return entries.stream()
        .filter(entry -> entry.pid() == process.pid())
        .findFirst()
        .orElse(new ProcessTable.Entry(process.pid(), -1, -1));
  }

  private OwnedProcesses family(Long... leaders) {
    return new OwnedProcesses("MARK", mark, Set.of(leaders));
  }
}

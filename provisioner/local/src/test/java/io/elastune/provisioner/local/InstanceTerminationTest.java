package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.process.HostTools;
import io.elastune.provisioner.process.OwnedProcesses;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InstanceTerminationTest {
  private final EventLoop loop = new EventLoop("test");
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void close() {
    loop.close();
    started.forEach(Process::destroyForcibly);
  }

  /** A process may start another one at the moment at which it is killed. */
  @Test
  void processThatAppearsAfterTheKillIsKilledToo() throws Exception {
    Process first = start();
    Process late = start();
    CountDownLatch done = new CountDownLatch(1);

    InstanceTermination.await(
        loop, () -> first.isAlive() ? only(first) : only(late), Duration.ZERO, done::countDown);

    assertThat(done.await(20, TimeUnit.SECONDS)).as("ended").isTrue();
    assertThat(late.isAlive()).isFalse();
  }

  private Process start() throws IOException {
    Process process =
        new ProcessBuilder(HostTools.detached(List.of("sh", "-c", "exec sleep 1000"))).start();
    started.add(process);
    return process;
  }

  private static OwnedProcesses only(Process process) {
    return new OwnedProcesses("ELASTUNE_NONE", "none", Set.of(process.pid()));
  }
}

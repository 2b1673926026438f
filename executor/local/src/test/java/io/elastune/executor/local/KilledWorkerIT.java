package io.elastune.executor.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.elastune.executor.decision.model.FailureCause;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.process.EventLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the reported reason when a real worker is killed by the kernel or by another process. */
class KilledWorkerIT extends LocalEngineTestBase {
  private static final String OUT_OF_MEMORY =
      "killed by SIGKILL, out of memory (the kernel's counter rose)";
  private static final String UNKNOWN = "killed by SIGKILL (exit 137), perhaps out of memory";
  private static final long LIMIT_BYTES = 64 << 20;

  private Optional<Path> group = Optional.empty();

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws IOException {
    Files.writeString(counter(), "low 0\noom 0\noom_kill 4\n");
    return open(consumer, counter());
  }

  @AfterEach
  void removeGroup() throws IOException {
    if (group.isPresent()) {
      Files.deleteIfExists(group.get());
    }
  }

  @Test
  void killByAnotherProcessIsNotReportedAsOutOfMemory() {
    engine.start(spec(ATTEMPT, 0, 1, "echo hello; kill -9 $$", 1));

    String message = awaitEnd(ATTEMPT).message();
    assertThat(withoutPeak(message)).isEqualTo(UNKNOWN + "; last lines:\nhello");
  }

  @Test
  void risenCounterIsReportedOnce() {
    String kernel = "echo 'oom_kill 5' > " + counter() + "; kill -9 $$";
    engine.start(spec("1-1-1", 0, 1, "while [ ! -e go ]; do sleep 0.1; done; kill -9 $$", 1));
    engine.start(spec("2-1-1", 0, 1, kernel, 1));
    assertThat(withoutPeak(awaitEnd("2-1-1").message())).isEqualTo(OUT_OF_MEMORY);
    engine.start(spec("3-1-1", 0, 1, "touch go", 1));

    assertThat(withoutPeak(awaitEnd("1-1-1").message())).isEqualTo(UNKNOWN);
  }

  @Test
  void ordinaryFailureIsReportedByItsExitCode() {
    engine.start(spec(ATTEMPT, 0, 1, "echo 'oom_kill 9' > " + counter() + "; exit 3", 1));

    assertThat(awaitEnd(ATTEMPT).message()).isEqualTo("exit 3");
  }

  @Test
  void workerKilledByTheKernelIsReportedAsOutOfMemory() throws Exception {
    Path limited = limitedGroup();
    engine.close();
    engine = open(events, limited.resolve("memory.oom_control"), limited.resolve("memory.events"));
    String use = "x=$(head -c 200000000 /dev/zero | tr '\\000' x); echo ${#x}";
    engine.start(spec(ATTEMPT, 0, 1, "echo $$ > " + limited + "/cgroup.procs\n" + use, 1));

    String message = awaitEnd(ATTEMPT).message();
    assertThat(message).startsWith(OUT_OF_MEMORY);
    assertThat(FailureCause.of(message).exhaustsMemory()).as(message).isTrue();
  }

  /** A program that names no amount itself gets the measured one. */
  @Test
  void peakMemoryOfFailureIsMeasured() {
    String hold =
        "x=$(head -c 30000000 /dev/zero | tr '\\000' x); sleep 1.5; echo MemoryError; exit 1";
    engine.start(spec(ATTEMPT, 0, 1, hold, 1));

    String message = awaitEnd(ATTEMPT).message();
    assertThat(message)
        .matches("exit 1; peak memory 0\\.\\d\\d GB of [0-9.]+ GB; last lines:\nMemoryError");
    assertThat(message).doesNotContain("peak memory 0.00 GB");
  }

  private static String withoutPeak(String message) {
    return message.replaceFirst("; peak memory [0-9.]+ GB of [0-9.]+ GB", "");
  }

  private Path counter() {
    return folder.resolve("oom");
  }

  private Engine open(Consumer<EngineEvent> consumer, Path... counters) {
    return new LocalEngine(
        folder,
        InstantSource.system(),
        consumer,
        LocalEngineTimeouts.DEFAULT,
        new OomKillCounter(List.of(counters)),
        EventLoop.Faults.NONE);
  }

  /** Creates a control group with little memory, which requires root and its controller. */
  private Path limitedGroup() {
    String name = "elastune-test-" + ProcessHandle.current().pid();
    for (String root : List.of("/sys/fs/cgroup/memory", "/sys/fs/cgroup")) {
      Path made = Path.of(root, name);
      try {
        Files.createDirectory(made);
        group = Optional.of(made);
        Path limit =
            Stream.of("memory.limit_in_bytes", "memory.max")
                .map(made::resolve)
                .filter(Files::isWritable)
                .findFirst()
                .orElseThrow(() -> new IOException("no memory controller"));
        Files.writeString(limit, Long.toString(LIMIT_BYTES));
        return made;
      } catch (IOException e) {
        assumeThat(root).as("a control group can be created: %s", e).isNotEqualTo("/sys/fs/cgroup");
      }
    }
    throw new IllegalStateException("unreachable");
  }
}

package io.elastune.provisioner.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryLimitsTest {
  private static final long MACHINE = 16_000_000L * 1024;

  @TempDir Path folder;

  @BeforeEach
  void hasSixteenMillionKilobytes() throws IOException {
    write("proc/meminfo", "MemTotal:       16000000 kB\nMemFree: 1 kB\n");
  }

  @Test
  void machineIsTheLimitWithoutControlGroups() {
    assertThat(bytes(MemoryLimits.SELF)).isEqualTo(MACHINE);
    assertThat(new MemoryLimits(folder.resolve("none"), folder).bytes(List.of("self"))).isEmpty();
  }

  @Test
  void groupsAroundThatOfTheProcessLimitItToo() throws IOException {
    write("proc/self/cgroup", "0::/user.slice/job.scope\n");
    write("groups/user.slice/job.scope/memory.max", "max\n");
    write("groups/user.slice/memory.max", "5000000000\n");

    assertThat(bytes(MemoryLimits.SELF)).isEqualTo(5_000_000_000L);

    write("groups/user.slice/job.scope/memory.max", "4000000000\n");
    assertThat(bytes(MemoryLimits.SELF)).isEqualTo(4_000_000_000L);
  }

  @Test
  void groupsOfTheFirstVersionLimit() throws IOException {
    write("proc/self/cgroup", "9:cpuset:/\n4:memory:/job/part\n0::/\n");
    write("groups/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("groups/memory/job/memory.limit_in_bytes", "3000000000\n");
    write("groups/memory/job/part/memory.limit_in_bytes", "9223372036854771712\n");

    assertThat(bytes(MemoryLimits.SELF)).isEqualTo(3_000_000_000L);
  }

  /** The path is that of the host, and the group of the container is mounted at the root. */
  @Test
  void containerHasItsGroupAtTheRoot() throws IOException {
    write("proc/self/cgroup", "0::/../../docker/abc\n");
    write("groups/memory.max", "2000000000\n");

    assertThat(bytes(MemoryLimits.SELF)).isEqualTo(2_000_000_000L);
  }

  @Test
  void leastOfAllProcessesCounts() throws IOException {
    write("proc/self/cgroup", "0::/a\n");
    write("proc/77/cgroup", "0::/b\n");
    write("groups/a/memory.max", "2000000000\n");
    write("groups/b/memory.max", "1000000000\n");

    assertThat(bytes(MemoryLimits.SELF, "77")).isEqualTo(1_000_000_000L);
  }

  private long bytes(String... processes) {
    return new MemoryLimits(folder.resolve("proc"), folder.resolve("groups"))
        .bytes(List.of(processes))
        .orElseThrow();
  }

  private void write(String file, String text) throws IOException {
    Files.createDirectories(folder.resolve(file).getParent());
    Files.writeString(folder.resolve(file), text);
  }
}

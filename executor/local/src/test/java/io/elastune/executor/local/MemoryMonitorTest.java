package io.elastune.executor.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.process.MemoryLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryMonitorTest {
  private static final Instant START = Instant.parse("2026-11-20T06:00:00Z");
  private static final long KILOBYTE = 1024;
  private static final long SHELL = 10;
  private static final long PROGRAM = 11;

  @TempDir Path proc;
  private MemoryMonitor monitor;

  @BeforeEach
  void startsProgram() throws IOException {
    monitor = new MemoryMonitor(proc, MemoryLimits.ofThisMachine());
    process(SHELL, 1_000, 100, 0, Long.toString(PROGRAM));
  }

  @Test
  void childrenCountAndPagesOfFilesDoNot() throws IOException {
    process(PROGRAM, 900_000, 300_000, 500_000, "");
    sample(0);
    sample(1);

    assertThat(monitor.peakBytes()).hasValue((900_000 - 500_000) * KILOBYTE);
  }

  /** The kernel's own peak of a process shows what lies between two samples. */
  @Test
  void peakBetweenSamplesCounts() throws IOException {
    process(PROGRAM, 10_000, 10_000, 0, "");
    sample(0);
    process(PROGRAM, 700_000, 20_000, 0, "");
    sample(1);

    assertThat(monitor.peakBytes()).hasValue(700_000 * KILOBYTE);
    assertThat(monitor.text()).as("it may have allocated more since").isEmpty();
    sample(2);
    assertThat(monitor.text()).startsWith("peak memory 0.72 GB of ");
  }

  /** Two loaders were forked from a program with 800 MB, and have 50 MB of their own. */
  @Test
  void sharedPagesCountOnce() throws IOException {
    process(PROGRAM, 800_000, 800_000, 0, "12 13");
    process(12, 850_000, 850_000, 0, "");
    process(13, 850_000, 850_000, 0, "");
    shared(SHELL, 100);
    shared(PROGRAM, 266_000);
    shared(12, 317_000);
    shared(13, 317_000);
    sample(0);
    sample(1);

    assertThat(monitor.peakBytes()).hasValue((100 + 266_000 + 317_000 + 317_000) * KILOBYTE);
  }

  @Test
  void oneSampleShowsNoPeak() throws IOException {
    assertThat(monitor.peakBytes()).isEmpty();
    process(PROGRAM, 10_000, 10_000, 0, "");
    sample(0);

    assertThat(monitor.peakBytes()).isEmpty();
    assertThat(monitor.text()).isEmpty();
  }

  @Test
  void systemWithoutProcessFilesHasNoPeak() {
    monitor.sample(List.of(99L), START);
    monitor.sample(List.of(99L), START.plusSeconds(1));

    assertThat(monitor.peakBytes()).isEmpty();
  }

  private void sample(int second) {
    monitor.sample(List.of(SHELL), START.plusSeconds(second));
  }

  private void process(long pid, long peak, long anonymous, long files, String children)
      throws IOException {
    Path folder = proc.resolve(Long.toString(pid));
    Path task = folder.resolve("task").resolve(Long.toString(pid));
    Files.createDirectories(task);
    Files.writeString(
        folder.resolve("status"),
        String.format(
            "VmHWM:\t%8d kB%nVmRSS:\t%8d kB%nRssAnon:\t%8d kB%nRssFile:\t%8d kB%nRssShmem:\t0 kB%n",
            peak, anonymous + files, anonymous, files));
    Files.writeString(task.resolve("children"), children);
  }

  private void shared(long pid, long kilobytes) throws IOException {
    Files.writeString(
        proc.resolve(Long.toString(pid)).resolve("smaps_rollup"),
        "Pss_Anon: " + kilobytes + " kB\nPss_File: 9999 kB\nPss_Shmem: 0 kB\n");
  }
}

package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.inspect.RunLoad;
import io.elastune.executor.journal.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherLoadTest {
  private static final int CORES = 2;

  @TempDir Path proc;

  /** In 1,000 ticks, 600 are busy, and 200 of them are those of this process. */
  @Test
  void timeOfThisProcessIsNotThatOfOthers() throws IOException {
    writes(1000, 100, 50, CORES);
    OtherLoad load = OtherLoad.start(proc, CORES);
    writes(1400, 700, 250, CORES);

    assertThat(load.cores().orElseThrow()).isCloseTo(0.8, within(1e-9));
  }

  @Test
  void loadIsUnknownIfThisProcessMayNotUseAllCores() throws IOException {
    writes(1000, 100, 50, 8);
    OtherLoad load = OtherLoad.start(proc, CORES);
    writes(1400, 700, 250, 8);

    assertThat(load.cores()).isEmpty();
    assertThat(OtherLoad.start(proc.resolve("none"), CORES).cores()).isEmpty();
  }

  /** Two trials on two cores, which are theirs but for 1.5 cores: 1.8 cores were expected. */
  @Test
  void runSaysWhenLoadBeginsAndEnds() {
    List<String> notes = new ArrayList<>();
    LoadMonitor monitor = new LoadMonitor(CORES, OptionalDouble.of(0.2), notes::add);
    monitor.observe(0.6, 10, 2);
    assertThat(notes).isEmpty();

    monitor.observe(1.5, 10, 2);
    RunLoad load = monitor.observe(1.9, 20, 2);
    assertThat(notes)
        .containsExactly(
            "other programs use 1.5 of the 2 cores of this machine, 0.2 while the program was"
                + " profiled: trials that keep their cores busy are about 3.6x slower than predicted, and the forecast changes"
                + " as they report");
    assertThat(load.mean()).isCloseTo((0.6 * 10 + 1.5 * 10 + 1.9 * 20) / 40, within(1e-12));
    assertThat(load.summary())
        .contains(
            "other programs used 1.5 of the 2 cores of this machine during the run, 0.2 while the"
                + " program was profiled: the prediction was for another load");

    monitor.observe(0.2, 10, 2);
    assertThat(notes).hasSize(2);
    assertThat(notes.get(1))
        .isEqualTo(
            "other programs use 0.2 of the 2 cores of this machine, 0.2 while the program was"
                + " profiled: trials are as fast as predicted again");
  }

  /** As all files of a run, it is for its owner only. */
  @Test
  void storedLoadIsReadByItsOwnerOnly() throws IOException {
    RunFolder folder = RunFolder.of(proc, "load-20261130-ab12");
    Files.createDirectories(folder.path());
    RunLoad load = RunLoad.of(CORES, 1.5, 1, OptionalDouble.of(0.2), 2);
    load.write(folder);

    assertThat(RunLoad.read(folder)).contains(load);
    try (Stream<Path> files = Files.list(folder.path())) {
      assertThat(files)
          .singleElement()
          .satisfies(
              file ->
                  assertThat(Files.getPosixFilePermissions(file))
                      .isEqualTo(PosixFilePermissions.fromString("rw-------")));
    }
  }

  /** A program that was profiled beside others runs alone. */
  @Test
  void runSaysThatLoadHasEnded() {
    List<String> notes = new ArrayList<>();
    RunLoad load = new LoadMonitor(CORES, OptionalDouble.of(1.5), notes::add).observe(0.1, 10, 1);

    assertThat(load.trialsSlower().orElseThrow()).isCloseTo(0.5, within(1e-12));
    assertThat(notes)
        .containsExactly(
            "other programs use 0.1 of the 2 cores of this machine, 1.5 while the program was"
                + " profiled: trials that keep their cores busy are about 2.0x faster than predicted, and the forecast changes"
                + " as they report");
  }

  @Test
  void nothingFollowsForTrialsThatDoNotRun() {
    assertThat(RunLoad.of(CORES, 1.5, 1.5, OptionalDouble.empty(), 0).trialsSlower()).isEmpty();
    assertThat(RunLoad.of(CORES, 0.1, 0.1, OptionalDouble.empty(), 2).summary()).isEmpty();
  }

  @Test
  void littleLoadIsNotStated() {
    assertThat(LoadMonitor.whileProfiled(OptionalDouble.of(0.1), CORES)).isEmpty();
    assertThat(LoadMonitor.whileProfiled(OptionalDouble.empty(), CORES)).isEmpty();
    assertThat(LoadMonitor.whileProfiled(OptionalDouble.of(1.3), CORES).orElseThrow())
        .contains("other programs used 1.3 of the 2 cores");
  }

  private void writes(long idle, long busy, long own, int cpus) throws IOException {
    StringBuilder text = new StringBuilder("cpu  " + busy + " 0 0 " + idle + " 0 0 0 0 0 0\n");
    for (int cpu = 0; cpu < cpus; cpu++) {
      text.append("cpu").append(cpu).append(" 0 0 0 0 0 0 0 0 0 0\n");
    }
    Files.writeString(proc.resolve("stat"), text + "intr 1\n");
    Path self = proc.resolve(Long.toString(ProcessHandle.current().pid()));
    Files.createDirectories(self);
    Files.writeString(
        self.resolve("stat"), "1 (a (b) c) S 1 1 1 0 -1 0 0 0 0 0 " + own + " 0 0 0 20 0 1\n");
  }
}

package io.elastune.executor.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.files.DiskSpace;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudImpairment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskMonitorTest {
  private static final Instant BEGIN = Instant.parse("2026-11-29T12:00:00Z");
  private static final Path FOLDER = Path.of("/data/runs/r-1");

  private OptionalLong free = OptionalLong.of(DiskMonitor.LEAST_FREE);
  private final DiskMonitor monitor = new DiskMonitor(FOLDER, () -> free);

  private Optional<CloudEvent> check(int second) {
    return monitor.check(BEGIN.plusSeconds(second));
  }

  @Test
  void lackOfSpaceIsReportedOnceUntilItEnds() {
    assertThat(check(0)).isEmpty();
    free = OptionalLong.of(1_260_000_000L);
    assertThat(check(29)).as("every 30 s").isEmpty();
    Instant low = BEGIN.plusSeconds(30);
    assertThat(check(30))
        .contains(
            new CloudEvent.HealthChanged(
                "controller",
                CloudImpairment.DISK_LOW,
                true,
                "1.3 GB are free on the disk with /data/runs/r-1",
                low,
                low));
    assertThat(check(60)).isEmpty();
    free = OptionalLong.of(DiskMonitor.LEAST_FREE);
    assertThat(check(90)).as("a little more is not enough").isEmpty();
    free = OptionalLong.empty();
    assertThat(check(120)).as("unknown").isEmpty();
    free = OptionalLong.of(DiskMonitor.ENOUGH_FREE);
    Instant end = BEGIN.plusSeconds(150);
    assertThat(check(150))
        .contains(
            new CloudEvent.HealthChanged(
                "controller", CloudImpairment.DISK_LOW, false, "", end, end));
  }

  @Test
  void littleSpaceIsStatedInMegabytes() {
    free = OptionalLong.of(6_600_000L);

    assertThat(check(0).orElseThrow().toString())
        .contains("6 MB are free on the disk with /data/runs/r-1");
  }

  @Test
  void freeSpaceOfMissingFolderIsThatOfItsParent(@TempDir Path existing) {
    assertThat(DiskSpace.free(existing.resolve("a/b")).getAsLong()).isPositive();
  }
}

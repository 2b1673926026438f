package io.elastune.core.buildreport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The processor time of this JVM and of what it starts. */
class ProcessorTimeTest {
  private static final String COUNT = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";

  @Test
  void containsThatOfProcesses() throws IOException, InterruptedException {
    assumeTrue(Files.isDirectory(Path.of("/proc/self")), "only Linux states it");
    ProcessorTime time = new ProcessorTime();
    Duration before = time.total();

    assertThat(new ProcessBuilder("sh", "-c", COUNT).start().waitFor()).isZero();
    Duration after = time.total();

    // Counting needs at least 100 ns for each step, whatever the machine.
    assertThat(after.minus(before)).isGreaterThan(Duration.ofMillis(30));
  }
}

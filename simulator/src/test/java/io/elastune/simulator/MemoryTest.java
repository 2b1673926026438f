package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks that 100,000 trials can be simulated in 2 GiB, in a separate JVM with that limit. */
class MemoryTest {
  private static final int TRIALS = 100_000;
  private static final int SAMPLES = 100;

  @Test
  void simulates100000TrialsIn2GiB() throws IOException, InterruptedException {
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx2g",
                "-cp",
                System.getProperty("java.class.path"),
                MemoryTest.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(java.waitFor()).as(said).isZero();
    assertThat(said.strip()).isEqualTo(SAMPLES + " samples of " + TRIALS + " trials");
  }

  /** Runs in the separate JVM. */
  public static void main(String[] ignored) {
    long most = Runtime.getRuntime().maxMemory();
    if (most > 2L << 30) {
      throw new IllegalStateException("the cap is not on: " + most);
    }
    Problem problem =
        WorkedExample.problem(
            List.of(
                new Chain(
                    "",
                    List.of(new TrialGroup("1", TRIALS, 0, 1), new TrialGroup("2", 100, 1, 2)))),
            List.of(WorkedExample.offer(0.4)),
            WorkedExample.profile(0.05, 0.1));
    Plan plan = WorkedExample.plan("64×1 8×1", false);
    // On two threads, and for a second plan.
    Simulator simulator = new Simulator(problem, SAMPLES, 2);
    Estimate estimate = simulator.simulate(plan);
    if (!simulator.simulate(plan).equals(estimate)) {
      throw new IllegalStateException("another estimate for the same plan");
    }
    System.out.println(estimate.samples() + " samples of " + TRIALS + " trials");
  }
}

package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.properties.Tier;
import io.elastune.simulator.draw.SampleBlocks;
import io.elastune.simulator.sample.JointSamples;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks that results are bit-identical for any number of threads. */
class ThreadsTest {
  private static final int JOBS = Tier.runs(15, 60);
  private static final int[] THREADS = {2, 3, 8};

  /** Several blocks; the last one is partial. */
  private static final int SAMPLES = 700;

  @Test
  void resultDoesNotDependOnThreads() {
    for (long seed = 0; seed < JOBS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, true);
      Problem problem = jobs.problem();
      Plan plan = jobs.plan(problem);
      String name = "seed " + seed + ", plan " + plan;
      Simulator one = new Simulator(problem, SAMPLES);
      Estimate estimate = one.simulate(plan);
      JointSamples jointSamples = one.sample(plan);
      for (int threads : THREADS) {
        Simulator many = new Simulator(problem, SAMPLES, threads);
        assertThat(many.simulate(plan)).as(name).isEqualTo(estimate);
        assertSame(name, many.sample(plan), jointSamples);
      }
    }
  }

  @Test
  void streamedDrawsDoNotDependOnThreads() {
    for (long seed = 0; seed < JOBS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, true);
      Problem problem = jobs.problem();
      Plan plan = jobs.plan(problem);
      JointSamples kept = new Simulator(problem, SAMPLES).sample(plan);
      for (int threads : new int[] {1, 2, 8}) {
        JointSamples streamed = new Simulator(problem, SAMPLES, threads, 0).sample(plan);
        assertSame("seed " + seed + ", plan " + plan, streamed, kept);
      }
    }
  }

  @Test
  void numberOfSamplesDoesNotDependOnThreads() {
    for (long seed = 0; seed < 8; seed++) {
      RandomProblems jobs = new RandomProblems(seed, true);
      Problem problem = jobs.problem();
      Plan plan = jobs.plan(problem);
      Estimate estimate = new Simulator(problem, 3_000).simulateUntilAccurate(plan);
      for (int threads : THREADS) {
        assertThat(new Simulator(problem, 3_000, threads).simulateUntilAccurate(plan))
            .as("seed " + seed + ", plan " + plan)
            .isEqualTo(estimate);
      }
    }
  }

  @Test
  void simulatorIsThreadSafe() {
    RandomProblems jobs = new RandomProblems(3, true);
    Problem problem = jobs.problem();
    List<Plan> plans = IntStream.range(0, 40).mapToObj(i -> jobs.plan(problem)).toList();
    List<Estimate> alone =
        plans.stream().map(plan -> new Simulator(problem, SAMPLES).simulate(plan)).toList();

    Simulator shared = new Simulator(problem, SAMPLES);
    ExecutorService pool = Executors.newFixedThreadPool(8);
    List<CompletableFuture<Estimate>> asked = new ArrayList<>();
    plans.forEach(
        plan -> asked.add(CompletableFuture.supplyAsync(() -> shared.simulate(plan), pool)));
    List<Estimate> together = asked.stream().map(CompletableFuture::join).toList();
    pool.shutdown();

    assertThat(together).isEqualTo(alone);
  }

  @Test
  void exceptionsInBlocksReachTheCaller() {
    for (int threads : new int[] {1, 4}) {
      List<Throwable> caught = new ArrayList<>();
      try {
        SampleBlocks.runBlocks(
            0,
            20,
            threads,
            () ->
                block -> {
                  if (block == 13) {
                    throw new IllegalStateException("thirteen");
                  }
                });
      } catch (RuntimeException failed) {
        caught.add(failed.getCause() == null ? failed : failed.getCause());
      }
      assertThat(caught).singleElement().asString().contains("thirteen");
    }
  }

  private static void assertSame(String name, JointSamples some, JointSamples others) {
    assertThat(some.completionS()).as(name).isEqualTo(others.completionS());
    assertThat(some.costUsd()).as(name).isEqualTo(others.costUsd());
  }
}

package io.elastune.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.search.PoolGroup;
import io.elastune.core.timeline.ReferencePool.Task;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SharedInstancesTest {
  private static final Offset<Double> EXACT = within(1e-9);
  private static final int CASES = 300;

  @Test
  void agreesWithTheReference() {
    for (int seed = 0; seed < CASES; seed++) {
      RandomPool random = new RandomPool(seed);
      ChainsRun search = ChainsRun.of(random.chains);
      Timeline timeline = random.timeline(search, false);
      ReferencePool reference = random.reference();

      assertThat(timeline.play()).as("seed %d", seed).isCloseTo(reference.run(), EXACT);
      assertThat(timeline.releasedS()).containsExactly(reference.releasedS, EXACT);
      for (int chain = 0; chain < random.chains.size(); chain++) {
        for (int group = 0; group < random.chains.get(chain).size(); group++) {
          assertThat(search.endS(chain, group))
              .isCloseTo(reference.endS.get(chain + "." + group), EXACT);
        }
      }
    }
  }

  @Test
  void countsTheWorkOfEachInstance() {
    for (int seed = 0; seed < CASES; seed++) {
      RandomPool random = new RandomPool(seed);
      Timeline timeline = random.timeline(ChainsRun.of(random.chains), false);
      ReferencePool reference = random.reference();
      var unused = timeline.play();
      reference.run();
      double[] busyS = new double[random.readyS.length];
      for (Task task : reference.tasks) {
        busyS[task.instance] += (task.endS - task.startS) * task.width / random.gpus;
      }

      for (int i = 0; i < busyS.length; i++) {
        Instance instance = timeline.instance(i);
        assertThat(instance.busyS()).as("seed %d", seed).isCloseTo(busyS[i], within(1e-6));
        assertThat(instance.usedS()).isGreaterThanOrEqualTo(instance.busyS() - 1e-9);
      }
    }
  }

  @Test
  void neverOvercommitsGpus() {
    for (int seed = 0; seed < CASES; seed++) {
      ReferencePool reference = new RandomPool(seed).reference();
      reference.run();
      for (Task one : reference.tasks) {
        assertThat(one.ended).isTrue();
        assertThat(one.endS).isLessThanOrEqualTo(reference.releasedS[one.instance] + 1e-9);
        for (Task other : reference.tasks) {
          boolean overlaps =
              one != other
                  && one.instance == other.instance
                  && one.startS < other.endS - 1e-9
                  && other.startS < one.endS - 1e-9;
          assertThat(overlaps && one.on.stream().anyMatch(other.on::contains)).isFalse();
        }
      }
    }
  }

  @Test
  void releasesNothingBeforeTheEndOfAStaticPlan() {
    RandomPool random = new RandomPool(1);
    Timeline timeline = random.timeline(ChainsRun.of(random.chains), true);
    double endS = timeline.play();

    assertThat(timeline.releasedS()).containsOnly(endS);
  }

  /** A narrow chain with a shorter path never delays a wide task for ever. */
  @Test
  void reservesAnInstanceForAWideTask() {
    List<List<PoolGroup>> chains =
        List.of(
            List.of(new PoolGroup(1, 1, 50), new PoolGroup(1, 4, 1_000)),
            List.of(new PoolGroup(40, 1, 40)));
    ChainsRun search = ChainsRun.of(chains);
    Timeline timeline =
        timeline(
            search,
            chains,
            4,
            false,
            new double[1],
            (chain, group, trial, instance) ->
                chain == 1 ? 40 + trial : chains.get(chain).get(group).taskS());
    var unused = timeline.play();

    // The four GPUs become free one by one at 50 s and from 40 s on; nothing else starts there.
    assertThat(search.endS(0, 1)).isLessThan(1_150);
  }

  private static Timeline timeline(
      ChainsRun search,
      List<List<PoolGroup>> chains,
      int gpus,
      boolean hold,
      double[] readyS,
      ReferencePool.Durations durations) {
    PoolSizes sizes = new PoolSizes(chains, search, readyS.length, gpus, hold);
    return new Timeline(
        search,
        new ListPolicy(search, sizes, gpus),
        (task, instance, starts) -> {
          double seconds =
              durations.seconds(task.queue(), task.group(), task.trial(), instance.number());
          task.lasts(0, seconds, seconds);
        },
        InstanceTimes.readyAt(readyS),
        gpus);
  }

  /** Random chains, instances and durations. */
  private static final class RandomPool {
    final int gpus;
    private final List<List<PoolGroup>> chains = new ArrayList<>();
    private final double[] readyS;
    private final Map<String, Double> seconds = new HashMap<>();
    private final Random random;

    RandomPool(int seed) {
      random = new Random(seed);
      gpus = 1 << random.nextInt(4);
      int count = 1 + random.nextInt(4);
      for (int chain = 0; chain < count; chain++) {
        List<PoolGroup> groups = new ArrayList<>();
        int trials = 1 + random.nextInt(12);
        int length = 1 + random.nextInt(4);
        for (int group = 0; group < length; group++) {
          groups.add(new PoolGroup(trials, 1 + random.nextInt(gpus), 10 * (1 + random.nextInt(9))));
          trials = Math.max(1, trials / 2);
        }
        chains.add(groups);
      }
      readyS = new double[1 + random.nextInt(6)];
      boolean equal = random.nextBoolean();
      for (int i = 0; i < readyS.length; i++) {
        readyS[i] = equal ? 75 : random.nextDouble() * 300;
      }
    }

    Timeline timeline(ChainsRun search, boolean hold) {
      return SharedInstancesTest.timeline(search, chains, gpus, hold, readyS, this::seconds);
    }

    ReferencePool reference() {
      return new ReferencePool(chains, gpus, readyS, this::seconds);
    }

    /** Some durations are equal, so that events coincide. */
    private double seconds(int chain, int group, int trial, int instance) {
      String key = chain + " " + group + " " + trial + " " + instance;
      double meanS = chains.get(chain).get(group).taskS();
      int number = key.hashCode();
      return seconds.computeIfAbsent(
          key, k -> number % 3 == 0 ? meanS : meanS * (0.5 + new Random(number).nextDouble()));
    }
  }
}

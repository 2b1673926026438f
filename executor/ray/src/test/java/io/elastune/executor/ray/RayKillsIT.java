package io.elastune.executor.ray;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.core.properties.Tier;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineTestBase;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.process.OwnedProcesses;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Kills random parts of a real Ray cluster, and the engine, while trials run. Takes about six
 * seconds per kill, and so runs only in the nightly tier and with {@code -Delastune.ray.kills=N};
 * {@code -Delastune.ray.seed} selects other times and processes.
 */
class RayKillsIT extends EngineTestBase {
  /** Four rounds of all parts. */
  private static final int KILLS = Tier.runs("elastune.ray.kills", 0, 28);

  /** On a busy machine, a node with a restarted head answers again within half of that. */
  private static final Duration LOST_AFTER = Duration.ofMinutes(1);

  private static final Duration LIMIT = Duration.ofMinutes(2);

  /**
   * Records that it begins and ends. The lock is shared with all processes that it starts, so that
   * a second attempt detects every remaining one.
   */
  private static final String TRAIN =
      lib(
          """
          trial=$(field trial) witness=${LIB%/*}/witness
          exec 9>>"$witness.$trial.lock"
          flock -n 9 || echo "$ELASTUNE_ATTEMPT overlaps" >>"$witness.overlaps"
          echo "begin $ELASTUNE_ATTEMPT $$ $(cut -d ' ' -f 1 /proc/uptime)" >>"$witness.$trial"
          u=$from
          while [ $u -lt $to ]; do
            u=$((u+1)); sleep 0.3; save $u; report $u
          done
          echo "end $ELASTUNE_ATTEMPT $$ $(cut -d ' ' -f 1 /proc/uptime)" >>"$witness.$trial"
          """);

  private static @Nullable RayCluster cluster;

  /** What is killed. */
  enum Part {
    BRIDGE,
    AGENT,
    RAYLET,
    HEAD,
    SHIM,
    NODE,
    CONTROLLER
  }

  private final KilledTrials trials =
      new KilledTrials((attempt, from, to) -> spec(attempt, from, to, TRAIN, 1));
  private final Map<Part, List<Double>> recoveries = new EnumMap<>(Part.class);
  private int epoch;
  private volatile int active;
  private int nodes = 2;

  @AfterAll
  static void endCluster() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws Exception {
    assumeTrue(KILLS > 0, "kills parts of a cluster in the nightly tier");
    if (cluster == null) {
      Optional<String> python = RayCluster.python();
      assumeTrue(
          python.isPresent(), "skipped: neither ELASTUNE_RAY_PYTHON nor python3 can import ray");
      cluster = RayCluster.start(python.orElseThrow(), List.of(run + "-1", run + "-2"));
      cluster.supervise();
    }
    int number = ++epoch;
    active = number;
    return RayTrials.open(
        folder,
        cluster.bridge(folder.resolve("ray.log"), run, number),
        Duration.ofMinutes(2),
        LOST_AFTER,
        event -> {
          if (number == active) { // a killed controller records nothing
            trials.accept(event);
          }
        });
  }

  @Override
  protected void advance(Duration time) {
    RayTrials.sleep(time);
  }

  @Override
  protected boolean isRunning(String attempt) {
    return RayTrials.processes(run, attempt).isAlive();
  }

  @Test
  void randomKillsLoseNothing() throws Exception {
    long seed = Long.getLong("elastune.ray.seed", 1);
    Random random = new Random(seed);
    trials.start(() -> engine, List.of(run + "-1", run + "-1", run + "-2", run + "-2"));
    awaitProgress("the start");
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < KILLS; i++) {
      Part part = next(parts, random);
      RayTrials.sleep(Duration.ofMillis(random.nextInt(2500)));
      kill(part, random);
    }
    trials.finish();
    awaitTrials("the trials end", trials::haveEnded);
    assertThat(trials.violations()).as("seed %s: %s", seed, trials.history()).isEmpty();
    assertThat(folder.resolve("witness.overlaps")).doesNotExist();
    checkNothingIsLeft();
    print(seed);
  }

  /** Each part is killed once before the next round. */
  private static Part next(List<Part> left, Random random) {
    if (left.isEmpty()) {
      left.addAll(List.of(Part.values()));
    }
    return left.remove(random.nextInt(left.size()));
  }

  private void kill(Part part, Random random) throws Exception {
    trials.kill(part);
    switch (part) {
      case BRIDGE ->
          ((RayEngine) engine)
              .bridgePid()
              .flatMap(ProcessHandle::of)
              .ifPresent(ProcessHandle::destroyForcibly);
      case AGENT -> killOne(cluster.agentProcesses(), random);
      case RAYLET -> killOne(cluster.raylets(), random);
      case HEAD -> {
        cluster.kill(cluster.head());
        cluster.startHead();
      }
      case SHIM -> {
        List<ProcessHandle> shims = new ArrayList<>();
        trials.leases().forEach(lease -> shims.addAll(cluster.shims(lease)));
        killOne(shims, random);
      }
      case NODE -> replaceNode(random);
      case CONTROLLER -> {
        RayEngine killed = (RayEngine) engine;
        active = 0;
        killed.bridgePid().flatMap(ProcessHandle::of).ifPresent(ProcessHandle::destroyForcibly);
        killed.leave();
        engine = open(events);
        trials.adopt();
      }
    }
    if (part.compareTo(Part.RAYLET) >= 0 || random.nextBoolean()) {
      long start = System.nanoTime();
      awaitProgress("the kill of " + part);
      double seconds = (System.nanoTime() - start) / 1e9;
      recoveries.computeIfAbsent(part, x -> new ArrayList<>()).add(seconds);
    }
  }

  private static void killOne(List<ProcessHandle> processes, Random random) {
    if (!processes.isEmpty()) {
      processes.get(random.nextInt(processes.size())).destroyForcibly();
    }
  }

  /** In every second case, the cloud reports the loss; otherwise the engine detects it. */
  private void replaceNode(Random random) throws Exception {
    List<String> leases = List.copyOf(trials.leases());
    String lost = leases.get(random.nextInt(leases.size()));
    String next = run + "-" + ++nodes;
    trials.mayFail(lost);
    cluster.replace(cluster.node(lost), next);
    trials.replace(lost, next, random.nextBoolean());
  }

  /** Waits until each trial has reported something new. */
  private void awaitProgress(String cause) {
    trials.expectProgress();
    awaitTrials("all trials continue after " + cause, trials::haveProgressed);
  }

  private void awaitTrials(String purpose, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime())
          .as("%s: %s%n%s", purpose, trials, trials.history())
          .isLessThan(end);
      RayTrials.sleep(Duration.ofMillis(50));
    }
  }

  private void checkNothingIsLeft() throws Exception {
    for (String lease : trials.leases()) {
      ((RayEngine) engine).request(Request.of("detach", lease)).join();
    }
    assertThat(new OwnedProcesses("ELASTUNE_RUN", run, Set.of()).isAlive()).isFalse();
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!cluster.agentProcesses().isEmpty() && System.nanoTime() < end) {
      RayTrials.sleep(Duration.ofMillis(100));
    }
    assertThat(cluster.agentProcesses()).isEmpty();
    byte[] agents =
        ((RayEngine) engine)
            .request(Request.of("agents", trials.leases().iterator().next()))
            .join()
            .bytes();
    assertThat(agents).asString().isEqualTo("[]");
    try (Stream<Path> left = Files.walk(cluster.agents())) {
      assertThat(left).as(trials.history()).containsExactly(cluster.agents());
    }
  }

  private void print(long seed) {
    StringBuilder text = new StringBuilder("Kills with seed " + seed + ": " + trials.summary());
    recoveries.forEach(
        (part, seconds) ->
            text.append(
                "%n%s: %d recoveries, mean %.1f s, maximum %.1f s"
                    .formatted(
                        part,
                        seconds.size(),
                        seconds.stream().mapToDouble(s -> s).average().orElse(0),
                        seconds.stream().mapToDouble(s -> s).max().orElse(0))));
    System.out.println(text);
  }
}

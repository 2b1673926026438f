package io.elastune.executor.ray;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineEvent.Reported;
import io.elastune.executor.engine.EngineTestBase;
import io.elastune.executor.ray.link.RayConnection;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Suspends the engine for longer than its nodes may be silent, as SIGSTOP and SIGCONT do. */
@EnabledOnOs(OS.LINUX)
@Execution(ExecutionMode.CONCURRENT)
class SuspendedControllerIT extends EngineTestBase {
  private static final Duration TIME_TO_LIVE = Duration.ofSeconds(30);
  private static final Duration LOST_AFTER = Duration.ofSeconds(6);
  private static final Duration SUSPENSION = Duration.ofSeconds(13);
  private static final int UNITS = 70;

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws IOException {
    return RayTrials.open(
        folder, RayTrials.loopback(folder, 1, run), TIME_TO_LIVE, LOST_AFTER, consumer);
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
  void suspendedEngineLosesNeitherTrialNorReport() throws IOException {
    String slow =
        lib("u=0; while [ $u -lt $to ]; do u=$((u+1)); sleep 0.3; report $u; done; save $to");
    engine.start(spec(ATTEMPT, 0, UNITS, slow, 1));
    waitUntil(() -> events.reports(ATTEMPT).size() >= 3);
    RayConnection connection =
        RayConnection.open(RayTrials.loopback(folder, 1, run), InstantSource.system());
    CountDownLatch suspended = new CountDownLatch(1);
    connection.loop().execute(() -> await(suspended));
    RayTrials.sleep(SUSPENSION);
    suspended.countDown();
    connection.leave(RayTrials.IGNORED);
    waitUntil(() -> events.reports(ATTEMPT).size() > UNITS / 2);
    waitUntil(() -> !events.ends(ATTEMPT).isEmpty());
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).as(ended.message()).isZero();
    assertThat(events.reports(ATTEMPT))
        .extracting(Reported::unit)
        .isEqualTo(IntStream.rangeClosed(1, UNITS).boxed().toList());
    assertThat(events.of(ATTEMPT)).noneMatch(EngineEvent.Unreachable.class::isInstance);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

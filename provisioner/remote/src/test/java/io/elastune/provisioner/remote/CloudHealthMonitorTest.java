package io.elastune.provisioner.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudEvent.HealthChanged;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.CloudImpairment;
import io.elastune.provisioner.process.EventLoop;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CloudHealthMonitorTest {
  private static final Duration STEP = Duration.ofSeconds(5);
  private static final CloudFailure NO_ANSWER = new CloudFailure.UnknownOutcome("timeout");

  private final EventLoop loop = new EventLoop("test");
  private final AsyncCaller asyncCaller = new AsyncCaller(loop);
  private final List<HealthChanged> events = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-29T12:00:00Z");
  private volatile Optional<ExpiringLogin> login = Optional.empty();
  private final CloudHealthMonitor monitor =
      new CloudHealthMonitor(
          "aws/r",
          api(),
          asyncCaller,
          () -> now,
          new PollingIntervals(
              STEP, STEP, STEP, STEP, STEP, STEP, STEP, STEP, STEP, STEP, STEP, 10, 10),
          event -> events.add((HealthChanged) event));

  private InstanceApi api() {
    return (InstanceApi)
        Proxy.newProxyInstance(
            InstanceApi.class.getClassLoader(),
            new Class<?>[] {InstanceApi.class},
            (proxy, method, arguments) -> login);
  }

  @AfterEach
  void close() {
    asyncCaller.close();
    loop.close();
  }

  /** Polls at a time, after the query that this time makes due. */
  private void poll(Duration passed) throws Exception {
    now = now.plus(passed);
    onLoop(() -> monitor.poll(List.of()));
    awaitCalls();
    onLoop(() -> monitor.poll(List.of()));
  }

  /** Waits until all threads are free at the same time, and thus all earlier calls answered. */
  private void awaitCalls() throws Exception {
    CyclicBarrier free = new CyclicBarrier(AsyncCaller.THREADS);
    CountDownLatch answered = new CountDownLatch(AsyncCaller.THREADS);
    for (int i = 0; i < AsyncCaller.THREADS; i++) {
      asyncCaller.call(() -> arrive(free), some -> answered.countDown(), failure -> {});
    }
    assertThat(answered.await(1, TimeUnit.MINUTES)).isTrue();
  }

  private static int arrive(CyclicBarrier free) {
    try {
      return free.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  private void onLoop(Runnable task) throws Exception {
    CompletableFuture.runAsync(task, loop).get(1, TimeUnit.MINUTES);
  }

  @Test
  void aLoginIsReportedAnHourBeforeItsEndAndOnceItIsRenewed() throws Exception {
    Instant end = now.plus(Duration.ofMinutes(100));
    login = Optional.of(new ExpiringLogin(end, "log in again"));
    poll(Duration.ofMinutes(1));
    assertThat(events).isEmpty();
    poll(Duration.ofMinutes(59));
    assertThat(events)
        .containsExactly(
            new HealthChanged(
                "aws/r", CloudImpairment.LOGIN_EXPIRING, true, "log in again", end, now));

    login = Optional.of(new ExpiringLogin(end.plus(Duration.ofHours(8)), "log in again"));
    poll(Duration.ofMinutes(1));
    assertThat(events).hasSize(2);
    assertThat(events.get(1).present()).isFalse();
  }

  @Test
  void aCloudIsUnreachableAfterHalfAMinuteWithoutAnAnswer() throws Exception {
    monitor.failed(NO_ANSWER);
    poll(Duration.ofSeconds(20));
    monitor.failed(NO_ANSWER);
    monitor.failed(new CloudFailure.Invalid("unknown id")); // an answer
    poll(Duration.ofSeconds(20));
    assertThat(events).isEmpty();

    Instant since = now;
    monitor.failed(NO_ANSWER);
    poll(Duration.ofSeconds(31));
    assertThat(events)
        .containsExactly(
            new HealthChanged("aws/r", CloudImpairment.UNREACHABLE, true, "timeout", since, now));
    monitor.succeeded();
    poll(Duration.ZERO);
    assertThat(events.get(1).present()).isFalse();
  }

  @Test
  void throttlingIsReportedIfItContinuesAndAfterItsEnd() throws Exception {
    CloudFailure throttled = new CloudFailure.Throttled("RequestLimitExceeded");
    Instant since = now;
    monitor.failed(throttled);
    poll(Duration.ofSeconds(20));
    assertThat(events).isEmpty();
    monitor.failed(throttled);
    monitor.succeeded(); // another kind of call
    poll(Duration.ofSeconds(11));
    assertThat(events)
        .containsExactly(
            new HealthChanged(
                "aws/r", CloudImpairment.THROTTLED, true, "RequestLimitExceeded", since, now));
    poll(Duration.ofSeconds(20));
    assertThat(events.get(1).present()).isFalse();
  }

  @Test
  void launchesWaitForALoginThatWasAcceptedBeforeUntilNodesShutDown() {
    CloudFailure expired = new CloudFailure.Permission("expired", true);
    Duration deadMan = Duration.ofMinutes(15);
    monitor.failed(expired);
    assertThat(monitor.awaitsLogin(expired, deadMan)).isFalse();

    monitor.succeeded();
    monitor.failed(expired);
    assertThat(monitor.awaitsLogin(expired, deadMan)).isTrue();
    assertThat(monitor.awaitsLogin(new CloudFailure.Permission("denied"), deadMan)).isFalse();
    now = now.plus(deadMan);
    monitor.failed(expired);
    assertThat(monitor.awaitsLogin(expired, deadMan)).isFalse();
  }
}

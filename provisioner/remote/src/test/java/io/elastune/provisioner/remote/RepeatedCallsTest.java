package io.elastune.provisioner.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.process.EventLoop;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that must be sent again, because otherwise an instance costs more than it may. */
class RepeatedCallsTest {
  private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");
  private static final Duration RENEWAL = Duration.ofMinutes(5);
  private static final Duration STEP = Duration.ofSeconds(10);
  private static final int LONGEST_S = 20;

  /** The arguments of each call to the cloud, in the order of their arrival. */
  private final BlockingQueue<Object[]> calls = new LinkedBlockingQueue<>();

  private final EventLoop loop = new EventLoop("test");
  private final AsyncCaller asyncCaller = new AsyncCaller(loop);
  private volatile Instant now = START;

  @AfterEach
  void close() {
    asyncCaller.close();
    loop.close();
  }

  @Test
  void throttledTerminationIsSentAgainAfterThePause() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    LeaseContext context =
        context(
            arguments -> {
              if (sent.getCount() > 0) {
                sent.countDown();
                throw new CloudException(new CloudFailure.Throttled("RequestLimitExceeded"));
              }
              return Optional.empty();
            });
    Terminator terminator = new Terminator(context, new PendingOperations(context), (id, at) -> {});
    onLoop(() -> terminator.terminate("i-1", "u-1"));

    assertThat(repeat(terminator::flush)[0]).isEqualTo(List.of("i-1"));
    // The pause begins when the loop receives the failure.
    assertThat(repeat(() -> flushLater(terminator))[0]).isEqualTo(List.of("i-1"));
  }

  /** Which of two renewals the cloud applied last is not known once their answers are reversed. */
  @Test
  void renewalThatALimitOvertakesIsRepeated() throws Exception {
    Instant latest = START.plus(Duration.ofMinutes(10));
    CountDownLatch answer = new CountDownLatch(1);
    LeaseContext context =
        context(
            arguments -> {
              if (!arguments[1].equals(latest)) {
                await(answer);
              }
              return Optional.empty();
            });
    ExpiryRenewer renewer = new ExpiryRenewer(context, new PendingOperations(context));
    TrackedLease lease = created("r-1");
    List<TrackedLease> leases = List.of(lease);
    now = START.plus(RENEWAL);

    assertThat((Instant) repeat(() -> renewer.renew(leases))[1]).isAfter(latest);
    now = now.plusSeconds(1);
    onLoop(() -> renewer.limitNodeExpiry(new NodeExpiryLimit(latest, Map.of()), leases));
    assertThat(repeat(() -> renewer.renew(leases))[1]).isEqualTo(latest);
    while (!onLoop(() -> renewer.haveAllReceivedLimit(leases))) {
      Thread.sleep(1);
    }
    answer.countDown();

    assertThat(repeat(() -> renewer.renew(leases))[1]).as("renewed again").isEqualTo(latest);
  }

  private void flushLater(Terminator terminator) {
    now = now.plus(STEP);
    terminator.flush();
  }

  private static TrackedLease created(String id) {
    Offer offer =
        new Offer(
            "aws/a",
            "g5.xlarge",
            "A10G",
            1,
            Market.ON_DEMAND,
            1,
            PriceKind.LIST,
            BillingTerms.BY_THE_SECOND,
            Spread.NONE,
            Spread.NONE,
            0,
            0,
            1);
    Map<String, String> tags =
        Map.of(Tags.RUN, "r", Tags.OWNER, "o", Tags.LEASE, id, Tags.EXPIRES, "1795000000");
    TrackedLease lease =
        new TrackedLease(
            id,
            Optional.of(
                new LeaseRequest("r", id, offer, Optional.empty(), tags, Duration.ofMinutes(15))),
            TrackedLease.Phase.CREATED);
    lease.instance =
        new RemoteInstance(
            "i-1",
            "u-1",
            Optional.of(id),
            Optional.of("r"),
            "g5.xlarge",
            Market.ON_DEMAND,
            "a",
            InstanceStage.RUNNING,
            "running",
            "",
            START,
            Optional.empty());
    return lease;
  }

  private LeaseContext context(Function<Object[], Object> answers) {
    InstanceApi api =
        (InstanceApi)
            Proxy.newProxyInstance(
                InstanceApi.class.getClassLoader(),
                new Class<?>[] {InstanceApi.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("batchSize")) {
                    return 1;
                  }
                  calls.add(arguments);
                  return answers.apply(arguments);
                });
    PollingIntervals pace =
        new PollingIntervals(
            STEP, STEP, STEP, STEP, STEP, STEP, STEP, STEP, STEP, RENEWAL, STEP, 10, 10);
    return new LeaseContext(
        api,
        asyncCaller,
        () -> now,
        pace,
        new CallLimits(new RateLimit(10, 10), new RateLimit(10, 10), new RateLimit(10, 10)),
        new CloudHealthMonitor("aws", api, asyncCaller, () -> now, pace, event -> {}),
        new UnavailableZones(STEP),
        event -> {});
  }

  /** Does a task on the loop until it has caused a call, and returns the arguments of the call. */
  private Object[] repeat(Runnable task) throws Exception {
    for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_S);
        System.nanoTime() < end; ) {
      onLoop(task);
      Object[] call = calls.poll(10, TimeUnit.MILLISECONDS);
      if (call != null) {
        return call;
      }
    }
    throw new AssertionError("the call was not sent within " + LONGEST_S + " s");
  }

  private void onLoop(Runnable task) throws Exception {
    CompletableFuture.runAsync(task, loop).get(LONGEST_S, TimeUnit.SECONDS);
  }

  private <T> T onLoop(Supplier<T> task) throws Exception {
    return CompletableFuture.supplyAsync(task, loop).get(LONGEST_S, TimeUnit.SECONDS);
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(LONGEST_S, TimeUnit.SECONDS)) {
        throw new AssertionError("the test did not answer the call");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.elastune.provisioner.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class EventLoopTest {
  /** As after a SIGSTOP: the deadline has passed when the answer is read. */
  @Test
  void deadlineDoesNotPassWhileTheLoopIsSuspended() throws Exception {
    List<String> order = new CopyOnWriteArrayList<>();
    CountDownLatch suspended = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch passed = new CountDownLatch(1);
    try (EventLoop loop = new EventLoop("test")) {
      loop.scheduleDeadline(
          Duration.ofMillis(200),
          () -> {
            order.add("deadline");
            passed.countDown();
          });
      loop.execute(
          () -> {
            suspended.countDown();
            await(over);
          });
      suspended.await();
      Thread.sleep(400);
      loop.execute(() -> order.add("answer"));
      over.countDown();
      passed.await();
    }

    assertThat(order).containsExactly("answer", "deadline");
  }

  private static final class Owner implements EventLoop.Owner {
    private final BlockingQueue<String> failures = new LinkedBlockingQueue<>();

    @Override
    public void failed(Throwable error) {
      failures.add(Thread.currentThread().getName() + ": " + error.getMessage());
    }

    String next() throws InterruptedException {
      return failures.take();
    }
  }

  /** Whatever an owner's task starts belongs to the owner: errors reach it on the loop. */
  @Test
  void everythingThatATaskStartsFailsItsOwner() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    Owner owner = new Owner();
    CompletableFuture<String> stage = new CompletableFuture<>();
    CountDownLatch ended = new CountDownLatch(1);
    try (EventLoop loop = new EventLoop("test")) {
      loop.execute(
          () ->
              loop.own(
                  owner,
                  () -> {
                    loop.execute(() -> fail("task"));
                    loop.schedule(Duration.ofMillis(1), () -> loop.execute(() -> fail("timer")));
                  }));
      assertThat(owner.next()).isEqualTo("test: task");
      assertThat(owner.next()).isEqualTo("test: timer");

      loop.execute(() -> loop.own(owner, () -> loop.blocking(threads).execute(() -> fail("file"))));
      assertThat(owner.next()).isEqualTo("test: file");
      loop.execute(
          () ->
              loop.own(
                  owner,
                  () ->
                      loop.blocking(threads).execute(() -> loop.execute(() -> fail("after it")))));
      assertThat(owner.next()).isEqualTo("test: after it");
      loop.execute(
          () ->
              loop.own(
                  owner, () -> loop.startThread("reader", () -> fail("thread"), ended::countDown)));
      assertThat(owner.next()).isEqualTo("test: thread");
      ended.await();
      loop.execute(
          () -> loop.own(owner, () -> loop.whenComplete(stage, (value, failure) -> fail(value))));
      loop.execute(() -> stage.complete("stage"));
      assertThat(owner.next()).isEqualTo("test: stage");
      loop.execute(
          () -> loop.own(owner, () -> loop.blocking(EventLoopTest::refuse).execute(() -> {})));
      assertThat(owner.next()).isEqualTo("test: no thread");
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void taskOfNobodyFailsNobody() throws Exception {
    Owner owner = new Owner();
    CountDownLatch after = new CountDownLatch(1);
    try (EventLoop loop = new EventLoop("test")) {
      loop.execute(
          () -> {
            loop.own(owner, () -> {});
            loop.execute(() -> fail("nobody's"));
          });
      loop.execute(after::countDown);
      after.await();
    }

    assertThat(owner.failures).isEmpty();
  }

  @Test
  void repeatedTaskIsRepeatedAfterAFailure() throws Exception {
    CountDownLatch times = new CountDownLatch(3);
    try (EventLoop loop = new EventLoop("test")) {
      loop.execute(
          () ->
              loop.repeat(
                  Duration.ofMillis(1),
                  () -> {
                    times.countDown();
                    fail("again");
                  }));
      times.await();
    }

    assertThat(times.getCount()).isZero();
  }

  private static void refuse(Runnable task) {
    throw new OutOfMemoryError("no thread");
  }

  private static void fail(String message) {
    throw new IllegalStateException(message);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

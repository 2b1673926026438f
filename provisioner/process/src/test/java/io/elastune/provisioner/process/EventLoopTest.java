package io.elastune.provisioner.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
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

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

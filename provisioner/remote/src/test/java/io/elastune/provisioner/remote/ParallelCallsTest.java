package io.elastune.provisioner.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ParallelCallsTest {
  /** Each call waits for all others, so the test ends only if they run at the same time. */
  @Test
  @Timeout(60)
  void callsRunAtTheSameTimeAndKeepTheirOrder() {
    List<Integer> regions = IntStream.range(0, 17).boxed().toList();
    CountDownLatch all = new CountDownLatch(regions.size());
    assertThat(
            ParallelCalls.map(
                regions,
                region -> {
                  all.countDown();
                  await(all);
                  return "region " + region;
                }))
        .hasSize(17)
        .startsWith("region 0", "region 1")
        .endsWith("region 16");
  }

  @Test
  void throwsTheFailureOfTheFirstItem() {
    assertThatThrownBy(
            () ->
                ParallelCalls.map(
                    List.of("a", "b", "c"),
                    item -> {
                      if (!item.equals("a")) {
                        throw new IllegalArgumentException(item);
                      }
                      return item;
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("b");
  }

  @Test
  void makesAllCallsBeforeItReportsAFailure() {
    Set<String> made = ConcurrentHashMap.newKeySet();
    assertThatThrownBy(
            () ->
                ParallelCalls.forEach(
                    List.of("a", "b", "c"),
                    item -> {
                      made.add(item);
                      if (!item.equals("c")) {
                        throw new IllegalArgumentException(item);
                      }
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a");
    assertThat(made).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void noItemsNeedNoCall() {
    assertThat(ParallelCalls.map(List.of(), item -> item)).isEmpty();
  }

  private static void await(CountDownLatch all) {
    try {
      all.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

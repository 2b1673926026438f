package io.elastune.executor.ray;

import java.util.concurrent.atomic.AtomicInteger;

/** Networks of loopback addresses for tests that run at the same time in one JVM. */
public final class LoopbackNetwork {
  private static final AtomicInteger NETWORKS = new AtomicInteger();

  private LoopbackNetwork() {}

  /** Returns the first three bytes of the addresses of an unused network, such as 127.0.1. */
  public static String next() {
    return "127.0." + NETWORKS.incrementAndGet() + ".";
  }
}

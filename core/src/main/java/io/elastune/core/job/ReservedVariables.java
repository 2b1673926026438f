package io.elastune.core.job;

import java.util.Set;

/** The environment variables of workers that Elastune sets. Neither jobs nor users can. */
public final class ReservedVariables {
  private static final String PREFIX = "ELASTUNE_";
  private static final Set<String> OTHERS =
      Set.of(
          "RANK",
          "WORLD_SIZE",
          "LOCAL_RANK",
          "LOCAL_WORLD_SIZE",
          "MASTER_ADDR",
          "MASTER_PORT",
          "CUDA_VISIBLE_DEVICES");

  private ReservedVariables() {}

  /** Returns whether Elastune sets a variable. */
  public static boolean contains(String name) {
    return name.startsWith(PREFIX) || OTHERS.contains(name);
  }
}

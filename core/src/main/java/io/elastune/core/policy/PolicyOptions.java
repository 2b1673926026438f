package io.elastune.core.policy;

/** A policy that divides a fixed cluster among the trials, and what a user chooses of it. */
public sealed interface PolicyOptions
    permits ListOptions, FluidOptions, HermesOptions, HyperSchedOptions {
  /** Returns which policy these are the options of. */
  PolicyType type();

  /** Returns the name of the policy in files and on screens. */
  default String word() {
    return type().word();
  }

  /** Whether trials of a group get different numbers of GPUs, which no plan states. */
  default boolean choosesSizes() {
    return true;
  }

  /** Returns the same options for a search whose metric is minimized or maximized. */
  default PolicyOptions forMetric(boolean minimized) {
    return this;
  }

  /** Whether running trials are ended after a checkpoint and started again later. */
  boolean preempts();
}

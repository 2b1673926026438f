package io.elastune.simulator;

/**
 * Which samples of a plan are drawn. Faults that are rare show in few samples of all, so that the
 * tail of the cost needs many. Sampling both parts separately shows them with few
 * (docs/decisions/0012-a-spending-guard-instead-of-a-budget.md).
 */
enum FaultStratum {
  /** All samples, with and without faults as they occur. */
  ALL,

  /** Samples without a fault of the Poisson process. */
  WITHOUT,

  /** Samples with at least one of these faults. */
  WITH
}

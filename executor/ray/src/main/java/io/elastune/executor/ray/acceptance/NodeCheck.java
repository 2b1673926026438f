package io.elastune.executor.ray.acceptance;

import io.elastune.core.field.Word;

/** One check of a node, which {@code rented_nodes.acceptance.skip} may leave out. */
public enum NodeCheck implements Word {
  /** A driver answers, and has at least the GPUs of the offer. */
  GPUS,
  /** The GPUs have the model of the offer. */
  MODEL,
  /** CUDA can create a context on each GPU. */
  CUDA,
  /** Each GPU copies its memory at a plausible speed. */
  SPEED,
  /** Neither the kernel nor {@code nvidia-smi} has a record of an error that needs a reset. */
  HEALTH,
  /** The disk has space. */
  DISK,
  /** The clock agrees with that of the controller. */
  CLOCK,
  /** The checks of the GPUs succeed in a container of the trials, too. */
  IMAGE
}

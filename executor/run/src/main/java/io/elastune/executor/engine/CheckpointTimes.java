package io.elastune.executor.engine;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What an engine measured of the checkpoints of an attempt.
 *
 * @param bytes size of its newest complete checkpoint
 * @param storeS mean seconds in which a checkpoint was copied from an instance to the store; empty
 *     if none was copied
 * @param restoreS seconds in which the checkpoint that the attempt resumed from was copied to its
 *     instances; empty if it was not copied
 */
public record CheckpointTimes(OptionalLong bytes, OptionalDouble storeS, OptionalDouble restoreS) {
  /** Returns the size of a checkpoint for which nothing is copied. */
  public static Optional<CheckpointTimes> ofSize(OptionalLong bytes) {
    return bytes.isPresent()
        ? Optional.of(new CheckpointTimes(bytes, OptionalDouble.empty(), OptionalDouble.empty()))
        : Optional.empty();
  }
}

package io.elastune.executor.decision.model;

import java.util.OptionalInt;

/**
 * The checkpoints that an attempt shares with other trials.
 *
 * @param parent the trial from whose checkpoint of the attempt's first unit it starts if its own
 *     trial does not have that checkpoint yet; empty for none
 * @param held units of a checkpoint of its own trial that must be kept, because other trials start
 *     from it; 0 for none
 */
public record CheckpointLinks(OptionalInt parent, int held) {
  /** The links of an attempt that involves its own trial only. */
  public static final CheckpointLinks NONE = new CheckpointLinks(OptionalInt.empty(), 0);
}

package io.elastune.executor.engine;

import java.util.Optional;

/**
 * The checkpoints that an attempt shares with other trials.
 *
 * @param parent the trial from whose checkpoint of the attempt's {@code from} it starts, if its own
 *     trial does not have that checkpoint yet
 * @param held units of a checkpoint of its own trial that is kept, because other trials start from
 *     it; 0 for none
 */
public record SharedCheckpoints(Optional<Source> parent, int held) {
  /** What an attempt shares that involves its own trial only. */
  public static final SharedCheckpoints NONE = new SharedCheckpoints(Optional.empty(), 0);

  /**
   * The checkpoints of another trial.
   *
   * @param trial its number
   * @param checkpointDir the folder of its checkpoints
   */
  public record Source(int trial, String checkpointDir) {}
}

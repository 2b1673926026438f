package io.elastune.core.policy;

/**
 * The state of Hermes.
 *
 * @param group the group; empty before the first one
 * @param gpus the GPU of each trial that was placed and has not ended
 * @param slices slices that each of these trials had completed when it was last compared
 */
public record HermesState(String group, TrialMap<Gpu> gpus, TrialMap<Integer> slices)
    implements PolicyState {
  /** The state before the first group. */
  static final HermesState INITIAL = new HermesState("", TrialMap.empty(), TrialMap.empty());

  /** A GPU of an instance. */
  public record Gpu(int instance, int gpu) {}
}

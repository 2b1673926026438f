package io.elastune.core.policy;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of Hermes. Its maps are not copied, because a policy decides after every event: they
 * must not change any more.
 *
 * @param group the group; empty before the first one
 * @param gpus the GPU of each trial that was placed and has not ended
 * @param slices slices that each of these trials had completed when it was last compared
 */
public record HermesState(
    String group, SortedMap<Integer, Gpu> gpus, SortedMap<Integer, Integer> slices)
    implements PolicyState {
  /** The state before the first group. */
  static final HermesState INITIAL = new HermesState("", new TreeMap<>(), new TreeMap<>());

  /** A GPU of an instance. */
  public record Gpu(int instance, int gpu) {}

  public HermesState {
    gpus = Collections.unmodifiableSortedMap(gpus);
    slices = Collections.unmodifiableSortedMap(slices);
  }
}

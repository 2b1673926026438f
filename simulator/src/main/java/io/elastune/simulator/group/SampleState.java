package io.elastune.simulator.group;

import java.util.List;
import java.util.stream.Stream;

/**
 * The state of a sample between two groups. It is not modified.
 *
 * @param clusters the instances that are held, by chain
 * @param homes where the trials ran that continue, by chain
 * @param endS the ends of the groups so far, by index
 * @param costs the costs so far
 */
// Arrays, because the sampling loop copies them; equality of these records is not used.
@SuppressWarnings("ArrayRecordComponent")
record SampleState(
    Cluster.State[] clusters, List<List<int[]>> homes, double[] endS, double[] costs) {
  private static final int OBJECT_BYTES = 48;

  /** Returns about how much memory it takes. */
  long bytes() {
    return OBJECT_BYTES
        + (long) Double.BYTES * (endS.length + costs.length)
        + Stream.of(clusters).mapToLong(Cluster.State::bytes).sum()
        + homes.stream()
            .flatMap(List::stream)
            .mapToLong(one -> OBJECT_BYTES + (long) Integer.BYTES * one.length)
            .sum();
  }
}

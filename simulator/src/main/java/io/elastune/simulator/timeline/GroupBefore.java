package io.elastune.simulator.timeline;

import io.elastune.core.timeline.ChainsRun;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.core.timeline.TrialPlace;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The group before the first one of a chain, which a run has trained: some of its trials continue
 * where they ran.
 */
final class GroupBefore {
  private final List<TrialPlace> places;
  private final List<Integer> order;
  private final ContinuingDraws continuing;

  /**
   * @param places by trial: where it ran; without instances if that is not known
   * @param continuing which trials continue
   */
  GroupBefore(List<TrialPlace> places, ContinuingDraws continuing) {
    this.places = List.copyOf(places);
    this.continuing = continuing;
    order =
        IntStream.range(0, places.size())
            .filter(trial -> !places.get(trial).instances().isEmpty())
            .boxed()
            .sorted(Comparator.comparingDouble(trial -> -places.get(trial).waitsS().orElse(0)))
            .toList();
  }

  /** Records in a timeline that has begun a sample where the trials ran. */
  void place(int sample, ChainsRun search, Timeline timeline) {
    continuing.select(sample);
    Map<Integer, Integer> next = new HashMap<>();
    int[] trials = continuing.after(0, 0);
    for (int i = 0; i < trials.length; i++) {
      next.put(trials[i], i);
    }
    for (int trial : order) {
      Integer index = next.get(trial);
      Task last = index == null ? search.endedBefore(0) : search.before(0, index);
      timeline.ranBefore(last, places.get(trial));
    }
  }
}

package io.elastune.core.timeline;

import io.elastune.core.plan.TrialGroup;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * A trial group of a run, all of whose trials have ended when the next one begins.
 *
 * @param places by trial: where it ran, by the indexes of the instances that are held; without
 *     instances if that is not known
 */
public record TrainedGroup(TrialGroup group, List<TrialPlace> places) {
  public TrainedGroup {
    places = List.copyOf(places);
  }

  /** Returns the group with other numbers of instances: negative ones are not held any more. */
  public TrainedGroup on(IntUnaryOperator numbers) {
    return new TrainedGroup(group, places.stream().map(place -> place.on(numbers)).toList());
  }
}

package io.elastune.executor.decision.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The figures with which a run left spot capacity. It returns only after they have changed.
 *
 * @param completionS seconds from the start of the run to its end, as predicted for the capacity on
 *     demand
 * @param pace the ratio of measured to profiled time
 * @param losses by offer: the losses so far
 */
public record SpotDeparture(
    double completionS, double pace, SortedMap<String, ObservedLosses> losses) {
  public SpotDeparture {
    losses = Collections.unmodifiableSortedMap(new TreeMap<>(losses));
  }
}

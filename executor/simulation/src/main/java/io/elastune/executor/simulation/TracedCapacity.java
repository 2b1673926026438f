package io.elastune.executor.simulation;

import io.elastune.core.offer.Offer;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Offers whose capacity follows traces instead of their stated rates of refusals and preemptions. A
 * request is refused with the probability of the share that is unavailable, and a fall of the share
 * preempts each running instance with the probability of the share that it loses.
 *
 * @param traces by offer
 * @param offsetS seconds of all traces at the start of the environment
 */
public record TracedCapacity(Map<String, CapacityTrace> traces, double offsetS) {
  /** All offers follow their stated rates. */
  public static final TracedCapacity NONE = new TracedCapacity(Map.of(), 0);

  public TracedCapacity {
    traces = Collections.unmodifiableMap(new TreeMap<>(traces));
  }

  boolean covers(Offer offer) {
    return traces.containsKey(offer.name());
  }

  /** Returns the probability that a request {@code seconds} after the start is refused. */
  double refusal(Offer offer, double seconds) {
    return 1 - trace(offer).share(offsetS + seconds);
  }

  /** Returns the seconds from {@code seconds} after the start to the next change of the share. */
  double untilChangeS(Offer offer, double seconds) {
    return trace(offer).nextChangeS(offsetS + seconds) - (offsetS + seconds);
  }

  /** Returns the probability of a preemption by the change at {@code seconds} after the start. */
  double preempted(Offer offer, double before, double seconds) {
    return CapacityTrace.preempted(
        trace(offer).share(offsetS + before), trace(offer).share(offsetS + seconds));
  }

  private CapacityTrace trace(Offer offer) {
    CapacityTrace trace = traces.get(offer.name());
    if (trace == null) {
      throw new IllegalArgumentException("no trace of " + offer.name());
    }
    return trace;
  }
}

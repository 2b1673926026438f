package io.elastune.simulator;

import java.util.ArrayList;
import java.util.List;

/**
 * The leases of one chain in order of request. The requesting group of each lease is known before
 * sampling; only its times vary by sample.
 */
final class LeasePlan {
  private final List<OfferRates> offerRates = new ArrayList<>();
  private final List<Integer> requesters = new ArrayList<>();
  private final List<DrawTable> queues = new ArrayList<>();
  private final List<DrawTable> boots = new ArrayList<>();
  private final List<DrawTable> slownesses = new ArrayList<>();
  private final int samples;

  /**
   * @param samples maximum number of samples
   */
  LeasePlan(int samples) {
    this.samples = samples;
  }

  void add(OfferRates rate, int requester, DrawTable queue, DrawTable boot, DrawTable slowness) {
    offerRates.add(rate);
    requesters.add(requester);
    queues.add(queue);
    boots.add(boot);
    slownesses.add(slowness);
  }

  int size() {
    return offerRates.size();
  }

  OfferRates[] rates() {
    return offerRates.toArray(OfferRates[]::new);
  }

  int[] requesters() {
    return requesters.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns a reader of the draws of these leases, for one thread. */
  LeaseDraws draws() {
    return new LeaseDraws(queues, boots, slownesses, samples);
  }
}

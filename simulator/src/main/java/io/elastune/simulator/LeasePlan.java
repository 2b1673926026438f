package io.elastune.simulator;

import java.util.ArrayList;
import java.util.List;

/**
 * The leases of one chain in order of request. The requesting group of each lease is known before
 * sampling; only its times vary by sample.
 */
final class LeasePlan {
  private final List<OfferRates> offerRates = new ArrayList<>();
  private final List<FaultHazards> faultHazards = new ArrayList<>();
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

  /** The draws of one lease. */
  record Tables(DrawTable queue, DrawTable boot, DrawTable slowness) {}

  void add(OfferRates rate, FaultHazards hazards, int requester, Tables tables) {
    offerRates.add(rate);
    faultHazards.add(hazards);
    requesters.add(requester);
    queues.add(tables.queue());
    boots.add(tables.boot());
    slownesses.add(tables.slowness());
  }

  /** Returns the draws of lease {@code number}. */
  Tables tables(int number) {
    return new Tables(queues.get(number), boots.get(number), slownesses.get(number));
  }

  OfferRates rates(int number) {
    return offerRates.get(number);
  }

  FaultHazards hazards(int number) {
    return faultHazards.get(number);
  }

  FaultHazards[] hazards() {
    return faultHazards.toArray(FaultHazards[]::new);
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

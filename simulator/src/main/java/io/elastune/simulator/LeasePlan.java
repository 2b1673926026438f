package io.elastune.simulator;

import io.elastune.core.random.RandomStreams;
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
  private final List<DrawTable> bootFailures = new ArrayList<>();
  private final int samples;
  private final RandomStreams reboots;

  /**
   * @param samples maximum number of samples
   * @param reboots the random streams of what follows failed boots, by sample
   */
  LeasePlan(int samples, RandomStreams reboots) {
    this.samples = samples;
    this.reboots = reboots;
  }

  /** The draws of one lease. */
  record Tables(DrawTable queue, DrawTable boot, DrawTable slowness) {}

  /**
   * Adds a lease.
   *
   * @param failures how many of its boots fail
   */
  void add(
      OfferRates rate, FaultHazards hazards, int requester, Tables tables, DrawTable failures) {
    bootFailures.add(failures);
    offerRates.add(rate);
    faultHazards.add(hazards);
    requesters.add(requester);
    queues.add(tables.queue());
    boots.add(tables.boot());
    slownesses.add(tables.slowness());
  }

  /** Returns how many boots of lease {@code number} fail. */
  DrawTable bootFailures(int number) {
    return bootFailures.get(number);
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

  /** Returns the random streams of what follows a failed boot of a lease in a sample. */
  RandomStreams reboots(int sample, int number) {
    return reboots.at(sample).at("reboot").at(number);
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

  /** The maximum number of samples. */
  int samples() {
    return samples;
  }
}

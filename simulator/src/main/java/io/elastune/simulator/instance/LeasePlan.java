package io.elastune.simulator.instance;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.SilenceLimit;
import io.elastune.core.profile.Profile;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.draw.HazardDraws;
import io.elastune.simulator.fault.FaultHazards;
import io.elastune.simulator.fault.LossClocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The leases of one chain in order of request. The requesting group of each lease is known before
 * sampling; only its times vary by sample.
 */
public final class LeasePlan {
  /** The chain by whose name the draws of a pool are known. */
  public static final String POOL = "";

  private final List<OfferRates> offerRates = new ArrayList<>();
  private final List<FaultHazards> faultHazards = new ArrayList<>();
  private final List<Integer> requesters = new ArrayList<>();
  private final List<Tables> firsts = new ArrayList<>();
  private final List<Tables> laters = new ArrayList<>();
  private final List<Optional<RentedInstance>> held = new ArrayList<>();
  private final List<DrawTable> bootFailures = new ArrayList<>();
  private final List<DrawTable> faults = new ArrayList<>();
  private final int samples;
  private final RandomStreams streams;

  /**
   * @param samples maximum number of samples
   * @param streams the random streams of what follows faults, by sample
   */
  public LeasePlan(int samples, RandomStreams streams) {
    this.samples = samples;
    this.streams = streams;
  }

  /** Returns the leases of a pool, which requests all its instances at the start. */
  public static LeasePlan ofPool(int instances, Offer offer, Profile profile, Draws draws) {
    LeasePlan leases = new LeasePlan(draws.samples(), draws.faultStreams(POOL));
    for (int number = 0; number < instances; number++) {
      leases.add(
          OfferRates.of(offer),
          FaultHazards.of(offer, profile, SilenceLimit.PREDICTED),
          0,
          Tables.of(POOL, number, offer, profile, draws),
          draws.bootFailures(POOL, number, offer),
          draws.instanceFault(POOL, number));
    }
    return leases;
  }

  /**
   * Returns the leases of the rest of a run on a pool: those that are held, and others, which are
   * requested now.
   *
   * @param held the instances of the run, which have the draws of their indexes
   * @param kept the indexes of those that are kept, which come first
   * @param instances how many leases there are
   * @param atS the present time, in seconds from the start of the run
   */
  public static LeasePlan ofRest(
      List<RentedInstance> held,
      List<Integer> kept,
      int instances,
      double atS,
      Offer offer,
      Profile profile,
      Draws draws) {
    LeasePlan leases = new LeasePlan(draws.samples(), draws.faultStreams(POOL));
    for (int i = 0; i < instances; i++) {
      int number = i < kept.size() ? kept.get(i) : held.size() + i - kept.size();
      Optional<RentedInstance> known =
          i < kept.size() ? Optional.of(held.get(number)) : Optional.empty();
      leases.add(known, atS, 0, POOL, number, offer, profile, draws);
    }
    return leases;
  }

  /**
   * Adds a lease of the rest of a run.
   *
   * @param known the instance, if it is held
   * @param atS the present time, in seconds from the start of the run
   * @param requester the group that requests it, or the first one
   * @param chain the chain by whose name its draws are known
   * @param number its number among these draws
   */
  public void add(
      Optional<RentedInstance> known,
      double atS,
      int requester,
      String chain,
      int number,
      Offer offer,
      Profile profile,
      Draws draws) {
    Tables later = Tables.of(chain, number, offer, profile, draws);
    add(
        OfferRates.of(offer),
        FaultHazards.of(offer, profile, SilenceLimit.PREDICTED),
        requester,
        known.map(it -> later.known(it, atS, draws)).orElse(later),
        later,
        known.filter(it -> it.readyS() <= atS).isPresent()
            ? draws.constant(0)
            : draws.bootFailures(chain, number, offer),
        draws.instanceFault(chain, number),
        known);
  }

  /** The draws of one lease. */
  public record Tables(DrawTable queue, DrawTable boot, DrawTable slowness) {
    /** Returns those of an instance that is held, whose first boot is known. */
    private Tables known(RentedInstance held, double atS, Draws draws) {
      return new Tables(
          draws.constant(held.runningS() - atS),
          draws.constant(Math.max(held.readyS(), atS) - held.runningS()),
          slowness);
    }

    /** Returns the draws of lease {@code number} of a chain, with refusals and slow boots. */
    public static Tables of(String chain, int number, Offer offer, Profile profile, Draws draws) {
      return new Tables(
          draws.queueWithFaults(chain, number, offer),
          draws.bootWithFaults(chain, number, offer),
          draws.slowness(chain, number, profile));
    }
  }

  /**
   * Adds a lease.
   *
   * @param failures how many of its boots fail
   * @param fault the hazard until it is lost
   */
  public void add(
      OfferRates rate,
      FaultHazards hazards,
      int requester,
      Tables tables,
      DrawTable failures,
      DrawTable fault) {
    add(rate, hazards, requester, tables, tables, failures, fault, Optional.empty());
  }

  /**
   * Adds a lease.
   *
   * @param first the draws of its first instance
   * @param later those of the instances that take its place
   * @param known the instance, if it is held
   */
  private void add(
      OfferRates rate,
      FaultHazards hazards,
      int requester,
      Tables first,
      Tables later,
      DrawTable failures,
      DrawTable fault,
      Optional<RentedInstance> known) {
    bootFailures.add(failures);
    faults.add(fault);
    offerRates.add(rate);
    faultHazards.add(hazards);
    requesters.add(requester);
    firsts.add(first);
    laters.add(later);
    held.add(known);
  }

  /** Returns the instance of lease {@code number} if it is held at the start. */
  public Optional<RentedInstance> held(int number) {
    return held.get(number);
  }

  /** Returns how many boots of lease {@code number} fail. */
  DrawTable bootFailures(int number) {
    return bootFailures.get(number);
  }

  /** Returns the hazard until lease {@code number} is lost. */
  DrawTable fault(int number) {
    return faults.get(number);
  }

  /** Returns the draws of the first instance of lease {@code number}. */
  Tables first(int number) {
    return firsts.get(number);
  }

  /** Returns the draws of the instances that take its place after a failed boot or a loss. */
  Tables tables(int number) {
    return laters.get(number);
  }

  public OfferRates rates(int number) {
    return offerRates.get(number);
  }

  public FaultHazards hazards(int number) {
    return faultHazards.get(number);
  }

  public FaultHazards[] hazards() {
    return faultHazards.toArray(FaultHazards[]::new);
  }

  /** Returns the random streams of what follows a failed boot of a lease in a sample. */
  RandomStreams reboots(int sample, int number) {
    return streams.at(sample).at("reboot").at(number);
  }

  /**
   * The draws of an instance that replaces another one.
   *
   * @param slowness factor by which training is slower than in the profile
   * @param hazard the hazard until its first fault
   */
  public record Replacement(Provisioning times, double slowness, double hazard) {}

  /**
   * Returns the draws of an instance in a sample that replaces another one.
   *
   * @param planned the planned lease whose distributions it has
   * @param number its number
   */
  public Replacement replacement(int sample, int planned, int number) {
    RandomStreams own = streams.at(sample).at("replacement").at(number);
    Tables tables = tables(planned);
    int failures = (int) bootFailures(planned).one(own, "boot failures");
    double queueS = tables.queue().one(own, "queue");
    double bootS = tables.boot().one(own, "boot");
    Provisioning times =
        failures == 0
            ? new Provisioning(Provisioning.NONE, queueS, bootS)
            : Provisioning.of(
                failures, queueS, bootS, tables.queue(), tables.boot(), own.at("reboot"));
    double hazard = HazardDraws.hazard(own.at("loss").open());
    return new Replacement(times, tables.slowness().one(own, "slowness"), hazard);
  }

  /** Returns the clocks of the instances in a sample. */
  public LossClocks clocks(int sample) {
    return new LossClocks(streams.at(sample));
  }

  public int size() {
    return offerRates.size();
  }

  public OfferRates[] rates() {
    return offerRates.toArray(OfferRates[]::new);
  }

  public int[] requesters() {
    return requesters.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The maximum number of samples. */
  public int samples() {
    return samples;
  }
}

package io.elastune.profiler;

import io.elastune.core.Spread;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.profiler.history.ProvisioningRow;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Queueing and boot of an offer at an hour of the day, from what is known at four levels: the time
 * that Elastune ships, the leases of the same instance type and market in other places, those in
 * the offer's region or zone at other hours, and those there within three hours of the hour. No
 * lease is in two levels, and each level is combined with the one before it by {@link
 * ShrunkSpread}. The setup of a job is a part of the boot of its own: the rest of it is the same
 * for all programs.
 */
final class ProvisioningEvidence {
  private static final int NEAR_H = 3;
  private static final int HOURS = 24;
  private static final String SIMULATED = Offer.SIMULATED + "/";

  private final List<ProvisioningRow> rows;
  private final String setup;
  private final int hour;
  private final Optional<Spread> shippedSetup;

  /**
   * Creates the evidence for a job.
   *
   * @param setup the key of its setup
   * @param at the time for which the times are
   * @param shippedSetup the assumed time of its setup, which the boot times of its offers lack;
   *     empty if they are not those that Elastune ships, which then do not count
   */
  ProvisioningEvidence(
      List<ProvisioningRow> rows, String setup, Instant at, Optional<Spread> shippedSetup) {
    this.rows = List.copyOf(rows);
    this.setup = setup;
    this.hour = at.atZone(ZoneOffset.UTC).getHour();
    this.shippedSetup = shippedSetup;
  }

  /**
   * The times of an offer.
   *
   * @param others the leases in other places that count, too
   */
  record Found(ProvisioningTimes times, int others) {}

  /**
   * Returns the times of an offer; empty if neither it nor another place with its type has leases.
   *
   * @param known the times that runs of the program have measured
   */
  Optional<Found> of(Offer offer, Optional<ProvisioningTimes> known) {
    return Stream.of(offer.infra(), realPlace(offer.infra()))
        .distinct()
        .map(place -> new Place(offer, place))
        .filter(place -> !place.sameType().isEmpty())
        .findFirst()
        .map(place -> place.found(known));
  }

  /** A simulated offer without leases of its own has the times of the offer that it simulates. */
  private static String realPlace(String infra) {
    return infra.startsWith(SIMULATED) ? infra.substring(SIMULATED.length()) : infra;
  }

  /** The leases that count for an offer in a place. */
  private final class Place {
    private final Offer offer;
    private final String infra;
    private final Predicate<ProvisioningRow> isHere;
    private final Optional<Spread> assumedSetup;

    Place(Offer offer, String infra) {
      this.offer = offer;
      this.infra = infra;
      this.isHere = row -> row.isIn(infra);
      assumedSetup = shippedSetup.filter(assumed -> offer.price() == PriceKind.LIST);
    }

    private Stream<ProvisioningRow> ofProvider() {
      String provider = infra.split("/", 2)[0];
      return rows.stream().filter(row -> row.provider().equals(provider));
    }

    List<ProvisioningRow> sameType() {
      return ofProvider()
          .filter(row -> row.instanceType().equals(offer.instanceType()))
          .filter(row -> row.market().equals(offer.market().word()))
          .toList();
    }

    Found found(Optional<ProvisioningTimes> known) {
      List<ProvisioningRow> type = sameType();
      List<ProvisioningRow> here = type.stream().filter(isHere).toList();
      boolean separate = type.stream().anyMatch(row -> bareBootS(row).isPresent());
      List<ProvisioningRow> prepared = separate ? preparedLeases() : List.of();
      Spread setupS =
          levels(
                  assumedSetup,
                  prepared,
                  row -> row.preparation().setupS().stream().boxed().findFirst())
              .orElse(Spread.NONE);
      Optional<Spread> boot =
          separate
              ? levels(shippedBoot(false), type, ProvisioningEvidence::bareBootS)
                  .map(bare -> ShrunkSpread.sum(bare, setupS))
              : levels(shippedBoot(true), type, this::ownBootS);
      Optional<Spread> queue =
          levels(assumedSetup.map(ships -> offer.queueS()), type, row -> Optional.of(row.queueS()));
      int samples = isSetupKnown(prepared, separate) ? (int) booted(here, separate) : 0;
      return new Found(
          new ProvisioningTimes(
              offer.name(),
              queue.orElse(offer.queueS()),
              boot.map(some -> withFirstUse(some, here, known))
                  .or(() -> known.map(ProvisioningTimes::bootS))
                  .orElse(offer.bootS()),
              setupS,
              levels(
                      Optional.empty(),
                      prepared,
                      row -> row.preparation().imageS().stream().boxed().findFirst())
                  .orElse(Spread.NONE),
              Math.max(samples, known.map(ProvisioningTimes::samples).orElse(0))),
          type.size() - here.size());
    }

    /** The leases with the setup of this job, of all types. */
    private List<ProvisioningRow> preparedLeases() {
      return ofProvider()
          .filter(row -> row.setup().equals(setup) && row.preparation().setupS().isPresent())
          .toList();
    }

    private boolean isSetupKnown(List<ProvisioningRow> prepared, boolean separate) {
      return !separate || !prepared.isEmpty() || assumedSetup.orElse(Spread.NONE).mean() == 0;
    }

    private long booted(List<ProvisioningRow> here, boolean separate) {
      return here.stream()
          .filter(row -> (separate ? bareBootS(row) : ownBootS(row)).isPresent())
          .count();
    }

    private Optional<Spread> shippedBoot(boolean withSetup) {
      return assumedSetup.map(
          assumed -> withSetup ? ShrunkSpread.sum(offer.bootS(), assumed) : offer.bootS());
    }

    private Optional<Double> ownBootS(ProvisioningRow row) {
      return row.setup().equals(setup)
          ? row.bootS().stream().boxed().findFirst()
          : Optional.empty();
    }

    /** What the first attempts on an instance took in addition is part of the boot of a program. */
    private Spread withFirstUse(
        Spread boot, List<ProvisioningRow> here, Optional<ProvisioningTimes> known) {
      List<Double> own = here.stream().flatMap(row -> ownBootS(row).stream()).toList();
      if (own.isEmpty() || known.isEmpty()) {
        return boot;
      }
      double firstUseS = known.get().bootS().mean() - NumberEstimate.spread(own).mean();
      return firstUseS > 0 ? ShrunkSpread.sum(boot, Spread.exactly(firstUseS)) : boot;
    }

    private Optional<Spread> levels(
        Optional<Spread> shipped,
        List<ProvisioningRow> leases,
        Function<ProvisioningRow, Optional<Double>> seconds) {
      Predicate<ProvisioningRow> isNow = row -> isNear(row.hour());
      Optional<Spread> known = shipped;
      for (Predicate<ProvisioningRow> level :
          List.of(isHere.negate(), isHere.and(isNow.negate()), isHere.and(isNow))) {
        known =
            ShrunkSpread.of(
                known,
                leases.stream().filter(level).flatMap(row -> seconds.apply(row).stream()).toList());
      }
      return known;
    }
  }

  private static Optional<Double> bareBootS(ProvisioningRow row) {
    return row.bootS().isPresent() && row.preparation().setupS().isPresent()
        ? Optional.of(
            Math.max(0, row.bootS().getAsDouble() - row.preparation().setupS().getAsDouble()))
        : Optional.empty();
  }

  private boolean isNear(int other) {
    int difference = Math.abs(other - hour);
    return Math.min(difference, HOURS - difference) <= NEAR_H;
  }
}

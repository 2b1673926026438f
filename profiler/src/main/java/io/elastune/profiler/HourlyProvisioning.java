package io.elastune.profiler;

import io.elastune.core.Spread;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.profiler.history.ProvisioningRow;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Queueing and boot times of offers at an hour of the day, from earlier leases. The name of an
 * offer has its region or zone, so these times are those of the place.
 *
 * <p>The mean at the hour is that of the leases within three hours of it, and five times the mean
 * of all leases counts as further leases: few leases at an hour change little.
 */
final class HourlyProvisioning {
  private static final int FEWEST_LEASES = 5;
  private static final double WEIGHT_OF_ALL = 5;
  private static final int NEAR_H = 3;
  private static final int HOURS = 24;

  private final String setup;
  private final int hour;

  /**
   * Creates the times at the hour of {@code at}, in UTC.
   *
   * @param setup the setup whose boot times count
   */
  HourlyProvisioning(String setup, Instant at) {
    this.setup = setup;
    this.hour = at.atZone(ZoneOffset.UTC).getHour();
  }

  /** Returns the times of every offer with enough leases that were ready with the setup. */
  List<ProvisioningTimes> times(List<ProvisioningRow> rows) {
    Map<String, List<ProvisioningRow>> byOffer = new TreeMap<>();
    rows.forEach(row -> byOffer.computeIfAbsent(row.offer(), o -> new ArrayList<>()).add(row));
    List<ProvisioningTimes> times = new ArrayList<>();
    byOffer.forEach(
        (offer, some) -> {
          List<ProvisioningRow> booted =
              some.stream()
                  .filter(row -> row.setup().equals(setup) && row.bootS().isPresent())
                  .toList();
          if (booted.size() >= FEWEST_LEASES) {
            times.add(
                new ProvisioningTimes(
                    offer,
                    spread(some, row -> row.queueS().orElseThrow()),
                    spread(booted, row -> row.bootS().orElseThrow()),
                    booted.size()));
          }
        });
    return times;
  }

  private Spread spread(List<ProvisioningRow> rows, ToDoubleFunction<ProvisioningRow> seconds) {
    List<Double> all = rows.stream().map(row -> seconds.applyAsDouble(row)).toList();
    List<Double> near =
        rows.stream().filter(this::isNear).map(row -> seconds.applyAsDouble(row)).toList();
    Spread total = NumberEstimate.spread(all);
    double sum = near.stream().mapToDouble(one -> one).sum();
    double mean = (sum + WEIGHT_OF_ALL * total.mean()) / (near.size() + WEIGHT_OF_ALL);
    return new Spread(mean, total.cv());
  }

  private boolean isNear(ProvisioningRow row) {
    int difference = Math.abs(row.hour() - hour);
    return Math.min(difference, HOURS - difference) <= NEAR_H;
  }
}

package io.elastune.profiler;

import io.elastune.core.Spread;
import io.elastune.profiler.history.ProvisioningRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The provisioning times of all leases of an offer in one zone.
 *
 * @param offer the name of the offer
 * @param zone the zone; empty if the provider did not report it
 * @param leases the leases that ran
 * @param queueS seconds from request to running
 * @param bootS seconds from running to ready, without the setup; empty if no setup was measured
 * @param setupS seconds of the setup, with the image; empty if none was measured
 * @param imageS seconds of the setup that the image took; empty if none was measured
 * @param queueSByHour mean seconds from request to running by hour of the request, in UTC
 */
public record PlaceTimes(
    String offer,
    Optional<String> zone,
    int leases,
    Spread queueS,
    Optional<Spread> bootS,
    Optional<Spread> setupS,
    Optional<Spread> imageS,
    Map<Integer, Double> queueSByHour) {
  private static final int HOURS = 24;

  /** Returns the times of every offer and zone. */
  static List<PlaceTimes> of(List<ProvisioningRow> rows) {
    Map<String, List<ProvisioningRow>> byPlace = new TreeMap<>();
    rows.forEach(
        row ->
            byPlace
                .computeIfAbsent(
                    offer(row) + "\n" + row.preparation().zone().orElse(""), k -> new ArrayList<>())
                .add(row));
    return byPlace.values().stream().map(PlaceTimes::ofOne).toList();
  }

  private static String offer(ProvisioningRow row) {
    return row.place() + "/" + row.instanceType() + "/" + row.market();
  }

  private static PlaceTimes ofOne(List<ProvisioningRow> rows) {
    List<ProvisioningRow> prepared =
        rows.stream()
            .filter(row -> row.preparation().setupS().isPresent() && row.bootS().isPresent())
            .toList();
    Map<Integer, Double> byHour = new TreeMap<>();
    IntStream.range(0, HOURS)
        .forEach(
            hour ->
                rows.stream()
                    .filter(row -> row.hour() == hour)
                    .mapToDouble(ProvisioningRow::queueS)
                    .average()
                    .ifPresent(mean -> byHour.put(hour, mean)));
    return new PlaceTimes(
        offer(rows.get(0)),
        rows.get(0).preparation().zone(),
        rows.size(),
        NumberEstimate.spread(rows.stream().map(ProvisioningRow::queueS).toList()),
        ShrunkSpread.of(
            Optional.empty(),
            prepared.stream()
                .map(
                    row ->
                        Math.max(
                            0,
                            row.bootS().orElseThrow() - row.preparation().setupS().orElseThrow()))
                .toList()),
        ShrunkSpread.of(
            Optional.empty(),
            prepared.stream().map(row -> row.preparation().setupS().orElseThrow()).toList()),
        ShrunkSpread.of(
            Optional.empty(),
            prepared.stream().flatMap(row -> row.preparation().imageS().stream().boxed()).toList()),
        byHour);
  }
}

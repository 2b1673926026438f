package io.elastune.cli.json;

import io.elastune.core.Spread;
import io.elastune.profiler.Calibration;
import io.elastune.profiler.Calibration.Quantity;
import io.elastune.profiler.PlaceTimes;
import io.elastune.profiler.history.FaultExposure;
import io.elastune.profiler.history.PastPrediction;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the JSON document of {@code profiles check}. */
public final class CalibrationJson {
  private CalibrationJson() {}

  /**
   * Returns the document.
   *
   * @param others predictions that are not checked because they are simulated, or are not
   */
  public static ObjectNode of(
      Calibration calibration,
      boolean simulated,
      int others,
      List<FaultExposure> exposures,
      List<PlaceTimes> places) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("simulated", simulated);
    document.put("predictions", calibration.used().size());
    document.putObject("omitted").put("incomplete", calibration.incomplete()).put("other", others);
    ArrayNode rows = document.putArray("reliability");
    calibration.rows().forEach(row -> add(rows, row));
    error(document, "completion_s", calibration, Quantity.TIME);
    error(document, "cost_usd", calibration, Quantity.COST);
    ArrayNode runs = document.putArray("runs");
    calibration.used().forEach(one -> add(runs, one));
    ArrayNode faults = document.putArray("exposures");
    exposures.forEach(one -> add(faults, one));
    ArrayNode provisioning = document.putArray("provisioning");
    places.forEach(one -> add(provisioning, one));
    return document;
  }

  private static void add(ArrayNode provisioning, PlaceTimes one) {
    ObjectNode node = provisioning.addObject();
    node.put("offer", one.offer());
    one.zone().ifPresentOrElse(zone -> node.put("zone", zone), () -> node.putNull("zone"));
    node.put("leases", one.leases());
    spread(node, "queue_s", Optional.of(one.queueS()));
    spread(node, "boot_s", one.bootS());
    spread(node, "setup_s", one.setupS());
    spread(node, "image_s", one.imageS());
    ObjectNode byHour = node.putObject("queue_s_by_hour");
    one.queueSByHour().forEach((hour, seconds) -> byHour.put(Integer.toString(hour), seconds));
  }

  private static void spread(ObjectNode node, String key, Optional<Spread> spread) {
    if (spread.isEmpty()) {
      node.putNull(key);
    } else {
      node.putObject(key).put("mean", spread.get().mean()).put("cv", spread.get().cv());
    }
  }

  /** Returns the JSON key of a quantity. */
  private static String key(Quantity quantity) {
    return quantity == Quantity.TIME ? "completion_s" : "cost_usd";
  }

  private static void add(ArrayNode rows, Calibration.Row row) {
    ObjectNode node = rows.addObject();
    node.put("quantity", key(row.quantity()));
    node.put("percentile", row.percentile());
    node.put("below", row.below());
    node.put("count", row.count());
    number(node, "share", row.share());
    node.put("low", row.low());
    node.put("high", row.high());
    node.put("consistent", row.isConsistent());
  }

  private static void error(
      ObjectNode document, String key, Calibration calibration, Quantity quantity) {
    ObjectNode node = document.putObject(key);
    number(node, "median_ratio", calibration.medianRatio(quantity));
    number(node, "median_error", calibration.medianError(quantity));
  }

  private static void number(ObjectNode node, String key, double value) {
    if (Double.isNaN(value)) {
      node.putNull(key);
    } else {
      node.put(key, value);
    }
  }

  private static void add(ArrayNode runs, PastPrediction one) {
    ObjectNode node = runs.addObject();
    node.put("run", one.run()).put("job", one.job()).put("date", one.ended().toString());
    figures(node.putObject("completion_s"), one.completionS())
        .put("actual", one.actualS().orElseThrow());
    figures(node.putObject("cost_usd"), one.costUsd()).put("actual", one.actualUsd());
  }

  private static ObjectNode figures(ObjectNode node, PastPrediction.Figures figures) {
    return node.put("mean", figures.mean()).put("p50", figures.p50()).put("p95", figures.p95());
  }

  private static void add(ArrayNode faults, FaultExposure one) {
    faults
        .addObject()
        .put("offer", one.offer())
        .put("place", one.place())
        .put("market", one.market())
        .put("leases", one.leases())
        .put("instance_hours", one.instanceHours())
        .put("preempted", one.preempted())
        .put("failed", one.failed())
        .put("refused", one.refused())
        .put("attempts", one.attempts())
        .put("attempt_hours", one.attemptHours())
        .put("failed_attempts", one.failedAttempts());
  }
}

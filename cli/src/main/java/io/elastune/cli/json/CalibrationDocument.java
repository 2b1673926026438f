package io.elastune.cli.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.Spread;
import io.elastune.plan.json.JsonDocuments;
import io.elastune.profiler.Calibration;
import io.elastune.profiler.Calibration.Quantity;
import io.elastune.profiler.PlaceTimes;
import io.elastune.profiler.history.FaultExposure;
import io.elastune.profiler.history.PastPrediction;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The document of {@code profiles check --json}. */
public record CalibrationDocument(
    @JsonPropertyDescription("Whether predictions of simulated runs are checked.")
        boolean simulated,
    @JsonPropertyDescription("Number of predictions that are checked.") int predictions,
    @JsonPropertyDescription("Number of predictions that are not checked.") Omitted omitted,
    @JsonPropertyDescription("How often the actual value was below each percentile.")
        List<Reliability> reliability,
    @JsonPropertyDescription("The errors of the completion time.") Errors completionS,
    @JsonPropertyDescription("The errors of the cost.") Errors costUsd,
    @JsonPropertyDescription("The predictions that are checked.") List<CheckedRun> runs,
    @JsonPropertyDescription("Observed faults by offer, place and market.")
        List<Exposure> exposures,
    @JsonPropertyDescription("Observed times of provisioning by offer and zone.")
        List<Provisioning> provisioning) {
  /** Predictions that are not checked. */
  record Omitted(
      @JsonPropertyDescription("Of runs that did not complete as planned.") int incomplete,
      @JsonPropertyDescription("Of simulated runs, or of those that were not simulated.")
          int other) {}

  /** How often the actual value was below a percentile. */
  record Reliability(
      @JsonPropertyDescription("\"completion_s\" or \"cost_usd\".") String quantity,
      @JsonPropertyDescription("The percentile.") double percentile,
      @JsonPropertyDescription("Number of runs below it.") int below,
      @JsonPropertyDescription("Number of runs.") int count,
      @JsonPropertyDescription("Fraction of runs below it; null without runs.")
          OptionalDouble share,
      @JsonPropertyDescription("The lower end of the interval that contains the share.") double low,
      @JsonPropertyDescription("Its upper end.") double high,
      @JsonPropertyDescription("Whether the interval contains the percentile.")
          boolean consistent) {
    static Reliability of(Calibration.Row row) {
      return new Reliability(
          row.quantity() == Quantity.TIME ? "completion_s" : "cost_usd",
          row.percentile(),
          row.below(),
          row.count(),
          JsonDocuments.finite(row.share()),
          row.low(),
          row.high(),
          row.isConsistent());
    }
  }

  /** Errors of a quantity; null without runs. */
  record Errors(
      @JsonPropertyDescription("Median ratio of the actual value to the prediction.")
          OptionalDouble medianRatio,
      @JsonPropertyDescription("Median relative error.") OptionalDouble medianError) {
    static Errors of(Calibration calibration, Quantity quantity) {
      return new Errors(
          JsonDocuments.finite(calibration.medianRatio(quantity)),
          JsonDocuments.finite(calibration.medianError(quantity)));
    }
  }

  /** One run with its prediction. */
  record CheckedRun(
      @JsonPropertyDescription("The ID of the run.") String run,
      @JsonPropertyDescription("The name of the job.") String job,
      @JsonPropertyDescription("When it ended.") Instant date,
      @JsonPropertyDescription("Completion time in seconds.") PredictedAndActual completionS,
      @JsonPropertyDescription("Cost in USD.") PredictedAndActual costUsd) {
    static CheckedRun of(PastPrediction one) {
      return new CheckedRun(
          one.run(),
          one.job(),
          one.ended(),
          PredictedAndActual.of(one.completionS(), one.actualS().orElseThrow()),
          PredictedAndActual.of(one.costUsd(), one.actualUsd()));
    }
  }

  /** A prediction and the actual value. */
  record PredictedAndActual(double mean, double p50, double p95, double actual) {
    static PredictedAndActual of(PastPrediction.Figures figures, double actual) {
      return new PredictedAndActual(figures.mean(), figures.p50(), figures.p95(), actual);
    }
  }

  /** Observed faults. */
  record Exposure(
      @JsonPropertyDescription("The offer.") String offer,
      @JsonPropertyDescription("The place.") String place,
      @JsonPropertyDescription("The market.") String market,
      @JsonPropertyDescription("Number of leases.") int leases,
      @JsonPropertyDescription("Hours of all instances.") double instanceHours,
      @JsonPropertyDescription("Number of preempted instances.") int preempted,
      @JsonPropertyDescription("Number of instances that failed after they had been ready.")
          int failed,
      @JsonPropertyDescription("Number of instances that failed before they were ready.")
          int notReady,
      @JsonPropertyDescription("Number of refused requests.") int refused,
      @JsonPropertyDescription("Number of attempts.") int attempts,
      @JsonPropertyDescription("Hours of all attempts.") double attemptHours,
      @JsonPropertyDescription("Number of failed attempts.") int failedAttempts) {
    static Exposure of(FaultExposure one) {
      return new Exposure(
          one.offer(),
          one.place(),
          one.market(),
          one.leases(),
          one.instanceHours(),
          one.preempted(),
          one.failed(),
          one.notReady(),
          one.refused(),
          one.attempts(),
          one.attemptHours(),
          one.failedAttempts());
    }
  }

  /** Times of provisioning; null if unknown. */
  record Provisioning(
      @JsonPropertyDescription("The offer.") String offer,
      @JsonPropertyDescription("The zone, if known.") Optional<String> zone,
      @JsonPropertyDescription("Number of leases.") int leases,
      @JsonPropertyDescription("Seconds until an instance starts.") Optional<Spread> queueS,
      @JsonPropertyDescription("Seconds of its boot.") Optional<Spread> bootS,
      @JsonPropertyDescription("Seconds of the setup.") Optional<Spread> setupS,
      @JsonPropertyDescription("Seconds of loading the image.") Optional<Spread> imageS,
      @JsonProperty("queue_s_by_hour")
          @JsonPropertyDescription("Mean seconds until an instance starts by hour of the day, UTC.")
          Map<String, Double> queueSByHour) {
    static Provisioning of(PlaceTimes one) {
      Map<String, Double> byHour = new LinkedHashMap<>();
      one.queueSByHour().forEach((hour, seconds) -> byHour.put(Integer.toString(hour), seconds));
      return new Provisioning(
          one.offer(),
          one.zone(),
          one.leases(),
          Optional.of(one.queueS()),
          one.bootS(),
          one.setupS(),
          one.imageS(),
          byHour);
    }
  }

  /**
   * Returns the document.
   *
   * @param others predictions that are not checked because they are simulated, or are not
   */
  public static CalibrationDocument of(
      Calibration calibration,
      boolean simulated,
      int others,
      List<FaultExposure> exposures,
      List<PlaceTimes> places) {
    return new CalibrationDocument(
        simulated,
        calibration.used().size(),
        new Omitted(calibration.incomplete(), others),
        calibration.rows().stream().map(Reliability::of).toList(),
        Errors.of(calibration, Quantity.TIME),
        Errors.of(calibration, Quantity.COST),
        calibration.used().stream().map(CheckedRun::of).toList(),
        exposures.stream().map(Exposure::of).toList(),
        places.stream().map(Provisioning::of).toList());
  }
}

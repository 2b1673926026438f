package io.elastune.cli.execute;

import io.elastune.cli.text.PercentFormat;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.Profile;
import io.elastune.core.time.Durations;
import io.elastune.inputs.GpuRatios;
import io.elastune.inputs.Inputs;
import io.elastune.profiler.OtherModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses the GPU models on which a program is profiled: those with the lowest price for the
 * published throughput first, and no further one whose measurement costs more than plans would save
 * with it.
 */
final class ModelChoice {
  private final GpuRatios ratios = GpuRatios.shipped();

  /** Returns the offers, the best price for the published throughput first. */
  List<Offer> ordered(List<Offer> offers) {
    List<Offer> ordered = new ArrayList<>(offers);
    if (!offers.isEmpty()) {
      String reference = offers.get(0).gpu();
      ordered.sort(Comparator.comparingDouble(offer -> usdPerWork(offer, reference)));
    }
    return ordered;
  }

  /** The price of a GPU for what one of the reference does in an hour; infinite if unknown. */
  private double usdPerWork(Offer offer, String reference) {
    double perGpu = offer.usdPerHour() / offer.gpus();
    return offer.gpu().equals(reference)
        ? perGpu
        : ratios
            .to(offer.gpu(), List.of(reference))
            .map(ratio -> perGpu / ratio.mean())
            .orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * Returns why the program is not measured on an offer; empty if it is.
   *
   * @param known the profiles so far by GPU model
   */
  Optional<String> reasonToSkip(Inputs inputs, Map<String, Profile> known, Offer offer) {
    Optional<GpuRatios.Ratio> published = ratios.to(offer.gpu(), List.copyOf(known.keySet()));
    if (published.isEmpty()) {
      return Optional.empty();
    }
    GpuRatios.Ratio ratio = published.get();
    Profile base =
        known.entrySet().stream()
            .filter(entry -> entry.getKey().equalsIgnoreCase(ratio.from()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElseThrow();
    Job job = inputs.job().value();
    HypotheticalPlans plans = new HypotheticalPlans(inputs, known);
    OtherModel.Value value =
        new OtherModel(base, ratio.mean(), ratio.least(), ratio.most())
            .value(job, offer, inputs.mostInstances(offer), plans.present(), plans);
    return value.isWorthwhile() ? Optional.empty() : Optional.of(text(offer, ratio, value));
  }

  private static String text(Offer offer, GpuRatios.Ratio ratio, OtherModel.Value value) {
    return offer.gpu()
        + " is not measured: as "
        + ratio.text()
        + ", it improves the plan with a probability of "
        + PercentFormat.share(value.betterIn())
        + " and saves "
        + amount(value.gain(), value.inSeconds())
        + " on average; measuring it takes "
        + amount(value.cost(), value.inSeconds());
  }

  private static String amount(double amount, boolean inSeconds) {
    return inSeconds ? Durations.format(amount) : UsdFormat.format(amount);
  }
}

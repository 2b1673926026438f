package io.elastune.profiler;

import io.elastune.profiler.history.CopySpeed;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.commons.math3.stat.StatUtils;

/** The usual speed of the GPUs of an offer: the median of its instances. */
final class MedianCopySpeeds {
  /** Of two instances, nothing shows which one is slow. */
  private static final int LEAST_INSTANCES = 3;

  private MedianCopySpeeds() {}

  /** Returns the medians in GB per second by offer, of the offers with enough instances. */
  static Map<String, Double> of(List<CopySpeed> speeds) {
    Map<String, List<Double>> byOffer =
        speeds.stream()
            .collect(
                Collectors.groupingBy(
                    CopySpeed::offer,
                    Collectors.mapping(CopySpeed::copyGbPerS, Collectors.toList())));
    Map<String, Double> medians = new TreeMap<>();
    byOffer.forEach(
        (offer, all) -> {
          if (all.size() >= LEAST_INSTANCES) {
            medians.put(offer, median(all));
          }
        });
    return medians;
  }

  private static double median(List<Double> speeds) {
    return StatUtils.percentile(speeds.stream().mapToDouble(speed -> speed).toArray(), 50);
  }
}

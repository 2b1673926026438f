package io.elastune.provisioner.gcp.offers;

import io.elastune.core.offer.Market;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Validates prices before they are used for planning. Google sells machines and their GPUs as
 * separate items, so a list without the GPUs gives prices that are far too low.
 */
final class PriceValidator {
  /** Types whose name contains the number of GPUs, for example {@code a2-highgpu-8g}. */
  private static final Pattern COUNTED = Pattern.compile("a[0-9]+-[a-z]+-([0-9]+)g");

  /** The highest share of vCPUs and memory in the on-demand price of a type. */
  private static final double MAX_HOST_SHARE = 0.7;

  /** The lowest spot price of a GPU ever observed, as a fraction of its on-demand price. */
  private static final double MIN_SPOT_SHARE = 0.02;

  private PriceValidator() {}

  /** Returns what is wrong with a type's number of GPUs, as a sentence. */
  static Optional<String> problem(String type, int gpus) {
    Matcher named = COUNTED.matcher(type);
    return named.matches() && Integer.parseInt(named.group(1)) != gpus
        ? Optional.of(
            type + " is listed with " + gpus + " GPUs, but its name contains another number")
        : Optional.empty();
  }

  /**
   * Returns what is wrong with a price, as a sentence.
   *
   * @param leastPerGpu the lowest on-demand price per GPU of the model in any region and type, in
   *     USD per hour
   */
  static Optional<String> problem(
      ShippedType type, Market market, double usdPerHour, double leastPerGpu) {
    double share = market == Market.SPOT ? MIN_SPOT_SHARE : MAX_HOST_SHARE;
    double least = type.gpus() * leastPerGpu * share;
    return usdPerHour >= least
        ? Optional.empty()
        : Optional.of(
            "%s (%s) at %s USD/h is implausible: %d × %s alone cost more, so this is a host's price without its GPUs"
                .formatted(type.name(), market.word(), usdPerHour, type.gpus(), type.gpu()));
  }
}

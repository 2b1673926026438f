package io.elastune.provisioner.gcp.offers;

import io.elastune.core.offer.Market;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What must hold of a price before anybody plans with it. Google sells machines and their GPUs as
 * separate items: a list that lacks the latter gives prices that look like a bargain.
 */
final class PriceRules {
  /** The types that say themselves how many GPUs they have, e.g. {@code a2-highgpu-8g}. */
  private static final Pattern COUNTED = Pattern.compile("a[0-9]+-[a-z]+-([0-9]+)g");

  /** What virtual processors and memory alone cost at most, as a part of the whole, on demand. */
  private static final double HOST_SHARE = 0.7;

  /** On spot a GPU has never been sold at less than this part of its price on demand. */
  private static final double DEEPEST_CUT = 0.02;

  private PriceRules() {}

  /** What is wrong with a type's number of GPUs, in a sentence. */
  static Optional<String> problem(String type, int gpus) {
    Matcher named = COUNTED.matcher(type);
    return named.matches() && Integer.parseInt(named.group(1)) != gpus
        ? Optional.of(type + " is listed with " + gpus + " GPUs, and is named for another number")
        : Optional.empty();
  }

  /**
   * What is wrong with a price, in a sentence.
   *
   * @param leastPerGpu the least that one GPU of the model costs anywhere in a type that has little
   *     else, USD per hour on demand
   */
  static Optional<String> problem(
      ShippedType type, Market market, double usdPerHour, double leastPerGpu) {
    double share = market == Market.SPOT ? DEEPEST_CUT : HOST_SHARE;
    double least = type.gpus() * leastPerGpu * share;
    return usdPerHour >= least
        ? Optional.empty()
        : Optional.of(
            "%s (%s) at %s USD/h cannot be: %d × %s alone cost more, so this is a host's price without its GPUs"
                .formatted(type.name(), market.word(), usdPerHour, type.gpus(), type.gpu()));
  }
}

package io.elastune.inputs;

import io.elastune.core.offer.Offer;
import io.elastune.executor.engine.EngineProviders;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.ProcessorArchitecture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The offers whose processors can run trials.
 *
 * @param offers those that can
 * @param refusals why others cannot, one line for each reason, with the remedy
 */
public record ServedOffers(List<Offer> offers, List<String> refusals) {
  public ServedOffers {
    offers = List.copyOf(offers);
    refusals = List.copyOf(refusals);
  }

  /** Separates the offers. */
  public static ServedOffers of(CloudContext context, List<Offer> offers) {
    Map<String, Optional<String>> reasons = new HashMap<>();
    List<Offer> served = new ArrayList<>();
    Map<String, List<String>> refused = new LinkedHashMap<>();
    for (Offer offer : offers) {
      Optional<String> reason =
          reasons.computeIfAbsent(
              offer.provider() + " " + offer.instanceType(), type -> refusal(context, offer));
      if (reason.isEmpty()) {
        served.add(offer);
      } else {
        refused.computeIfAbsent(reason.get(), first -> new ArrayList<>()).add(offer.name());
      }
    }
    return new ServedOffers(
        served,
        refused.entrySet().stream()
            .map(entry -> names(entry.getValue()) + entry.getKey())
            .toList());
  }

  private static Optional<String> refusal(CloudContext context, Offer offer) {
    String architecture = ProcessorArchitecture.of(offer.provider(), offer.instanceType());
    return EngineProviders.of(offer.provider())
        .flatMap(engine -> engine.refusal(context, offer.provider(), architecture));
  }

  private static String names(List<String> offers) {
    return switch (offers.size()) {
      case 1 -> offers.get(0) + " has ";
      case 2 -> offers.get(0) + " and " + offers.get(1) + " have ";
      default -> offers.get(0) + " and " + (offers.size() - 1) + " other offers have ";
    };
  }
}

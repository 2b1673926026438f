package io.elastune.provisioner.aws.sdk;

import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The on-demand price of an instance type, parsed from the price list service.
 *
 * @param type the instance type
 * @param usdPerHour the price without discounts, in USD per hour
 */
record PriceListProduct(String type, double usdPerHour) {
  /** Parses a product; returns empty if it has no price above 0 in USD per hour. */
  static Optional<PriceListProduct> parse(String json) {
    try {
      JsonNode root = JsonMapper.shared().readTree(json);
      String type = root.at("/product/attributes/instanceType").asString("");
      for (JsonNode term : root.at("/terms/OnDemand")) {
        for (JsonNode dimension : term.path("priceDimensions")) {
          OptionalDouble usd = price(dimension.at("/pricePerUnit/USD").asString(""));
          boolean hourly = dimension.path("unit").asString("").equals("Hrs");
          if (hourly && !type.isEmpty() && usd.isPresent()) {
            return Optional.of(new PriceListProduct(type, usd.getAsDouble()));
          }
        }
      }
      return Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /** Parses a price above 0 in USD per hour; empty if it is none. */
  static OptionalDouble price(String text) {
    return String.valueOf(text).matches("[0-9]{1,6}(\\.[0-9]{1,12})?")
        ? OptionalDouble.of(Double.parseDouble(text)).stream().filter(usd -> usd > 0).findFirst()
        : OptionalDouble.empty();
  }
}

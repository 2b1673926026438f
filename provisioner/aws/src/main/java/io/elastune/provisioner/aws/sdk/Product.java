package io.elastune.provisioner.aws.sdk;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An instance type's price on demand, as the price list service writes it.
 *
 * @param type the instance type
 * @param usdPerHour without any discount
 */
record Product(String type, double usdPerHour) {
  /** Empty for whatever is not a price in USD per hour, such as one in another currency. */
  static Optional<Product> parse(String json) {
    try {
      JsonNode root = JsonMapper.shared().readTree(json);
      String type = root.at("/product/attributes/instanceType").asString("");
      for (JsonNode term : root.at("/terms/OnDemand")) {
        for (JsonNode dimension : term.path("priceDimensions")) {
          String usd = dimension.at("/pricePerUnit/USD").asString("");
          boolean hourly = dimension.path("unit").asString("").equals("Hrs");
          if (hourly && !type.isEmpty() && usd.matches("[0-9]{1,6}(\\.[0-9]{1,12})?")) {
            return Optional.of(new Product(type, Double.parseDouble(usd)));
          }
        }
      }
      return Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }
}

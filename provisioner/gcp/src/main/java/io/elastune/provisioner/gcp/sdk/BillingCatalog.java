package io.elastune.provisioner.gcp.sdk;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.model.GcloudEnvironment;
import io.elastune.provisioner.gcp.model.PriceCatalog;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads Google's public price catalog (Cloud Billing API v1, {@code services.skus.list}). It needs
 * an API key and no other credentials. The key is sent in a header, so that it appears in no URL.
 */
public final class BillingCatalog implements PriceCatalog {
  /** The environment variable with the API key. */
  public static final String KEY = "ELASTUNE_GCP_PRICE_KEY";

  private static final String ENDPOINT = "CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDBILLING";
  private static final String DEFAULT_ENDPOINT = "https://cloudbilling.googleapis.com";

  /** The path with Google's service ID of Compute Engine. */
  private static final String SKUS = "/v1/services/6F81-5844-456A/skus?currencyCode=USD&pageSize=";

  private static final int PAGE = 5000;
  private static final int TIMEOUT_MS = 60_000;
  private static final int OK = 200;
  private static final double NANO = 1e-9;

  private final String key;
  private final String endpoint;

  private BillingCatalog(String key) {
    this.key = key;
    this.endpoint =
        GcloudEnvironment.get(ENDPOINT).orElse(DEFAULT_ENDPOINT).replaceFirst("(/v1)?/?$", "");
  }

  /** Returns the catalog; empty without an API key. */
  public static Optional<PriceCatalog> find() {
    return GcloudEnvironment.get(KEY).map(String::strip).map(BillingCatalog::new);
  }

  @Override
  public void forEachItem(Consumer<Item> taker) {
    PagedLists.forEachPage(
        this::page,
        page -> page.path("nextPageToken").asString(""),
        page -> page.path("skus").valueStream().forEach(sku -> read(sku).ifPresent(taker)));
  }

  private JsonNode page(String token) {
    String query =
        token.isEmpty() ? "" : "&pageToken=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
    try {
      URI page = URI.create(endpoint + SKUS + PAGE + query);
      HttpURLConnection connection = (HttpURLConnection) page.toURL().openConnection();
      connection.setConnectTimeout(TIMEOUT_MS);
      connection.setReadTimeout(TIMEOUT_MS);
      connection.setRequestProperty("X-Goog-Api-Key", key);
      int status = connection.getResponseCode();
      try (InputStream body =
          status == OK ? connection.getInputStream() : connection.getErrorStream()) {
        if (status != OK) {
          throw rejected(status, body);
        }
        return JsonMapper.shared().readTree(body);
      } finally {
        connection.disconnect();
      }
    } catch (IOException | JacksonException e) {
      throw new CloudException(
          new CloudFailure.UnknownOutcome(
              "Google's price catalog did not respond: "
                  + ExceptionMessages.ofCall(e, "Google's price catalog")),
          e);
    }
  }

  private CloudException rejected(int status, InputStream body) throws IOException {
    String text = body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8);
    ErrorResponse answer = ErrorResponse.read(status, text.replace(key, "…"));
    String message = answer.message() + " [HTTP " + status + "]";
    boolean isKeyRejected = status == 400 || status == 401 || status == 403;
    return new CloudException(
        isKeyRejected
            ? new CloudFailure.Permission(
                "Google's price catalog rejected the key in "
                    + KEY
                    + ": it must be an API key of a project in which the Cloud Billing API"
                    + " (cloudbilling.googleapis.com) is enabled: "
                    + message)
            : new CloudFailure.UnknownOutcome(
                "Google's price catalog returned an error: " + message));
  }

  /** Parses an item; empty if it has no price in USD. */
  private static Optional<Item> read(JsonNode sku) {
    JsonNode timeline = sku.path("pricingInfo");
    JsonNode now = timeline.path(timeline.size() - 1).path("pricingExpression");
    double usd = -1;
    for (JsonNode step : now.path("tieredRates")) {
      JsonNode price = step.path("unitPrice");
      if (!price.path("currencyCode").asString("USD").equals("USD")) {
        return Optional.empty();
      }
      double units = price.path("units").asDouble(0); // a JSON string with a number
      usd = Math.max(usd, units + price.path("nanos").asDouble(0) * NANO);
    }
    Set<String> regions = new HashSet<>();
    sku.path("serviceRegions").forEach(region -> regions.add(region.asString("")));
    String usage = sku.path("category").path("usageType").asString("");
    return usd <= 0
        ? Optional.empty()
        : Optional.of(
            new Item(
                sku.path("description").asString(""),
                usage,
                regions,
                now.path("usageUnit").asString(""),
                usd));
  }
}

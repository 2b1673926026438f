package io.elastune.provisioner.gcp.sdk;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.model.GcloudEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls a JSON API of Google for which the project has no client library, with the credentials of
 * all calls.
 */
final class RestApi {
  private static final int TIMEOUT_MS = 10_000;
  private static final int OK = 200;

  private final ClientConfig clientConfig;
  private final SdkCalls sdkCalls;
  private final String endpoint;

  /**
   * Creates a client.
   *
   * @param api the name of the API, such as {@code cloudquotas}. The variable of gcloud with its
   *     upper-case name overrides the endpoint. An emulator of Compute Engine replaces all others,
   *     so that nothing but the emulator is called.
   */
  RestApi(ClientConfig clientConfig, String api) {
    this.clientConfig = clientConfig;
    sdkCalls = new SdkCalls(clientConfig);
    endpoint =
        GcloudEnvironment.get("CLOUDSDK_API_ENDPOINT_OVERRIDES_" + api.toUpperCase(Locale.ROOT))
            .map(url -> url.replaceFirst("(/v1)?/?$", ""))
            .or(clientConfig::endpoint)
            .orElse("https://" + api + ".googleapis.com");
  }

  /**
   * Reads a resource.
   *
   * @param action the permission that the call needs
   */
  JsonNode get(String action, String path) {
    return call(action, path, Optional.empty());
  }

  /** Sends a body to a method. */
  JsonNode post(String action, String path, JsonNode body) {
    return call(action, path, Optional.of(body.toString()));
  }

  private JsonNode call(String action, String path, Optional<String> body) {
    sdkCalls.checkCredentials(action);
    try {
      HttpURLConnection connection = open(path);
      try {
        if (body.isPresent()) {
          connection.setRequestMethod("POST");
          connection.setDoOutput(true);
          connection.setRequestProperty("Content-Type", "application/json");
          connection.getOutputStream().write(body.get().getBytes(StandardCharsets.UTF_8));
        }
        int status = connection.getResponseCode();
        String answer =
            text(status == OK ? connection.getInputStream() : connection.getErrorStream());
        if (status != OK) {
          throw new CloudException(ErrorResponse.read(status, answer).failure(action));
        }
        return JsonMapper.shared().readTree(answer);
      } finally {
        connection.disconnect();
      }
    } catch (IOException | JacksonException e) {
      throw new CloudException(
          new CloudFailure.UnknownOutcome(
              action
                  + " got no response from "
                  + endpoint
                  + ": "
                  + ExceptionMessages.ofCall(e, endpoint)),
          e);
    }
  }

  private HttpURLConnection open(String path) throws IOException {
    URI uri = URI.create(endpoint + path);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MS);
    connection.setReadTimeout(TIMEOUT_MS);
    for (Map.Entry<String, List<String>> header :
        clientConfig.credentials().getRequestMetadata(uri).entrySet()) {
      header.getValue().forEach(value -> connection.addRequestProperty(header.getKey(), value));
    }
    return connection;
  }

  private static String text(InputStream stream) throws IOException {
    return stream == null ? "" : new String(stream.readAllBytes(), StandardCharsets.UTF_8);
  }
}

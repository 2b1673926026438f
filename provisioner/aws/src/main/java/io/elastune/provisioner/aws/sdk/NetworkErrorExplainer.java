package io.elastune.provisioner.aws.sdk;

import io.elastune.provisioner.NetworkFailure;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Explains network errors; the SDK does not name the endpoint. */
final class NetworkErrorExplainer {
  private NetworkErrorExplainer() {}

  static String message(String action, SdkClientException e) {
    Optional<String> endpoint =
        Optional.ofNullable(System.getProperty("aws.endpointUrl"))
            .or(() -> Optional.ofNullable(System.getenv("AWS_ENDPOINT_URL")));
    return action
        + " got no response"
        + endpoint.map(url -> " from " + url + " (AWS_ENDPOINT_URL)").orElse("")
        + ": "
        + NetworkFailure.find(e, "the endpoint").orElseGet(() -> firstLine(e));
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage())
        .lines()
        .findFirst()
        .orElse("")
        .replace("Unable to execute HTTP request: ", "")
        .replaceAll("\\s*\\(SDK (Attempt Count|Diagnostics): [^)]*\\)", "")
        .strip();
  }
}

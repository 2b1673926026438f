package io.elastune.provisioner.aws.sdk;

import java.net.UnknownHostException;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Explains network errors; the SDK names neither the endpoint nor an unknown host. */
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
        + unknownHost(e).orElseGet(() -> firstLine(e));
  }

  private static Optional<String> unknownHost(Throwable e) {
    for (Throwable some = e; some != null; some = some.getCause()) {
      if (some instanceof UnknownHostException) {
        return Optional.of(
            "unknown host "
                + some.getMessage()
                + "; check the region name and the network connection");
      }
    }
    return Optional.empty();
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

package io.elastune.provisioner.aws.sdk;

import java.net.UnknownHostException;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Why a call has got no answer: the SDK names neither where it asked nor which host is unknown. */
final class Silence {
  private Silence() {}

  static String message(String action, SdkClientException e) {
    Optional<String> elsewhere =
        Optional.ofNullable(System.getProperty("aws.endpointUrl"))
            .or(() -> Optional.ofNullable(System.getenv("AWS_ENDPOINT_URL")));
    return action
        + " got no answer"
        + elsewhere.map(url -> " from " + url + " (AWS_ENDPOINT_URL)").orElse("")
        + ": "
        + unknownHost(e).orElseGet(() -> said(e));
  }

  private static Optional<String> unknownHost(Throwable e) {
    for (Throwable some = e; some != null; some = some.getCause()) {
      if (some instanceof UnknownHostException) {
        return Optional.of(
            "there is no host "
                + some.getMessage()
                + "; maybe the region is misspelt, or this machine is offline");
      }
    }
    return Optional.empty();
  }

  private static String said(Exception e) {
    return String.valueOf(e.getMessage())
        .lines()
        .findFirst()
        .orElse("")
        .replace("Unable to execute HTTP request: ", "")
        .replaceAll("\\s*\\(SDK (Attempt Count|Diagnostics): [^)]*\\)", "")
        .strip();
  }
}

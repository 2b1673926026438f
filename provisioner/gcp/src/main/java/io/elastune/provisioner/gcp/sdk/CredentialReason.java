package io.elastune.provisioner.gcp.sdk;

import com.google.api.client.http.HttpResponseException;
import com.google.auth.Credentials;
import com.google.auth.oauth2.ComputeEngineCredentials;
import com.google.auth.oauth2.ExternalAccountCredentials;
import com.google.auth.oauth2.ImpersonatedCredentials;
import com.google.auth.oauth2.ServiceAccountCredentials;
import com.google.auth.oauth2.UserCredentials;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** States why no token could be obtained, and how to fix it, for each type of credentials. */
final class CredentialReason {
  private static final int LONGEST = 300;

  private CredentialReason() {}

  /** Returns the reason and the remedy as clauses. */
  static String of(Credentials credentials, IOException e) {
    return reason(e) + "; " + remedy(credentials);
  }

  /** A token server's answer is more specific than the library's message, which may quote it. */
  private static String reason(IOException e) {
    return Stream.<Throwable>iterate(e, some -> some != null, Throwable::getCause)
        .filter(HttpResponseException.class::isInstance)
        .map(HttpResponseException.class::cast)
        .findFirst()
        .map(CredentialReason::answer)
        .orElseGet(() -> shortened(ExceptionMessages.ofCall(e, "the token server")));
  }

  private static String answer(HttpResponseException e) {
    JsonNode json = json(Optional.ofNullable(e.getContent()).orElse(""));
    JsonNode error = json.path("error");
    String code = error.isObject() ? error.path("status").asString("") : error.asString("");
    String text =
        error.isObject()
            ? error.path("message").asString("")
            : json.path("error_description").asString("");
    String details =
        Stream.of(code, text)
            .filter(some -> !some.isEmpty())
            .reduce("", (a, b) -> a.isEmpty() ? b : a + ": " + b);
    return "the token server answered HTTP "
        + e.getStatusCode()
        + (details.isEmpty() ? "" : " " + shortened(details));
  }

  private static JsonNode json(String body) {
    try {
      return JsonMapper.shared().readTree(body);
    } catch (JacksonException e) {
      return JsonMapper.shared().createObjectNode(); // for example a proxy's error page
    }
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }

  private static String remedy(Credentials credentials) {
    if (credentials instanceof UserCredentials) {
      return "log in with 'gcloud auth application-default login'";
    }
    if (credentials instanceof ImpersonatedCredentials) {
      return "log in again, or grant roles/iam.serviceAccountTokenCreator on the impersonated"
          + " service account";
    }
    if (credentials instanceof ExternalAccountCredentials) {
      return "check the workload identity pool and the source of its tokens";
    }
    if (credentials instanceof ComputeEngineCredentials) {
      return "attach a service account with the scope cloud-platform to this instance";
    }
    return credentials instanceof ServiceAccountCredentials
        ? "check that the key of the service account is not deleted or disabled"
        : "log in with 'gcloud auth application-default login'";
  }
}

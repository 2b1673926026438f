package io.elastune.provisioner.gcp.sdk;

import io.elastune.provisioner.CloudFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An error response from Google.
 *
 * @param status the HTTP status
 * @param codes Google's error codes, the most specific first
 * @param message Google's message
 * @param service the service that Google names, such as {@code compute.googleapis.com}
 */
record ErrorResponse(int status, List<String> codes, String message, String service) {
  /** Finds the permission in Google's message. */
  private static final Pattern PERMISSION =
      Pattern.compile("(?:Required|Permission) '?([a-z]+\\.[A-Za-z.]+)'? (?:permission|denied)");

  /** The permission to create an instance. */
  static final String CREATE = "compute.instances.create";

  /** The permission to read what a node reports. */
  static final String READ_GUEST_ATTRIBUTES = "compute.instances.getGuestAttributes";

  private static final String NOT_FOUND = "notFound";
  private static final String COMPUTE = "compute.googleapis.com";

  /** Parses the body of a response, which may come from a proxy instead of Google. */
  static ErrorResponse read(int status, String body) {
    JsonNode error = json(body).path("error");
    List<String> codes = new ArrayList<>();
    error
        .path("details")
        .valueStream()
        .map(detail -> detail.path("reason").asString(""))
        .filter(code -> !code.isEmpty())
        .forEach(codes::add);
    error
        .path("errors")
        .valueStream()
        .map(some -> some.path("reason").asString(""))
        .filter(code -> !code.isEmpty())
        .forEach(codes::add);
    String statusCode = error.path("status").asString("");
    if (!statusCode.isEmpty()) {
      codes.add(statusCode);
    }
    String message = error.path("message").asString("no further details");
    String service =
        error
            .path("details")
            .valueStream()
            .map(detail -> detail.path("metadata").path("service").asString(""))
            .filter(name -> !name.isEmpty())
            .findFirst()
            .orElse(COMPUTE);
    return new ErrorResponse(status, codes, message.strip().replaceAll("\\s+", " "), service);
  }

  private static JsonNode json(String body) {
    try {
      return JsonMapper.shared().readTree(body);
    } catch (JacksonException e) {
      return JsonMapper.shared().createObjectNode(); // for example a proxy's error page
    }
  }

  /** Returns whether Google reports that the resource does not exist. */
  boolean isNotFound() {
    return codes.contains(NOT_FOUND);
  }

  /** Returns the failure of a call that needs the permission {@code action}. */
  CloudFailure failure(String action) {
    String code = codes.isEmpty() ? "HTTP " + status : codes.get(0);
    String details = message + " [" + code + "]";
    if (action.equals(READ_GUEST_ATTRIBUTES) && codes.contains("conditionNotMet")) {
      return new CloudFailure.Permission(
          "guest attributes, with which nodes report why they fail, are forbidden; remove the"
              + " constraint compute.disableGuestAttributesAccess from this project: "
              + details);
    }
    CloudFailure any = ErrorCodes.failure(codes, status, action + ": " + details);
    CloudFailure plain = action.equals(CREATE) ? ErrorCodes.ofCreation(codes, any) : any;
    return plain instanceof CloudFailure.Permission ? permission(action, details) : plain;
  }

  private CloudFailure permission(String action, String details) {
    if (codes.contains("SERVICE_DISABLED") || codes.contains("accessNotConfigured")) {
      return new CloudFailure.Permission(
          "the "
              + (service.equals(COMPUTE) ? "Compute Engine API" : "API " + service)
              + " is not enabled in this project; run 'gcloud services enable "
              + service
              + "': "
              + details);
    }
    if (codes.contains("BILLING_DISABLED")
        || codes.contains("billingNotEnabled")
        || message.contains("billing to be enabled")) {
      return new CloudFailure.Permission(
          "this project has no billing account; run 'gcloud billing projects link PROJECT"
              + " --billing-account ACCOUNT': "
              + details);
    }
    if (status == 401) {
      return new CloudFailure.Permission(
          "Google rejected these credentials; log in with 'gcloud auth application-default"
              + " login': "
              + details,
          true);
    }
    Matcher named = PERMISSION.matcher(message);
    return new CloudFailure.Permission(
        "these Google credentials lack the permission "
            + (named.find() ? named.group(1) : action)
            + ": "
            + details);
  }
}

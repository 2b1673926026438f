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
 * What Google answers instead of doing what it was asked for.
 *
 * @param status of HTTP
 * @param codes its codes for it, from the most to the least telling
 * @param message its sentence
 */
record ErrorAnswer(int status, List<String> codes, String message) {
  /** The permission in Google's own sentence, where it has one. */
  private static final Pattern PERMISSION =
      Pattern.compile("(?:Required|Permission) '?([a-z]+\\.[A-Za-z.]+)'? (?:permission|denied)");

  private static final String NOT_FOUND = "notFound";

  /** Reads the body of an answer, be it none of Google's. */
  static ErrorAnswer read(int status, String body) {
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
    String word = error.path("status").asString("");
    if (!word.isEmpty()) {
      codes.add(word);
    }
    String message = error.path("message").asString("no further word");
    return new ErrorAnswer(status, codes, message.strip().replaceAll("\\s+", " "));
  }

  private static JsonNode json(String body) {
    try {
      return JsonMapper.shared().readTree(body);
    } catch (JacksonException e) {
      return JsonMapper.shared().createObjectNode(); // a page of some proxy between us
    }
  }

  /** Whether Google says that there is no such thing. */
  boolean notFound() {
    return codes.contains(NOT_FOUND);
  }

  /** What it means, for a call that needs the permission {@code action}. */
  CloudFailure failure(String action) {
    String code = codes.isEmpty() ? "HTTP " + status : codes.get(0);
    String said = message + " [" + code + "]";
    CloudFailure plain = ErrorCodes.failure(codes, status, action + ": " + said);
    return plain instanceof CloudFailure.Permission ? permission(action, said) : plain;
  }

  private CloudFailure permission(String action, String said) {
    if (codes.contains("SERVICE_DISABLED") || codes.contains("accessNotConfigured")) {
      return new CloudFailure.Permission(
          "the Compute Engine API is not enabled in this project: 'gcloud services enable"
              + " compute.googleapis.com' does that: "
              + said);
    }
    if (codes.contains("BILLING_DISABLED")
        || codes.contains("billingNotEnabled")
        || message.contains("billing to be enabled")) {
      return new CloudFailure.Permission(
          "this project has no billing account: 'gcloud billing projects link PROJECT"
              + " --billing-account ACCOUNT' gives it one: "
              + said);
    }
    if (status == 401) {
      return new CloudFailure.Permission(
          "these Google credentials are not taken, log in with 'gcloud auth application-default"
              + " login': "
              + said);
    }
    Matcher named = PERMISSION.matcher(message);
    return new CloudFailure.Permission(
        "these Google credentials may not "
            + (named.find() ? named.group(1) : action)
            + ": "
            + said);
  }
}

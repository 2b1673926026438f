package io.elastune.provisioner.gcp.fake;

import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** An error response of the fake. */
final class ApiError extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String reason;
  private final String service;

  ApiError(int status, String reason, String message) {
    this(status, reason, message, Optional.empty());
  }

  /** An error that names the API that it is about, such as {@code iam.googleapis.com}. */
  ApiError(int status, String reason, String message, Optional<String> service) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.service = service.orElse("");
  }

  static ApiError notFound(String what) {
    return new ApiError(404, "notFound", "The resource '" + what + "' was not found");
  }

  static ApiError throttled() {
    return new ApiError(
        403, "rateLimitExceeded", "Quota exceeded for quota group 'default' per user and minute.");
  }

  static ApiError internal() {
    return new ApiError(503, "backendError", "Internal error. Please try again.");
  }

  int status() {
    return status;
  }

  String json() {
    ObjectNode answer = JsonMapper.shared().createObjectNode();
    ObjectNode error = answer.putObject("error");
    error.put("code", status).put("message", String.valueOf(getMessage()));
    error
        .putArray("errors")
        .addObject()
        .put("message", String.valueOf(getMessage()))
        .put("domain", "global")
        .put("reason", reason);
    if (!service.isEmpty()) {
      error
          .putArray("details")
          .addObject()
          .put("reason", reason)
          .putObject("metadata")
          .put("service", service);
    }
    return answer.toString();
  }
}

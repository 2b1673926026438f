package io.elastune.provisioner.gcp.sdk;

import io.elastune.provisioner.CloudFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Maps Google's error codes, of rejected calls and of failed operations, to failures. An unknown
 * code is {@code Invalid} for HTTP 4xx, or {@code Unrecognized} for the creation of an instance,
 * otherwise {@code UnknownOutcome}.
 */
final class ErrorCodes {
  private static final List<String> CAPACITY =
      List.of(
          "ZONE_RESOURCE_POOL_EXHAUSTED",
          "ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS",
          "RESOURCE_POOL_EXHAUSTED",
          "RESOURCE_POOL_EXHAUSTED_WITH_DETAILS",
          "STOCKOUT",
          "IP_SPACE_EXHAUSTED",
          "IP_SPACE_EXHAUSTED_WITH_DETAILS",
          "UNAVAILABLE_IN_ZONE",
          "GPU_STOCKOUT",
          "REGION_RESOURCE_POOL_EXHAUSTED",
          "insufficientCapacity",
          "SPECIFIC_RESERVATION_NOT_FOUND",
          "UNSUPPORTED_OPERATION"); // a spot instance that is preempted while it is created

  private static final List<String> QUOTA =
      List.of("QUOTA_EXCEEDED", "quotaExceeded", "limitExceeded", "LIMIT_EXCEEDED");

  private static final List<String> PERMISSION =
      List.of(
          "forbidden",
          "insufficientPermissions",
          "authError",
          "required_login",
          "accessNotConfigured",
          "accountDisabled",
          "billingNotEnabled",
          "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
          "BILLING_DISABLED",
          "CONSUMER_INVALID",
          "CREDENTIALS_MISSING",
          "IAM_PERMISSION_DENIED",
          "PERMISSION_DENIED",
          "PERMISSIONS_ERROR",
          "SERVICE_DISABLED",
          "UNAUTHENTICATED",
          "USER_PROJECT_DENIED");

  private static final List<String> THROTTLED =
      List.of(
          "rateLimitExceeded",
          "userRateLimitExceeded",
          "concurrentLimitExceeded",
          "operationRateExceeded",
          "resourceNotReady", // a resource that it needs is being created
          "RATE_LIMIT_EXCEEDED",
          "RESOURCE_OPERATION_RATE_EXCEEDED",
          "RESOURCE_EXHAUSTED",
          "RESOURCE_NOT_READY");

  private static final List<String> UNKNOWN_OUTCOME =
      List.of(
          "alreadyExists", // something with that name was created before
          "backendError",
          "internalError",
          "INTERNAL_ERROR",
          "RESOURCE_ALREADY_EXISTS",
          "UNAVAILABLE",
          "OPERATION_CANCELED_BY_USER");

  /** Codes that certainly concern the request itself: no zone and no offer accepts it. */
  private static final Set<String> REQUEST =
      Set.of(
          "badRequest",
          "invalid",
          "invalidParameter",
          "parseError",
          "required",
          "INVALID_ARGUMENT",
          "INVALID_FIELD_VALUE",
          "INVALID_USAGE",
          "REQUIRED_FIELD_MISSING");

  /** Matches Google's messages for a type that a zone does not have; the code is not specific. */
  private static final Pattern NOT_IN_ZONE =
      Pattern.compile(
          "(?i)does not exist in zone|not (available|supported|found) in (the )?(specified )?zone"
              + "|accelerator type .* (was )?not found");

  private static final Map<String, Function<String, CloudFailure>> FAILURES = failures();
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int TOO_MANY = 429;
  private static final int SERVER_FAULT = 500;

  private ErrorCodes() {}

  /**
   * Returns the failure for an error.
   *
   * @param codes Google's error codes, the most specific first
   * @param status the HTTP status
   * @param message the message of the failure
   */
  static CloudFailure failure(List<String> codes, int status, String message) {
    Optional<Function<String, CloudFailure>> known =
        codes.stream()
            .flatMap(code -> Optional.ofNullable(FAILURES.get(code)).stream())
            .findFirst();
    if (known.isPresent()) {
      return known.get().apply(message);
    }
    if (NOT_IN_ZONE.matcher(message).find()) {
      return new CloudFailure.Capacity(message);
    }
    return byStatus(status, message);
  }

  /** Returns the failure of the creation of an instance. Another zone may accept most requests. */
  static CloudFailure ofCreation(List<String> codes, CloudFailure plain) {
    return plain instanceof CloudFailure.Invalid invalid
            && codes.stream().noneMatch(REQUEST::contains)
        ? new CloudFailure.Unrecognized(invalid.message())
        : plain;
  }

  private static CloudFailure byStatus(int status, String message) {
    if (status >= SERVER_FAULT) {
      return new CloudFailure.UnknownOutcome(message);
    }
    return switch (status) {
      case UNAUTHORIZED, FORBIDDEN -> new CloudFailure.Permission(message);
      case TOO_MANY -> new CloudFailure.Throttled(message);
      default -> new CloudFailure.Invalid(message);
    };
  }

  private static Map<String, Function<String, CloudFailure>> failures() {
    Map<String, Function<String, CloudFailure>> failures = new HashMap<>();
    CAPACITY.forEach(code -> failures.put(code, CloudFailure.Capacity::new));
    QUOTA.forEach(code -> failures.put(code, CloudFailure.QuotaExceeded::new));
    PERMISSION.forEach(code -> failures.put(code, CloudFailure.Permission::new));
    THROTTLED.forEach(code -> failures.put(code, CloudFailure.Throttled::new));
    UNKNOWN_OUTCOME.forEach(code -> failures.put(code, CloudFailure.UnknownOutcome::new));
    return failures;
  }
}

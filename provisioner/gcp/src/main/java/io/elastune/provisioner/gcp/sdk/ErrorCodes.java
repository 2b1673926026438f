package io.elastune.provisioner.gcp.sdk;

import io.elastune.provisioner.CloudFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * What Google's error codes mean to us: the one table, for the reasons that calls are refused with
 * and for the codes that operations fail with. What is not in it is {@code Invalid} if Google
 * blames the request (HTTP 4xx), else {@code UnknownOutcome}.
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
          "UNAVAILABLE_IN_ZONE");

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
          "resourceNotReady", // what it needs is just being made
          "RATE_LIMIT_EXCEEDED",
          "RESOURCE_OPERATION_RATE_EXCEEDED",
          "RESOURCE_EXHAUSTED",
          "RESOURCE_NOT_READY");

  private static final List<String> UNKNOWN_OUTCOME =
      List.of(
          "alreadyExists", // something was made of that name before
          "backendError",
          "internalError",
          "INTERNAL_ERROR",
          "RESOURCE_ALREADY_EXISTS",
          "UNAVAILABLE",
          "OPERATION_CANCELED_BY_USER");

  /** With which words Google refuses what a zone does not have at all; its code tells nothing. */
  private static final Pattern NOT_THERE =
      Pattern.compile(
          "(?i)does not exist in zone|not (available|supported|found) in (the )?(specified )?zone"
              + "|accelerator type .* (was )?not found");

  private static final Map<String, Function<String, CloudFailure>> KINDS = kinds();
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int TOO_MANY = 429;
  private static final int SERVER_FAULT = 500;

  private ErrorCodes() {}

  /**
   * What an error means.
   *
   * @param codes from the most to the least telling
   * @param status of HTTP
   * @param message what is told of it
   */
  static CloudFailure failure(List<String> codes, int status, String message) {
    Optional<Function<String, CloudFailure>> known =
        codes.stream().flatMap(code -> Optional.ofNullable(KINDS.get(code)).stream()).findFirst();
    if (known.isPresent()) {
      return known.get().apply(message);
    }
    if (NOT_THERE.matcher(message).find()) {
      return new CloudFailure.Capacity(message);
    }
    return byStatus(status, message);
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

  private static Map<String, Function<String, CloudFailure>> kinds() {
    Map<String, Function<String, CloudFailure>> kinds = new HashMap<>();
    CAPACITY.forEach(code -> kinds.put(code, CloudFailure.Capacity::new));
    QUOTA.forEach(code -> kinds.put(code, CloudFailure.Quota::new));
    PERMISSION.forEach(code -> kinds.put(code, CloudFailure.Permission::new));
    THROTTLED.forEach(code -> kinds.put(code, CloudFailure.Throttled::new));
    UNKNOWN_OUTCOME.forEach(code -> kinds.put(code, CloudFailure.UnknownOutcome::new));
    return kinds;
  }
}

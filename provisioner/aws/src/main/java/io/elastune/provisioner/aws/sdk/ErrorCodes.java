package io.elastune.provisioner.aws.sdk;

import io.elastune.provisioner.CloudFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Maps AWS error codes to cloud failures. An unlisted code is {@code Invalid} with HTTP status 4xx,
 * and {@code UnknownOutcome} otherwise.
 */
final class ErrorCodes {
  private static final List<String> CAPACITY =
      List.of(
          "InsufficientInstanceCapacity",
          "InsufficientHostCapacity",
          "InsufficientReservedInstanceCapacity",
          "InsufficientCapacity",
          "InsufficientFreeAddressesInSubnet",
          "ReservationCapacityExceeded",
          "SpotMaxPriceTooLow",
          "UnfulfillableCapacity",
          "Unsupported"); // the type is not offered in that zone

  private static final List<String> QUOTA =
      List.of(
          "VcpuLimitExceeded",
          "InstanceLimitExceeded",
          "MaxSpotInstanceCountExceeded",
          "VolumeLimitExceeded",
          "MaxIOPSLimitExceeded");

  private static final List<String> PERMISSION =
      List.of(
          "UnauthorizedOperation",
          "AuthFailure",
          "AuthFailure.ServiceLinkedRoleCreationNotPermitted",
          "AccessDenied",
          "AccessDeniedException",
          "Blocked",
          "ExpiredToken",
          "ExpiredTokenException",
          "InvalidAccessKeyId",
          "InvalidClientTokenId",
          "MissingAuthenticationToken",
          "OptInRequired",
          "PendingVerification",
          "RequestExpired",
          "SignatureDoesNotMatch",
          "UnrecognizedClientException");

  private static final List<String> THROTTLED =
      List.of(
          "EC2ThrottledException",
          SdkPlacementGroups.UNKNOWN, // a new group is not visible to all of EC2 immediately
          "RequestLimitExceeded",
          "RequestThrottled",
          "SlowDown",
          "Throttling",
          "ThrottlingException",
          "TooManyRequestsException");

  private static final List<String> UNKNOWN_OUTCOME =
      List.of(
          "IdempotentParameterMismatch", // the token was used for another launch
          "IdempotentInstanceTerminated",
          "InternalError",
          "InternalFailure",
          "RequestTimeout",
          "ServiceUnavailable",
          "Unavailable");

  private static final Map<String, Function<String, CloudFailure>> KINDS = kinds();
  private static final int SERVER_FAULT = 500;

  private ErrorCodes() {}

  /** Returns the failure for a code, with this message. */
  static CloudFailure failure(String code, int status, String message) {
    Function<String, CloudFailure> kind = KINDS.get(code);
    if (kind != null) {
      return kind.apply(message);
    }
    return status >= SERVER_FAULT
        ? new CloudFailure.UnknownOutcome(message)
        : new CloudFailure.Invalid(message);
  }

  private static Map<String, Function<String, CloudFailure>> kinds() {
    Map<String, Function<String, CloudFailure>> kinds = new HashMap<>();
    CAPACITY.forEach(code -> kinds.put(code, CloudFailure.Capacity::new));
    QUOTA.forEach(code -> kinds.put(code, CloudFailure.QuotaExceeded::new));
    PERMISSION.forEach(code -> kinds.put(code, CloudFailure.Permission::new));
    THROTTLED.forEach(code -> kinds.put(code, CloudFailure.Throttled::new));
    UNKNOWN_OUTCOME.forEach(code -> kinds.put(code, CloudFailure.UnknownOutcome::new));
    return kinds;
  }
}

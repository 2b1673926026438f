package io.elastune.provisioner.aws.sdk;

import io.elastune.provisioner.CloudFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Maps AWS error codes to cloud failures. An unlisted code is {@code Invalid} with HTTP status 4xx,
 * or {@code Unrecognized} for a launch, and {@code UnknownOutcome} otherwise. The codes are those
 * of "Error codes for the Amazon EC2 API" in the API reference.
 */
final class ErrorCodes {
  /** That of a placement group that does not exist, or is not visible yet. */
  static final String UNKNOWN_GROUP = "InvalidPlacementGroup.Unknown";

  private static final List<String> CAPACITY =
      List.of(
          "InsufficientInstanceCapacity",
          "InsufficientHostCapacity",
          "InsufficientReservedInstanceCapacity",
          "InsufficientVolumeCapacity",
          "InvalidHostState",
          "InsufficientCapacity",
          "InsufficientFreeAddressesInSubnet",
          "ReservationCapacityExceeded",
          "SpotMaxPriceTooLow",
          "UnfulfillableCapacity",
          "Unsupported"); // the type is not offered in that zone

  /** The quotas of instances, among many others. */
  private static final Set<String> INSTANCE_LIMITS =
      Set.of("VcpuLimitExceeded", "InstanceLimitExceeded", "MaxSpotInstanceCountExceeded");

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
          UNKNOWN_GROUP, // a new group is not visible to all of EC2 immediately
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

  /**
   * Quotas have many codes, such as AddressLimitExceeded; that of calls is listed as throttling.
   */
  private static final Pattern LIMIT = Pattern.compile("\\w*(Limit|Quota)Exceeded|Max\\w+Exceeded");

  /** Codes that certainly concern the request itself: no zone and no offer accepts it. */
  private static final Set<String> REQUEST =
      Set.of(
          "InvalidAMIID.Malformed",
          "InvalidAMIID.NotFound",
          "InvalidAMIID.Unavailable",
          "InvalidBlockDeviceMapping",
          "InvalidCharacter",
          "InvalidGroup.NotFound",
          "InvalidGroupId.Malformed",
          "InvalidKeyPair.NotFound",
          "InvalidLaunchTemplateId.Malformed",
          "InvalidLaunchTemplateId.NotFound",
          "InvalidLaunchTemplateId.VersionNotFound",
          "InvalidLaunchTemplateName.NotFoundException",
          "InvalidParameter",
          "InvalidParameterCombination",
          "InvalidParameterDependency",
          "InvalidParameterValue",
          "InvalidQueryParameter",
          "InvalidSecurityGroupID.NotFound",
          "InvalidUserData.Malformed",
          "MalformedQueryString",
          "MissingParameter",
          "TagPolicyViolation",
          "UnknownParameter",
          "ValidationError");

  /** EC2's message about a role that was made seconds ago; the code is that of any wrong value. */
  private static final Pattern PROFILE =
      Pattern.compile("(?i)iam ?instance ?profile|invalid iam role");

  private static final Map<String, Function<String, CloudFailure>> KINDS = kinds();
  private static final int SERVER_FAULT = 500;

  private ErrorCodes() {}

  /** Returns the failure for a code, with this message. */
  static CloudFailure failure(String code, int status, String message) {
    Function<String, CloudFailure> kind = KINDS.get(code);
    if (kind != null) {
      return kind.apply(message);
    }
    if (LIMIT.matcher(code).matches()) {
      return new CloudFailure.QuotaExceeded(message);
    }
    return status >= SERVER_FAULT
        ? new CloudFailure.UnknownOutcome(message)
        : new CloudFailure.Invalid(message);
  }

  /** Returns whether a code is that of a quota of instances, and not of volumes or addresses. */
  static boolean limitsInstances(String code) {
    return INSTANCE_LIMITS.contains(code);
  }

  /** Returns the failure of a launch for its code. Another zone may accept most requests. */
  static CloudFailure ofLaunch(String code, CloudFailure plain) {
    if (!(plain instanceof CloudFailure.Invalid invalid)) {
      return plain;
    }
    if (PROFILE.matcher(invalid.message()).find()) {
      return new CloudFailure.NotVisibleYet(invalid.message());
    }
    return REQUEST.contains(code) ? plain : new CloudFailure.Unrecognized(invalid.message());
  }

  private static Map<String, Function<String, CloudFailure>> kinds() {
    Map<String, Function<String, CloudFailure>> kinds = new HashMap<>();
    CAPACITY.forEach(code -> kinds.put(code, CloudFailure.Capacity::new));
    PERMISSION.forEach(code -> kinds.put(code, CloudFailure.Permission::new));
    THROTTLED.forEach(code -> kinds.put(code, CloudFailure.Throttled::new));
    UNKNOWN_OUTCOME.forEach(code -> kinds.put(code, CloudFailure.UnknownOutcome::new));
    return kinds;
  }
}

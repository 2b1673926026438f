package io.elastune.provisioner.aws.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudFailure;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorCodesTest {
  @ParameterizedTest
  @CsvSource({
    "InsufficientInstanceCapacity, 500, Capacity",
    "Unsupported, 400, Capacity",
    "VcpuLimitExceeded, 400, QuotaExceeded",
    "MaxSpotInstanceCountExceeded, 400, QuotaExceeded",
    "UnauthorizedOperation, 403, Permission",
    "ExpiredToken, 400, Permission",
    "RequestLimitExceeded, 503, Throttled",
    "InternalError, 500, UnknownOutcome",
    "IdempotentParameterMismatch, 400, UnknownOutcome",
    "InvalidAMIID.NotFound, 400, Invalid",
    "InsufficientVolumeCapacity, 500, Capacity",
    "InvalidHostState, 400, Capacity",
    "ReservationCapacityExceeded, 400, Capacity",
    "AddressLimitExceeded, 400, QuotaExceeded",
    "MaxNetworkInterfacesPerSomethingExceeded, 400, QuotaExceeded",
    "RequestLimitExceeded, 400, Throttled",
    "UnlistedCode, 400, Invalid",
    "UnlistedCode, 503, UnknownOutcome"
  })
  void mapsCodesToFailures(String code, int status, String kind) {
    CloudFailure failure = ErrorCodes.failure(code, status, "the message");
    assertThat(failure.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(failure.message()).isEqualTo("the message");
  }

  @ParameterizedTest
  @CsvSource({
    "UnlistedCode, something, Unrecognized",
    "InvalidSubnetID.NotFound, the subnet of a zone, Unrecognized",
    "InvalidParameterCombination, two parameters, Invalid",
    "InvalidParameterValue, the value of a parameter, Invalid",
    "InvalidParameterValue, Value (x) for parameter iamInstanceProfile.name is invalid, NotVisibleYet",
    "InvalidParameterValue, Invalid IAM Instance Profile name, NotVisibleYet"
  })
  void onlyErrorsOfTheRequestItselfEndALaunch(String code, String message, String kind) {
    CloudFailure failure = ErrorCodes.ofLaunch(code, ErrorCodes.failure(code, 400, message));

    assertThat(failure.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(failure.message()).isEqualTo(message);
  }
}

package io.elastune.provisioner.gcp.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudFailure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorResponseTest {
  @ParameterizedTest
  @CsvSource({
    "ZONE_RESOURCE_POOL_EXHAUSTED, Capacity",
    "ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS, Capacity",
    "STOCKOUT, Capacity",
    "GPU_STOCKOUT, Capacity",
    "REGION_RESOURCE_POOL_EXHAUSTED, Capacity",
    "insufficientCapacity, Capacity",
    "SPECIFIC_RESERVATION_NOT_FOUND, Capacity",
    "UNSUPPORTED_OPERATION, Capacity",
    "QUOTA_EXCEEDED, QuotaExceeded",
    "PERMISSIONS_ERROR, Permission",
    "RESOURCE_OPERATION_RATE_EXCEEDED, Throttled",
    "INTERNAL_ERROR, UnknownOutcome",
    "RESOURCE_NOT_FOUND, Invalid",
    "CODES_TO_COME, Invalid",
  })
  void mapsErrorCodesOfOperations(String code, String kind) {
    CloudFailure failure =
        ErrorCodes.failure(List.of(code), 400, "insert: it failed [" + code + "]");
    assertThat(failure.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(failure.message()).contains(code);
  }

  /** A zone may lack a resource that another one has. */
  @ParameterizedTest
  @CsvSource({
    "RESOURCE_NOT_FOUND, Unrecognized",
    "CODES_TO_COME, Unrecognized",
    "INVALID_FIELD_VALUE, Invalid",
    "GPU_STOCKOUT, Capacity",
  })
  void onlyErrorsOfTheRequestItselfEndACreation(String code, String kind) {
    List<String> codes = List.of(code);
    CloudFailure plain = ErrorCodes.failure(codes, 400, "insert: it failed [" + code + "]");
    assertThat(ErrorCodes.ofCreation(codes, plain).getClass().getSimpleName()).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({
    "403, rateLimitExceeded, Throttled",
    "403, quotaExceeded, QuotaExceeded",
    "403, forbidden, Permission",
    "401, authError, Permission",
    "409, alreadyExists, UnknownOutcome",
    "503, backendError, UnknownOutcome",
    "429, somethingNew, Throttled",
    "400, invalid, Invalid",
    "404, notFound, Invalid",
    "500, somethingNew, UnknownOutcome",
  })
  void mapsReasonsOfCalls(int status, String reason, String kind) {
    CloudFailure failure = answer(status, reason, "a sentence").failure("compute.instances.get");
    assertThat(failure.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(failure.message()).contains(reason, "a sentence");
  }

  @Test
  void typeMissingInZoneIsACapacityFailure() {
    assertThat(
            answer(400, "invalid", "Machine type with name 'a' does not exist in zone 'b'.")
                .failure("compute.instances.create"))
        .isInstanceOf(CloudFailure.Capacity.class);
  }

  @Test
  void reasonInDetailsIsTheMostSpecific() {
    ErrorResponse answer =
        ErrorResponse.read(
            403,
            """
            {"error": {"code": 403, "message": "Compute Engine API has not been used", "status":
             "PERMISSION_DENIED", "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo",
             "reason": "SERVICE_DISABLED", "domain": "googleapis.com"}]}}
            """);
    assertThat(answer.codes()).containsExactly("SERVICE_DISABLED", "PERMISSION_DENIED");
    assertThat(answer.failure("compute.instances.list").message())
        .contains("API is not enabled", "gcloud services enable");
  }

  @Test
  void proxyPageIsNotAResponseOfGoogle() {
    ErrorResponse answer = ErrorResponse.read(404, "<html>Not found</html>");
    assertThat(answer.isNotFound()).isFalse();
    assertThat(answer.failure("compute.instances.get")).isInstanceOf(CloudFailure.Invalid.class);
  }

  private static ErrorResponse answer(int status, String reason, String message) {
    return ErrorResponse.read(
        status,
        "{\"error\": {\"code\": %d, \"message\": \"%s\", \"errors\": [{\"reason\": \"%s\"}]}}"
            .formatted(status, message, reason));
  }
}

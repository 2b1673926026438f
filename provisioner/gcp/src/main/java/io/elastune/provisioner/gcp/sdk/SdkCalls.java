package io.elastune.provisioner.gcp.sdk;

import com.google.api.client.http.HttpResponseException;
import com.google.api.gax.httpjson.HttpJsonCallContext;
import com.google.api.gax.retrying.RetrySettings;
import com.google.api.gax.rpc.ApiCallContext;
import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode;
import com.google.auth.Credentials;
import com.google.auth.Retryable;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Makes calls of Google's library and converts its exceptions to {@link CloudException}. */
final class SdkCalls {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int MAX_ATTEMPTS = 3;

  private final Credentials credentials;
  private final String where;

  SdkCalls(ClientConfig clientConfig) {
    credentials = clientConfig.credentials();
    where = clientConfig.endpoint().map(url -> " from " + url).orElse("");
  }

  /** Returns the context of calls that the library must not retry. */
  static ApiCallContext withoutRetries() {
    return HttpJsonCallContext.createDefault()
        .withTimeoutDuration(TIMEOUT)
        .withRetryableCodes(Set.of());
  }

  /** Returns the context of read calls, which the library may retry. */
  static ApiCallContext withRetries() {
    return HttpJsonCallContext.createDefault()
        .withRetrySettings(
            RetrySettings.newBuilder()
                .setMaxAttempts(MAX_ATTEMPTS)
                .setInitialRetryDelayDuration(Duration.ofMillis(200))
                .setRetryDelayMultiplier(2)
                .setMaxRetryDelayDuration(Duration.ofSeconds(1))
                .setInitialRpcTimeoutDuration(TIMEOUT)
                .setMaxRpcTimeoutDuration(TIMEOUT)
                .setTotalTimeoutDuration(TIMEOUT.multipliedBy(MAX_ATTEMPTS))
                .build())
        .withRetryableCodes(Set.of(StatusCode.Code.UNAVAILABLE, StatusCode.Code.UNKNOWN));
  }

  /**
   * Makes a call.
   *
   * @param action the permission that it needs, for example {@code compute.instances.create}
   * @throws CloudException with the failure
   */
  <T> T call(String action, Supplier<T> call) {
    return callUnless(action, call, answer -> false)
        .orElseThrow(() -> new IllegalStateException("no error is ignored"));
  }

  /** Makes a call; empty if Google responds with an error for which {@code nothing} is true. */
  <T> Optional<T> callUnless(String action, Supplier<T> call, Predicate<ErrorResponse> nothing) {
    checkCredentials(action);
    try {
      return Optional.of(call.get());
    } catch (ApiException e) {
      Optional<ErrorResponse> answer = answer(e);
      if (answer.filter(nothing).isPresent()) {
        return Optional.empty();
      }
      // Without a readable response, the call may have had an effect.
      throw new CloudException(
          answer
              .map(some -> some.failure(action))
              .orElseGet(
                  () ->
                      new CloudFailure.UnknownOutcome(
                          action
                              + " got no response"
                              + where
                              + ": "
                              + ExceptionMessages.ofCall(cause(e), "Google"))),
          e);
    } catch (RejectedExecutionException e) {
      throw new CloudException(
          new CloudFailure.UnknownOutcome(action + " was not sent: the client is closed"), e);
    }
  }

  private static Optional<ErrorResponse> answer(ApiException e) {
    return e.getCause() instanceof HttpResponseException http
        ? Optional.of(
            ErrorResponse.read(
                http.getStatusCode(), http.getContent() == null ? "" : http.getContent()))
        : Optional.empty();
  }

  private static Throwable cause(Throwable e) {
    return e.getCause() == null ? e : e.getCause();
  }

  /**
   * Distinguishes missing credentials from a call without a response: without credentials nothing
   * is sent.
   */
  void checkCredentials(String action) {
    try {
      credentials.getRequestMetadata();
    } catch (IOException e) {
      boolean isTemporary = e instanceof Retryable auth && auth.isRetryable();
      String message =
          "no usable Google credentials for " + action + ": " + CredentialReason.of(credentials, e);
      throw new CloudException(
          isTemporary
              ? new CloudFailure.UnknownOutcome(message)
              : new CloudFailure.Permission(message, true),
          e);
    }
  }
}

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

/** Makes calls of Google's library and turns what they throw into our own words. */
final class Calls {
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final int TRIES = 3;

  private final Credentials credentials;
  private final String where;

  Calls(Account account) {
    credentials = account.credentials();
    where = account.endpoint().map(url -> " from " + url).orElse("");
  }

  /** For calls that the library must not repeat by itself. */
  static ApiCallContext once() {
    return HttpJsonCallContext.createDefault()
        .withTimeoutDuration(ANSWER)
        .withRetryableCodes(Set.of());
  }

  /** For questions, which may be repeated. */
  static ApiCallContext asking() {
    return HttpJsonCallContext.createDefault()
        .withRetrySettings(
            RetrySettings.newBuilder()
                .setMaxAttempts(TRIES)
                .setInitialRetryDelayDuration(Duration.ofMillis(200))
                .setRetryDelayMultiplier(2)
                .setMaxRetryDelayDuration(Duration.ofSeconds(1))
                .setInitialRpcTimeoutDuration(ANSWER)
                .setMaxRpcTimeoutDuration(ANSWER)
                .setTotalTimeoutDuration(ANSWER.multipliedBy(TRIES))
                .build())
        .withRetryableCodes(Set.of(StatusCode.Code.UNAVAILABLE, StatusCode.Code.UNKNOWN));
  }

  /**
   * Makes a call.
   *
   * @param action the permission that it needs, e.g. {@code compute.instances.create}
   * @throws CloudException with what went wrong
   */
  <T> T make(String action, Supplier<T> call) {
    return makeUnless(action, call, answer -> false)
        .orElseThrow(() -> new IllegalStateException("nothing is let pass"));
  }

  /** The same; empty where Google answers with an error that {@code nothing} takes for "none". */
  <T> Optional<T> makeUnless(String action, Supplier<T> call, Predicate<ErrorAnswer> nothing) {
    checkCredentials(action);
    try {
      return Optional.of(call.get());
    } catch (ApiException e) {
      Optional<ErrorAnswer> answer = answer(e);
      if (answer.filter(nothing).isPresent()) {
        return Optional.empty();
      }
      // Without an answer, or one that can be read: something may have been done.
      throw new CloudException(
          answer
              .map(some -> some.failure(action))
              .orElseGet(
                  () ->
                      new CloudFailure.UnknownOutcome(
                          action + " got no answer" + where + ": " + firstLine(cause(e)))),
          e);
    } catch (RejectedExecutionException e) {
      throw new CloudException(
          new CloudFailure.UnknownOutcome(action + " was not made: the door is closed"), e);
    }
  }

  private static Optional<ErrorAnswer> answer(ApiException e) {
    return e.getCause() instanceof HttpResponseException http
        ? Optional.of(
            ErrorAnswer.read(
                http.getStatusCode(), http.getContent() == null ? "" : http.getContent()))
        : Optional.empty();
  }

  private static Throwable cause(Throwable e) {
    return e.getCause() == null ? e : e.getCause();
  }

  /** Told apart from a call without an answer, for without credentials nothing is sent. */
  private void checkCredentials(String action) {
    try {
      credentials.getRequestMetadata();
    } catch (IOException e) {
      boolean passing = e instanceof Retryable auth && auth.isRetryable();
      String message =
          "no usable Google credentials for "
              + action
              + ": "
              + firstLine(e)
              + "; log in with 'gcloud auth application-default login'";
      throw new CloudException(
          passing ? new CloudFailure.UnknownOutcome(message) : new CloudFailure.Permission(message),
          e);
    }
  }

  static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
  }
}

package io.elastune.provisioner.aws.sdk;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Makes SDK calls and maps their exceptions to cloud failures. */
final class SdkCalls {
  /** The permission in AWS's error message, if it names one. */
  private static final Pattern PERMISSION =
      Pattern.compile("not authorized to perform: ([a-z0-9-]+:[A-Za-z]+)");

  private static final Pattern ENCODED =
      Pattern.compile("\\s*Encoded authorization failure message:.*", Pattern.DOTALL);

  private static final String EXPIRED = "these AWS credentials have expired";
  private static final String UNKNOWN = "AWS does not recognize these credentials";

  /** Error codes of invalid credentials, which no policy can fix. */
  private static final Map<String, String> LOGIN =
      Map.of(
          "ExpiredToken", EXPIRED,
          "ExpiredTokenException", EXPIRED,
          "RequestExpired", EXPIRED + ", or this machine's clock is wrong",
          "InvalidAccessKeyId", UNKNOWN,
          "InvalidClientTokenId", UNKNOWN,
          "UnrecognizedClientException", UNKNOWN,
          "SignatureDoesNotMatch", "the secret key of these AWS credentials is wrong");

  private final AwsCredentialsProvider credentials;

  SdkCalls(AwsCredentialsProvider credentials) {
    this.credentials = credentials;
  }

  /**
   * Makes a call.
   *
   * @param action the required permission, e.g. {@code ec2:RunInstances}
   * @throws CloudException with the failure
   */
  <T> T call(String action, Supplier<T> call) {
    checkCredentials(action);
    try {
      return call.get();
    } catch (AwsServiceException e) {
      throw new CloudException(failure(action, e), e);
    } catch (SdkClientException e) {
      // No response, or an unreadable one: a launch may have taken effect.
      throw new CloudException(
          new CloudFailure.UnknownOutcome(NetworkErrorExplainer.message(action, e)), e);
    }
  }

  /** Checks credentials first: without them nothing is sent, so the outcome is known. */
  private void checkCredentials(String action) {
    try {
      credentials.resolveCredentials();
    } catch (SdkClientException e) {
      String message =
          "no usable AWS credentials for "
              + action
              + ": "
              + MissingCredentials.explain(String.valueOf(e.getMessage()).strip());
      throw new CloudException(new CloudFailure.Permission(message, true), e);
    }
  }

  /** Returns when the credentials end; empty if the SDK renews them, or if that is not known. */
  Optional<Instant> loginExpires(Instant now) {
    try {
      return CredentialsEnd.of(credentials.resolveCredentials(), now);
    } catch (SdkClientException e) {
      return Optional.empty(); // the next call reports it
    }
  }

  static String code(AwsServiceException e) {
    AwsErrorDetails details = e.awsErrorDetails();
    String code = details == null ? null : details.errorCode();
    return code == null ? "HTTP " + e.statusCode() : code;
  }

  private static CloudFailure failure(String action, AwsServiceException e) {
    String code = code(e);
    String message = ENCODED.matcher(text(e)).replaceFirst("");
    CloudFailure plain =
        ErrorCodes.failure(code, e.statusCode(), action + ": " + message + " [" + code + "]");
    if (!(plain instanceof CloudFailure.Permission)) {
      return plain;
    }
    String login = LOGIN.get(code);
    if (login != null) {
      return new CloudFailure.Permission(
          login + ": " + action + ": " + message + " [" + code + "]; " + MissingCredentials.LOG_IN,
          true);
    }
    Matcher named = PERMISSION.matcher(message);
    String permission = named.find() ? named.group(1) : action;
    return new CloudFailure.Permission(
        "these AWS credentials may not " + permission + ": " + message + " [" + code + "]");
  }

  private static String text(AwsServiceException e) {
    AwsErrorDetails details = e.awsErrorDetails();
    String message = details == null ? null : details.errorMessage();
    return message == null ? "no further details" : message.strip().replaceAll("\\s+", " ");
  }
}

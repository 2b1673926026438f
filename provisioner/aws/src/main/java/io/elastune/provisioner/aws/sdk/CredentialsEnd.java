package io.elastune.provisioner.aws.sdk;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * Determines when the user must log in again. Credentials name their sources by codes, those of
 * {@code BusinessMetricFeatureId} of the SDK.
 */
final class CredentialsEnd {
  /** Roles of instances, containers and web identities: no user logs in for them. */
  private static final Set<String> OF_MACHINES = Set.of("0", "z", "h", "k", "q");

  /**
   * Sign-on sessions, and roles that other credentials assume. The SDK renews their credentials
   * five minutes before they end, as long as the session lasts.
   */
  private static final Set<String> RENEWED =
      Set.of("i", "j", "l", "m", "o", "p", "r", "s", "t", "u", "AC", "AD");

  /** Credentials that still end so soon were not renewed. */
  private static final Duration NOT_RENEWED = Duration.ofMinutes(4);

  private CredentialsEnd() {}

  /** Returns when these credentials end; empty if they are renewed, or if that is not known. */
  static Optional<Instant> of(AwsCredentialsIdentity credentials, Instant now) {
    Set<String> sources =
        Set.copyOf(
            credentials
                .providerName()
                .map(codes -> Arrays.asList(codes.split(",", -1)))
                .orElse(List.of()));
    Optional<Instant> end = credentials.expirationTime();
    if (sources.stream().anyMatch(OF_MACHINES::contains)) {
      return Optional.empty();
    }
    return sources.stream().anyMatch(RENEWED::contains)
        ? end.filter(at -> at.isBefore(now.plus(NOT_RENEWED)))
        : end;
  }
}

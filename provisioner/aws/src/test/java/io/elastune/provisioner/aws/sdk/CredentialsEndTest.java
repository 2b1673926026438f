package io.elastune.provisioner.aws.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

class CredentialsEndTest {
  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

  /** The codes are those that the SDK reports for a process, a sign-on session, and an instance. */
  @ParameterizedTest
  @CsvSource({
    "'v,w', 40, true",
    "'n,s', 40, false",
    "'n,s', 3, true",
    "'0', 3, false",
    "'n,o,i', 40, false"
  })
  void credentialsThatTheSdkRenewsDoNotEnd(String sources, int minutesLeft, boolean isReported) {
    Instant end = NOW.plus(Duration.ofMinutes(minutesLeft));
    AwsSessionCredentials credentials =
        AwsSessionCredentials.builder()
            .accessKeyId("a")
            .secretAccessKey("s")
            .sessionToken("t")
            .providerName(sources)
            .expirationTime(end)
            .build();
    assertThat(CredentialsEnd.of(credentials, NOW).isPresent()).isEqualTo(isReported);
  }
}

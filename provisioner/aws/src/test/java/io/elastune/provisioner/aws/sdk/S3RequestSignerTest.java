package io.elastune.provisioner.aws.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

class S3RequestSignerTest {
  /** The example of Amazon's documentation of query parameters for Signature Version 4. */
  @Test
  void urlHasTheSignatureOfAmazonsExample() {
    S3RequestSigner signer =
        new S3RequestSigner(
            URI.create("https://examplebucket.s3.amazonaws.com"),
            "",
            "us-east-1",
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(
                    "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")),
            InstantSource.fixed(Instant.parse("2013-05-24T00:00:00Z")));

    assertThat(signer.sign("GET", "test.txt", new TreeMap<>(), Duration.ofDays(1)).toString())
        .startsWith("https://examplebucket.s3.amazonaws.com/test.txt?")
        .contains(
            "X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
  }
}

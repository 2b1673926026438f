package io.elastune.provisioner.gcp.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.auth.ServiceAccountSigner;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GcsRequestSignerTest {
  private static GcsRequestSigner signer(ServiceAccountSigner account) {
    return new GcsRequestSigner(
        URI.create("https://storage.googleapis.com"), "ckpts", account, InstantSource.system());
  }

  /** A machine of Google Cloud without a service account has such credentials by default. */
  @Test
  void machineWithoutServiceAccountIsExplained() {
    GcsRequestSigner signer =
        signer(
            new ServiceAccountSigner() {
              @Override
              public String getAccount() {
                throw new RuntimeException(
                    "Failed to get service account", new IOException("404 Not Found"));
              }

              @Override
              public byte[] sign(byte[] text) {
                throw new IllegalStateException("not reached");
              }
            });

    CloudException thrown =
        catchThrowableOfType(
            CloudException.class,
            () -> signer.sign("GET", "object", new TreeMap<>(), Duration.ofMinutes(1)));
    assertThat(thrown.failure()).isInstanceOf(CloudFailure.Permission.class);
    assertThat(thrown.failure().message())
        .contains("gs://ckpts needs a service account", "Failed to get service account");
  }
}

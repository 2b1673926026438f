package io.elastune.cli.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.CloudProviders;
import org.junit.jupiter.api.Test;

class CloudProvidersTest {
  @Test
  void allAreOrderedByName() {
    assertThat(CloudProviders.all())
        .extracting(CloudProvider::name)
        .containsExactly("aws", "gcp", "local", "ray");
  }

  @Test
  void findsProviderOfLocation() {
    assertThat(CloudProviders.ofLocation("gcp/us-central1"))
        .hasValueSatisfying(found -> assertThat(found.name()).isEqualTo("gcp"));
    assertThat(CloudProviders.ofLocation("local")).isPresent();
    assertThat(CloudProviders.ofLocation("lambda/us-east-1")).isEmpty();
  }
}

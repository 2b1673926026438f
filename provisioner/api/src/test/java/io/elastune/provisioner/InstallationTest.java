package io.elastune.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** This module has no providers, as an installation without extras. */
class InstallationTest {
  @Test
  void missingExtraIsNamedWithItsInstallation() {
    Installation.MissingExtra extra = Installation.missingExtra("aws").orElseThrow();
    assertThat(extra.reason())
        .isEqualTo("aws needs the wheel elastune_aws, which is not installed");
    assertThat(extra.remedy()).startsWith("pip install ").contains("'elastune[aws]'");
  }

  @Test
  void remedyNamesTheFolderOfTheWheelsUntilTheyArePublished() {
    assertThat(Installation.missing(false, "aws", "elastune_aws", "aws").remedy())
        .isEqualTo(
            "pip install --no-index --find-links FOLDER 'elastune[aws]', where FOLDER has the wheels"
                + " of the release build");
    assertThat(Installation.missing(true, "aws", "elastune_aws", "aws").remedy())
        .isEqualTo("pip install 'elastune[aws]'");
  }

  @Test
  void otherProvidersAreNoExtras() {
    assertThat(Installation.missingExtra("azure")).isEmpty();
  }

  @Test
  void bucketNeedsTheExtraOfItsCloud() {
    Assertions.assertThatThrownBy(() -> ObjectStores.open("s3", "bucket", () -> Instant.EPOCH))
        .isInstanceOf(CloudException.class)
        .hasMessageContaining("'elastune[aws]'");
  }
}

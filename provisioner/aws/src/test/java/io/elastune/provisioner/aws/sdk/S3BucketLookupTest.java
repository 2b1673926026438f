package io.elastune.provisioner.aws.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class S3BucketLookupTest {
  @RegisterExtension private final AwsTestEnvironment world = new AwsTestEnvironment();

  @Test
  void unreachableServiceIsNamedWithRemedy() {
    world.fake().close();
    CloudException failure =
        catchThrowableOfType(
            CloudException.class, () -> new S3BucketLookup("us-east-1").regionOf("ckpts"));
    assertThat(failure.failure()).isInstanceOf(CloudFailure.UnknownOutcome.class);
    assertThat(failure.failure().message())
        .matches(
            "Querying the S3 bucket ckpts failed: \\S+ refused the connection; check the address,"
                + " and that the service runs there");
  }
}

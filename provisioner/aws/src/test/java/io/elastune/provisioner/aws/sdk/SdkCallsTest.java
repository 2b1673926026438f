package io.elastune.provisioner.aws.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Tests the error messages of failed AWS calls. */
class SdkCallsTest {
  @RegisterExtension private final AwsTestEnvironment world = new AwsTestEnvironment();

  @ParameterizedTest
  @CsvSource({
    "ExpiredToken, these AWS credentials have expired",
    "RequestExpired, clock is wrong",
    "InvalidClientTokenId, AWS does not recognize these credentials",
    "SignatureDoesNotMatch, the secret key of these AWS credentials is wrong"
  })
  void invalidCredentialsAskForLogin(String code, String expected) {
    world.fake().refuse("DescribeInstances", code, "Message of AWS.");
    CloudFailure failure = listing();
    assertThat(failure).isInstanceOf(CloudFailure.Permission.class);
    assertThat(failure.message())
        .contains(
            expected, "ec2:DescribeInstances: Message of AWS. [" + code + "]", "aws sso login")
        .doesNotContain("may not");
  }

  @Test
  void namesEndpointWithoutResponse() {
    String url = world.fake().url();
    world.fake().close();
    CloudFailure failure = listing();
    assertThat(failure).isInstanceOf(CloudFailure.UnknownOutcome.class);
    assertThat(failure.message())
        .isEqualTo(
            "ec2:DescribeInstances got no response from "
                + url
                + " (AWS_ENDPOINT_URL): the endpoint refused the connection; check the address, and"
                + " that the service runs there");
  }

  @Test
  void unknownHostSuggestsWrongRegion() {
    SdkClientException e =
        SdkClientException.create(
            "Received an UnknownHostException when attempting to interact with a service.",
            new UnknownHostException("ec2.us-east-9.amazonaws.com"));
    assertThat(NetworkErrorExplainer.message("ec2:DescribeInstances", e))
        .contains(
            "unknown host ec2.us-east-9.amazonaws.com", "check the name, such as that of a region");
  }

  private static CloudFailure listing() {
    try (Ec2 ec2 = new SdkEc2(AwsTestEnvironment.REGION)) {
      return catchThrowableOfType(CloudException.class, () -> ec2.listByTag(Tags.RUN)).failure();
    }
  }
}

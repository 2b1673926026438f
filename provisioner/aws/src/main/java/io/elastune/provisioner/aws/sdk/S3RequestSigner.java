package io.elastune.provisioner.aws.sdk;

import static software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AUTH_LOCATION;
import static software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE;
import static software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.EXPIRATION_DURATION;
import static software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.NORMALIZE_PATH;
import static software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.PAYLOAD_SIGNING_ENABLED;
import static software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME;
import static software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner.REGION_NAME;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.remote.RequestSigner;
import io.elastune.provisioner.remote.UriEncoding;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.SortedMap;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;

/**
 * Signs requests to one bucket of S3 with the signer of the AWS SDK. The module {@code s3} of the
 * SDK is not needed for that.
 */
public final class S3RequestSigner implements RequestSigner {
  private final URI endpoint;
  private final String path;
  private final String region;
  private final AwsCredentialsProvider credentials;
  private final Clock clock;
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

  S3RequestSigner(
      URI endpoint,
      String path,
      String region,
      AwsCredentialsProvider credentials,
      InstantSource time) {
    this.endpoint = endpoint;
    this.path = path;
    this.region = region;
    this.credentials = credentials;
    clock = time.withZone(ZoneOffset.UTC);
  }

  /**
   * Creates a signer with the user's default credentials.
   *
   * @param someRegion a region in which S3 is asked for the region of the bucket
   * @throws CloudException if the bucket does not exist
   */
  public static S3RequestSigner open(String bucket, String someRegion, InstantSource time) {
    String region = new S3BucketLookup(someRegion).regionOf(bucket);
    Optional<String> custom = S3BucketLookup.customEndpoint();
    // A certificate for *.s3.REGION.amazonaws.com does not cover names with dots.
    boolean inPath = custom.isPresent() || bucket.contains(".");
    String host = "s3." + region + ".amazonaws.com" + (region.startsWith("cn-") ? ".cn" : "");
    String standard = "https://" + (inPath ? "" : bucket + ".") + host;
    return new S3RequestSigner(
        URI.create(custom.orElse(standard)),
        inPath ? "/" + bucket : "",
        region,
        DefaultCredentialsProvider.builder().build(),
        time);
  }

  @Override
  public URI sign(String method, String name, SortedMap<String, String> query, Duration validity) {
    String object = path + (name.isEmpty() && !path.isEmpty() ? "" : "/" + name);
    SdkHttpRequest.Builder request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.fromValue(method))
            .uri(endpoint)
            .encodedPath(UriEncoding.encodePath(object));
    query.forEach(request::putRawQueryParameter);
    AwsCredentials identity = identity();
    return signer
        .sign(
            r ->
                r.identity(identity)
                    .request(request.build())
                    .putProperty(SERVICE_SIGNING_NAME, "s3")
                    .putProperty(REGION_NAME, region)
                    .putProperty(AUTH_LOCATION, AuthLocation.QUERY_STRING)
                    .putProperty(EXPIRATION_DURATION, validity)
                    .putProperty(DOUBLE_URL_ENCODE, false)
                    .putProperty(NORMALIZE_PATH, false)
                    .putProperty(PAYLOAD_SIGNING_ENABLED, false)
                    .putProperty(HttpSigner.SIGNING_CLOCK, clock))
        .request()
        .getUri();
  }

  private AwsCredentials identity() {
    try {
      return credentials.resolveCredentials();
    } catch (SdkClientException e) {
      throw new CloudException(
          new CloudFailure.Permission(
              "no usable AWS credentials for the bucket: "
                  + MissingCredentials.explain(String.valueOf(e.getMessage()).strip())),
          e);
    }
  }
}

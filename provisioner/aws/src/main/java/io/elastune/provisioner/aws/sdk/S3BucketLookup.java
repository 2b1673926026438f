package io.elastune.provisioner.aws.sdk;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.NetworkFailure;
import io.elastune.provisioner.aws.model.BucketLookup;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the region of an S3 bucket without credentials: S3 returns the region even to clients
 * without access. This needs no permission and no S3 client of the SDK.
 */
public final class S3BucketLookup implements BucketLookup {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int NOT_FOUND = 404;

  private final String region;

  /** Creates a client that calls S3 in {@code region}; every region knows all buckets. */
  public S3BucketLookup(String region) {
    this.region = region;
  }

  @Override
  public String regionOf(String name) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(endpoint() + "/" + name))
            .method("HEAD", HttpRequest.BodyPublishers.noBody())
            .timeout(PATIENCE)
            .build();
    try {
      HttpResponse<Void> answer =
          HttpClient.newBuilder()
              .connectTimeout(PATIENCE)
              .build()
              .send(request, HttpResponse.BodyHandlers.discarding());
      if (answer.statusCode() == NOT_FOUND) {
        throw new CloudException(
            new CloudFailure.Invalid("S3 has no bucket " + name + " [NoSuchBucket]"));
      }
      return answer.headers().firstValue("x-amz-bucket-region").orElse(region);
    } catch (IOException e) {
      String host = request.uri().getHost();
      throw unknown(name, NetworkFailure.text(e, host == null ? endpoint() : host), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown(name, "interrupted", e);
    }
  }

  private String endpoint() {
    return customEndpoint().orElse("https://s3." + region + ".amazonaws.com");
  }

  /** Returns the endpoint in the standard settings of AWS tools, if set. */
  static Optional<String> customEndpoint() {
    return Stream.of(
            Optional.ofNullable(System.getProperty("aws.endpointUrl")),
            Optional.ofNullable(System.getenv("AWS_ENDPOINT_URL_S3")),
            Optional.ofNullable(System.getenv("AWS_ENDPOINT_URL")))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static CloudException unknown(String name, String reason, Exception cause) {
    return new CloudException(
        new CloudFailure.UnknownOutcome("Querying the S3 bucket " + name + " failed: " + reason),
        cause);
  }
}

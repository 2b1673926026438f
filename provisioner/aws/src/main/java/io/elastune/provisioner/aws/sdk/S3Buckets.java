package io.elastune.provisioner.aws.sdk;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.aws.account.Buckets;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Asks S3 without credentials: a bucket that is there says in which region, also to whoever may not
 * look into it. So neither a permission is needed nor the SDK's client for S3.
 */
public final class S3Buckets implements Buckets {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int NOT_FOUND = 404;

  private final String region;

  /** Asked in {@code region}; any region knows all buckets. */
  public S3Buckets(String region) {
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
      throw unknown(name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown(name, e);
    }
  }

  /** The standard settings of AWS's tools. */
  private String endpoint() {
    return Stream.of(
            Optional.ofNullable(System.getProperty("aws.endpointUrl")),
            Optional.ofNullable(System.getenv("AWS_ENDPOINT_URL_S3")),
            Optional.ofNullable(System.getenv("AWS_ENDPOINT_URL")))
        .flatMap(Optional::stream)
        .findFirst()
        .orElse("https://s3." + region + ".amazonaws.com");
  }

  private static CloudException unknown(String name, Exception cause) {
    return new CloudException(
        new CloudFailure.UnknownOutcome("S3 does not tell of the bucket " + name + ": " + cause));
  }
}

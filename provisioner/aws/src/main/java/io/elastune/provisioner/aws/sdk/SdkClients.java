package io.elastune.provisioner.aws.sdk;

import java.time.Duration;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;

/**
 * Creates SDK clients with the user's default credentials that reject truncated responses. Standard
 * variables such as {@code AWS_ENDPOINT_URL} and {@code AWS_MAX_ATTEMPTS} apply.
 */
final class SdkClients implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(30);

  private final DefaultCredentialsProvider credentials =
      DefaultCredentialsProvider.builder().build();
  private final Region region;

  SdkClients(String region) {
    this.region = Region.of(region);
  }

  /** Returns the mapper of exceptions to cloud failures. */
  SdkCalls calls() {
    return new SdkCalls(credentials);
  }

  /** Creates a client of a service in this region. */
  <B extends AwsSyncClientBuilder<B, C> & AwsClientBuilder<B, C>, C> C create(B builder) {
    return create(builder, region);
  }

  /** Creates a client of a service that only some regions have. */
  <B extends AwsSyncClientBuilder<B, C> & AwsClientBuilder<B, C>, C> C create(
      B builder, Region there) {
    return prepared(builder, there)
        .overrideConfiguration(config -> config.addExecutionInterceptor(new ContentLengthCheck()))
        .build();
  }

  /** Creates a client that never retries automatically. */
  <B extends AwsSyncClientBuilder<B, C> & AwsClientBuilder<B, C>, C> C createWithoutRetries(
      B builder) {
    return prepared(builder, region)
        .overrideConfiguration(
            config ->
                config
                    .addExecutionInterceptor(new ContentLengthCheck())
                    .retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }

  private <B extends AwsSyncClientBuilder<B, C> & AwsClientBuilder<B, C>, C> B prepared(
      B builder, Region there) {
    return builder
        .httpClientBuilder(
            UrlConnectionHttpClient.builder().connectionTimeout(CONNECT).socketTimeout(ANSWER))
        .region(there)
        .credentialsProvider(credentials);
  }

  @Override
  public void close() {
    credentials.close();
  }
}

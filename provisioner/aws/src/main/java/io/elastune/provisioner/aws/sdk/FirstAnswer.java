package io.elastune.provisioner.aws.sdk;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Instance;

/**
 * Reads an answer of EC2's without asking for it. The launcher runs this once, to see which classes
 * it takes, and keeps them ready: that makes the first answer come a good deal sooner.
 */
public final class FirstAnswer {
  private static final String ANSWER =
      """
      <DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
        <requestId>none</requestId>
        <reservationSet><item><reservationId>r-0</reservationId><instancesSet><item>
          <instanceId>i-0</instanceId><instanceType>g5.xlarge</instanceType>
          <instanceState><code>16</code><name>running</name></instanceState>
          <launchTime>2026-11-21T00:00:00.000Z</launchTime><reason/>
          <stateReason><code>none</code><message>none</message></stateReason>
          <placement><availabilityZone>us-east-1a</availabilityZone></placement>
          <cpuOptions><coreCount>2</coreCount><threadsPerCore>2</threadsPerCore></cpuOptions>
          <tagSet><item><key>elastune-run</key><value>none</value></item></tagSet>
        </item></instancesSet></item></reservationSet>
      </DescribeInstancesResponse>
      """;

  private FirstAnswer() {}

  /** Reads it. */
  public static void main(String[] arguments) {
    try (Ec2Client ec2 =
        Ec2Client.builder()
            .region(Region.US_EAST_1)
            .credentialsProvider(AnonymousCredentialsProvider.create())
            .overrideConfiguration(config -> config.addExecutionInterceptor(new WholeAnswers()))
            .httpClient(new Canned())
            .build()) {
      for (Instance instance :
          ec2.describeInstancesPaginator(ask -> ask.maxResults(5)).reservations().stream()
              .flatMap(reservation -> reservation.instances().stream())
              .toList()) {
        System.out.println(Instances.of(instance));
      }
    }
  }

  /** Gives that answer to whatever is asked. */
  private static final class Canned implements SdkHttpClient {
    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      byte[] bytes = ANSWER.getBytes(StandardCharsets.UTF_8);
      InputStream body = new ByteArrayInputStream(bytes);
      return new ExecutableHttpRequest() {
        @Override
        public HttpExecuteResponse call() {
          return HttpExecuteResponse.builder()
              .response(
                  SdkHttpFullResponse.builder()
                      .statusCode(200)
                      .putHeader("Content-Length", Integer.toString(bytes.length))
                      .build())
              .responseBody(AbortableInputStream.create(body))
              .build();
        }

        @Override
        public void abort() {
          // There is nothing to be aborted.
        }
      };
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}

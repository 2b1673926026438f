package io.elastune.provisioner.aws.sdk;

import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.model.VcpuQuota;
import io.elastune.provisioner.remote.CannedHttpServer;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * Makes the AWS calls of commands against a local server, so that the launcher archives classes.
 */
public final class ClassArchiveWarmup {
  private static final String REGION = "us-east-1";

  private static final String INSTANCES =
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

  private static final String TYPES =
      """
      <DescribeInstanceTypesResponse><instanceTypeSet><item><instanceType>g5.xlarge</instanceType>
        <vCpuInfo><defaultVCpus>4</defaultVCpus></vCpuInfo>
        <gpuInfo><gpus><item><name>A10G</name><count>1</count>
          <memoryInfo><sizeInMiB>24576</sizeInMiB></memoryInfo></item></gpus></gpuInfo>
      </item></instanceTypeSet></DescribeInstanceTypesResponse>
      """;

  private static final String OFFERINGS =
      """
      <DescribeInstanceTypeOfferingsResponse><instanceTypeOfferingSet><item>
        <instanceType>g5.xlarge</instanceType><location>us-east-1a</location>
        <locationType>availability-zone</locationType>
      </item></instanceTypeOfferingSet></DescribeInstanceTypeOfferingsResponse>
      """;

  private static final String SPOT =
      """
      <DescribeSpotPriceHistoryResponse><spotPriceHistorySet><item>
        <instanceType>g5.xlarge</instanceType><spotPrice>0.412300</spotPrice>
        <availabilityZone>us-east-1a</availabilityZone>
        <timestamp>2026-11-21T00:00:00.000Z</timestamp>
      </item></spotPriceHistorySet></DescribeSpotPriceHistoryResponse>
      """;

  private static final String WHO =
      """
      <GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
        <GetCallerIdentityResult><Arn>arn:aws:iam::1:user/none</Arn><Account>1</Account>
        </GetCallerIdentityResult></GetCallerIdentityResponse>
      """;

  private static final String ERROR =
      """
      <Response><Errors><Error><Code>InvalidParameterValue</Code><Message>none</Message></Error>
      </Errors><RequestID>none</RequestID></Response>
      """;

  private static final Map<String, String> ANSWERS =
      Map.of(
          "Action=DescribeInstances&", INSTANCES,
          "Action=DescribeInstanceTypes&", TYPES,
          "Action=DescribeInstanceTypeOfferings&", OFFERINGS,
          "Action=DescribeSpotPriceHistory&", SPOT,
          "Action=GetCallerIdentity&", WHO,
          "GetProducts", "{\"FormatVersion\": \"aws_v1\", \"PriceList\": [\"{}\"]}",
          "GetServiceQuota", "{\"Quota\": {\"Value\": 768}}");

  private static final VcpuQuota FAMILY = VcpuQuota.ON_DEMAND_G;

  private ClassArchiveWarmup() {}

  /** Makes the calls. */
  public static void main(String[] arguments) throws IOException {
    InstantSource never = InstantSource.fixed(Instant.EPOCH);
    try (CannedHttpServer aws = new CannedHttpServer(ANSWERS, ERROR)) {
      Map.of("endpointUrl", aws.url(), "region", REGION, "accessKeyId", "a", "secretAccessKey", "a")
          .forEach((key, value) -> System.setProperty("aws." + key, value));
      try (SdkEc2 ec2 = new SdkEc2(REGION);
          SdkPriceList prices = new SdkPriceList(REGION, never);
          SdkAccountApi directory = new SdkAccountApi(REGION, never)) {
        CannedHttpServer.sendAll(
            directory::identity,
            () -> ec2.listByTag(Tags.RUN),
            prices::gpuTypes,
            prices::zones,
            prices::onDemand,
            () -> prices.spot(List.of("g5.xlarge")),
            () -> directory.quotaLimit(FAMILY),
            () -> directory.quotaUsage(FAMILY),
            () -> directory.zonesOf("g5.xlarge"),
            directory::regions);
      }
    }
  }
}

package io.elastune.provisioner.aws;

import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.aws.account.AccountClients;
import io.elastune.provisioner.aws.model.AccountApi;
import io.elastune.provisioner.aws.model.BucketLookup;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.model.PriceList;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.sdk.S3BucketLookup;
import io.elastune.provisioner.aws.sdk.SdkAccountApi;
import io.elastune.provisioner.aws.sdk.SdkEc2;
import io.elastune.provisioner.aws.sdk.SdkPriceList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates clients of the account that use the AWS SDK, which is loaded by the first call. */
final class SdkAccountClients implements AccountClients {
  private final CloudContext context;

  SdkAccountClients(CloudContext context) {
    this.context = context;
  }

  @Override
  public Ec2 ec2(String region) {
    return new SdkEc2(region);
  }

  @Override
  public AccountApi directory(String region) {
    return new SdkAccountApi(region, context.time());
  }

  @Override
  public BucketLookup buckets(String region) {
    return new S3BucketLookup(region);
  }

  @Override
  public PriceList prices(String region) {
    return new SdkPriceList(region, context.time());
  }

  @Override
  public String defaultRegion() {
    return SdkAccountApi.defaultRegion();
  }

  @Override
  public List<String> regions() {
    try (AccountApi accountApi = directory(defaultRegion())) {
      return accountApi.regions();
    }
  }

  @Override
  public Map<String, RegionSettings> settings() {
    return isConfigured() ? SettingsReader.read(context.settings()) : Map.of();
  }

  @Override
  public String settingsName() {
    return context.settings().toString();
  }

  @Override
  public boolean isConfigured() {
    return SettingsReader.hasSection(context.settings());
  }

  @Override
  public Optional<String> unavailableReason() {
    return SdkAccountApi.unavailableReason();
  }
}

package io.elastune.provisioner.aws;

import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.aws.account.Buckets;
import io.elastune.provisioner.aws.account.Directory;
import io.elastune.provisioner.aws.account.Ec2;
import io.elastune.provisioner.aws.account.PriceList;
import io.elastune.provisioner.aws.desk.AccountDoors;
import io.elastune.provisioner.aws.sdk.S3Buckets;
import io.elastune.provisioner.aws.sdk.SdkDirectory;
import io.elastune.provisioner.aws.sdk.SdkEc2;
import io.elastune.provisioner.aws.sdk.SdkPrices;
import java.util.List;
import java.util.Optional;

/** Creates clients of the account that use the AWS SDK, which is loaded by the first call. */
final class SdkDoors implements AccountDoors {
  private final CloudContext context;

  SdkDoors(CloudContext context) {
    this.context = context;
  }

  @Override
  public Ec2 ec2(String region) {
    return new SdkEc2(region);
  }

  @Override
  public Directory directory(String region) {
    return new SdkDirectory(region, context.time());
  }

  @Override
  public Buckets buckets(String region) {
    return new S3Buckets(region);
  }

  @Override
  public PriceList prices(String region) {
    return new SdkPrices(region, context.time());
  }

  @Override
  public String usualRegion() {
    return SdkDirectory.usualRegion();
  }

  @Override
  public List<String> regions() {
    try (Directory directory = directory(usualRegion())) {
      return directory.regions();
    }
  }

  @Override
  public String settingsName() {
    return context.settings().toString();
  }

  @Override
  public boolean isSetUp() {
    return Settings.isThere(context.settings());
  }

  @Override
  public Optional<String> absent() {
    return SdkDirectory.absent();
  }
}

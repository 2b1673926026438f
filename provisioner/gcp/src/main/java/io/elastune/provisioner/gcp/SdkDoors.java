package io.elastune.provisioner.gcp;

import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.gcp.account.Compute;
import io.elastune.provisioner.gcp.account.Directory;
import io.elastune.provisioner.gcp.account.ProjectSettings;
import io.elastune.provisioner.gcp.account.Surroundings;
import io.elastune.provisioner.gcp.desk.AccountDoors;
import io.elastune.provisioner.gcp.offers.KeptPrices;
import io.elastune.provisioner.gcp.sdk.BillingCatalogue;
import io.elastune.provisioner.gcp.sdk.SdkCompute;
import io.elastune.provisioner.gcp.sdk.SdkDirectory;
import java.nio.file.Path;
import java.util.Optional;

/** Opens clients of Google's library, which is loaded only when the first client is created. */
final class SdkDoors implements AccountDoors {
  private final CloudContext context;

  SdkDoors(CloudContext context) {
    this.context = context;
  }

  @Override
  public Compute compute() {
    return new SdkCompute(project());
  }

  @Override
  public Directory directory() {
    return new SdkDirectory(project(), context.time());
  }

  @Override
  public Optional<KeptPrices> prices() {
    Path file = context.home().resolve("cache").resolve("gcp-prices.csv");
    return BillingCatalogue.find().map(catalog -> new KeptPrices(file, catalog, context.time()));
  }

  private Optional<String> project() {
    return settings().flatMap(ProjectSettings::project);
  }

  @Override
  public Optional<ProjectSettings> settings() {
    return Settings.find(context.settings());
  }

  @Override
  public String settingsName() {
    return context.settings().toString();
  }

  @Override
  public Optional<String> absent() {
    return Surroundings.absent(project());
  }
}

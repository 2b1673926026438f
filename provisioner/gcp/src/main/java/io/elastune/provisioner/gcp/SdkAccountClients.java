package io.elastune.provisioner.gcp;

import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.gcp.account.AccountClients;
import io.elastune.provisioner.gcp.model.Compute;
import io.elastune.provisioner.gcp.model.GcloudEnvironment;
import io.elastune.provisioner.gcp.model.ProjectApi;
import io.elastune.provisioner.gcp.model.ProjectServices;
import io.elastune.provisioner.gcp.model.ProjectSettings;
import io.elastune.provisioner.gcp.offers.CachedPrices;
import io.elastune.provisioner.gcp.sdk.BillingCatalog;
import io.elastune.provisioner.gcp.sdk.SdkCompute;
import io.elastune.provisioner.gcp.sdk.SdkProjectApi;
import io.elastune.provisioner.gcp.sdk.SdkProjectServices;
import java.nio.file.Path;
import java.util.Optional;

/** Opens clients of Google's library, which is loaded only when the first client is created. */
final class SdkAccountClients implements AccountClients {
  private final CloudContext context;

  SdkAccountClients(CloudContext context) {
    this.context = context;
  }

  @Override
  public Compute compute() {
    return new SdkCompute(project());
  }

  @Override
  public ProjectApi directory() {
    return new SdkProjectApi(project(), context.time());
  }

  @Override
  public ProjectServices services() {
    return new SdkProjectServices(project());
  }

  @Override
  public Optional<CachedPrices> prices() {
    Path file = context.home().resolve("cache").resolve("gcp-prices.csv");
    return BillingCatalog.find().map(catalog -> new CachedPrices(file, catalog, context.time()));
  }

  private Optional<String> project() {
    return settings().flatMap(ProjectSettings::project);
  }

  @Override
  public Optional<ProjectSettings> settings() {
    return SettingsReader.find(context.settings());
  }

  @Override
  public String settingsName() {
    return context.settings().toString();
  }

  @Override
  public Optional<String> unavailableReason() {
    return GcloudEnvironment.unavailableReason(project());
  }
}
